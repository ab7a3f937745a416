"""The tools `list_files` and `search`: what is found by path, and by text."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from jupyter_ac.agent.tool import Arguments, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import (
    FLAG,
    TEXT,
    described,
    flag_in,
    parameters,
    text_in,
)
from jupyter_ac.agent.tools.checked_files import is_folder
from jupyter_ac.agent.tools.path_patterns import is_match, path_pattern
from jupyter_ac.agent.tools.result_text import ResultMasker, bounded, counted, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.prompt.blocks import shown_path
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.excluded_paths import ExcludedPaths, ReadExcluded
from jupyter_ac.git.likely_secrets import has_secret_name, secrets_on_disk
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.search.grep import search
from jupyter_ac.git.search.output import FileMatches
from jupyter_ac.git.search.query import Query
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.listing import list_tree
from jupyter_ac.notebook.editing import is_notebook

MAX_ROWS: Final = 500
"""Rows of a list of files."""

MAX_FILES: Final = 100
"""Files whose matches are shown."""

MAX_MATCHES: Final = 50
"""Matches of one file that are shown."""

MAX_LINE_CHARS: Final = 300
_CHARS_BEFORE: Final = 100

_FOLDER: Final = described(TEXT, "of the repository; all of it by default")
_TOP: Final = frozenset({"", ".", "./", "/"})


class ListFilesTool(UnaskedTool):
    """Lists the files that git doesn't ignore.

    Args:
        repository: whose files.
        masker: masks secrets.
        excluded: returns the files of which nothing is shown.
    """

    definition = ToolDefinition(
        "list_files",
        "List files that git doesn't ignore, by path; large folders as one row with their number "
        "of files.",
        parameters((), folder=_FOLDER, pattern=described(TEXT, "such as *.py or src/**/test_*.py")),
        Right.READ,
    )

    def __init__(
        self,
        repository: Repository,
        masker: ResultMasker,
        excluded: ReadExcluded,
    ) -> None:
        self._repository = repository
        self._excluded = excluded
        self._masker = masker

    def title(self, arguments: Arguments) -> str:
        """Return the folder and the pattern."""
        folder, pattern = (text_in(arguments, name, "") for name in ("folder", "pattern"))
        return one_line(shown_path(" ".join(filter(None, (folder, pattern))) or "."))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the paths.

        Raises:
            AcError: there is no such folder in the repository, or git fails.
        """
        excluded = await self._excluded()
        folder = await folder_in(self._repository, text_in(arguments, "folder", ""), excluded)
        given = text_in(arguments, "pattern", "")
        pattern = path_pattern(given) if given else ()
        listing = await list_tree(
            self._repository,
            [folder] if folder else [],
            with_jupyter_files=self._repository.shows_jupyter_files(),
        )
        shown = await asyncio.to_thread(excluded.sent, listing)
        text = await asyncio.to_thread(_listed, shown, folder, pattern)
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, "name a folder or a pattern"))


async def folder_in(repository: Repository, path: str, excluded: ExcludedPaths) -> str:
    """Return the path of a folder, links resolved; "" for the repository's top.

    Raises:
        RefusedPath: it leads out of the repository or into git's directory, or is excluded.
        NotFound: there is no such folder.
    """
    if path in _TOP:
        return ""
    located = await find(repository, path)
    if not await asyncio.to_thread(is_folder, located.real):
        raise NotFound(f"There is no folder {shown_path(located.path)} in the repository.")
    folder = located.real.relative_to(repository.root).as_posix()
    excluded.require_sent(located.path, folder)
    return "" if folder == "." else folder


def _listed(files: Iterable[RepoPath], folder: str, pattern: Sequence[str]) -> str:
    """Return the paths as text; patterns are relative to the folder, paths to the top."""
    start = len(folder) + 1 if folder else 0
    found = sorted(path for path in files if not pattern or is_match(pattern, path[start:]))
    if not found:
        return "No files match." if pattern else "No files that git doesn't ignore are there."
    rows = _folded(found, start)
    shown = rows[:MAX_ROWS]
    text = f"{counted(len(found), 'file')}\n" + "\n".join(map(shown_path, shown))
    if len(rows) > len(shown):
        text += f"\n[cut: {len(shown)} of {len(rows):,} rows are shown; name a folder or a pattern]"
    return text


def _folded(paths: Sequence[str], start: int) -> list[str]:
    """Return paths, or the deepest level of folders at which there are few enough rows.

    Args:
        paths: sorted.
        start: where the part below the listed folder begins.
    """
    rows = list(paths)
    depth = max(path.count("/", start) for path in paths)
    while len(rows) > MAX_ROWS and depth > 0:
        rows = _at_depth(paths, start, depth)
        depth -= 1
    return rows


def _at_depth(paths: Sequence[str], start: int, depth: int) -> list[str]:
    """Return the files above a depth, and the folders at it with their numbers of files."""
    counts: Counter[str] = Counter()
    for path in paths:
        segments = path[start:].split("/")
        is_below = len(segments) > depth
        counts[path[:start] + "/".join(segments[:depth]) + ("/" if is_below else "")] += 1
    return [
        f"{row} ({counted(count, 'file')})" if row[-1] == "/" else row
        for row, count in counts.items()
    ]


class SearchTool(UnaskedTool):
    """Searches the text of the files that git doesn't ignore.

    Args:
        repository: whose files.
        masker: masks secrets.
        excluded: returns the files of which nothing is shown.
    """

    definition = ToolDefinition(
        "search",
        "Find lines with a text in the files that git doesn't ignore. A regular expression is "
        "POSIX extended.",
        parameters(("text",), text=TEXT, is_regex=FLAG, ignore_case=FLAG, folder=_FOLDER),
        Right.READ,
    )

    def __init__(
        self,
        repository: Repository,
        masker: ResultMasker,
        excluded: ReadExcluded,
    ) -> None:
        self._repository = repository
        self._excluded = excluded
        self._masker = masker

    def title(self, arguments: Arguments) -> str:
        """Return what is searched for, and where."""
        folder = text_in(arguments, "folder", "")
        return one_line(f"{text_in(arguments, 'text', '')}{f' in {folder}' if folder else ''}")

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the lines by file; of files that seem to hold a secret only how many there are.

        Raises:
            AcError: the expression is invalid or takes too long, or there is no such folder.
        """
        query = Query(
            text_in(arguments, "text"),
            use_regex=flag_in(arguments, "is_regex"),
            ignore_case=flag_in(arguments, "ignore_case"),
            context_lines=0,
        )
        if not query.text.strip():
            raise InvalidParams("text is blank; name what is searched for.")
        excluded = await self._excluded()
        folder = await folder_in(self._repository, text_in(arguments, "folder", ""), excluded)
        found = await search(self._repository, query)
        is_cut = any(file.get("truncated", False) for file in found)
        inside = [
            file
            for file in found
            if (not folder or file["file"].startswith(f"{folder}/"))
            and not excluded.covers(file["file"])
        ]
        text = await asyncio.to_thread(_matches, self._repository, inside, query.text)
        if is_cut:
            text += "\n[cut: the search has stopped at its limit; make the text more specific]"
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, "make the text more specific, or name a folder"))


def _matches(repository: Repository, files: Sequence[FileMatches], text: str) -> str:
    shown = files[:MAX_FILES]
    secret = secrets_on_disk(repository, [file["file"] for file in shown])
    total = sum(len(file["matches"]) for file in files)
    matching = sum(bool(file["matches"]) for file in files)
    rows = [f"{counted(total, 'line')} in {counted(matching, 'file')}"]
    left_out = 0
    for file in shown:
        path = file["file"]
        if path in secret or has_secret_name(path):
            left_out += 1
        else:
            rows += _rows(file, text)
    if left_out:
        rows.append(f"[not shown, may hold secrets: {counted(left_out, 'file')}; read_file asks]")
    if len(files) > len(shown):
        rows.append(f"[cut: {len(shown)} of {len(files):,} files are shown; name a folder]")
    return "\n".join(rows)


def _rows(file: FileMatches, text: str) -> list[str]:
    """Return a file's matches; notebooks hold outputs, which aren't shown from here."""
    path, matches = shown_path(file["file"]), file["matches"]
    if "skipped" in file:
        return [f"{path}: not searched: {file['skipped']}"]
    if is_notebook(file["file"]):
        return [f"{path}: {counted(len(matches), 'line')} of its JSON; read_file shows its cells"]
    rows = [f"  {match['line_num']}: {_excerpt(match['line'], text)}" for match in matches]
    more = len(rows) - MAX_MATCHES
    return [path, *rows[:MAX_MATCHES], *([f"  [{counted(more, 'more line')}]"] if more > 0 else [])]


def _excerpt(line: str, text: str) -> str:
    """Return a line, of a long one what is around the text."""
    if len(line) <= MAX_LINE_CHARS:
        return line
    at = line.casefold().find(text.casefold())
    start = max(0, at - _CHARS_BEFORE)
    before = "…" if start else ""
    return f"{before}{line[start : start + MAX_LINE_CHARS]}…"
