"""The tools `git_diff` and `git_log`: what has changed since the last commit, and commits."""

import asyncio
from typing import Final

from jupyter_ac.agent.tool import Arguments, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import (
    COUNT,
    FLAG,
    TEXT,
    described,
    flag_in,
    number_in,
    parameters,
    text_in,
)
from jupyter_ac.agent.tools.result_text import MASKED_CHARS, ResultMasker, bounded, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.diff_redaction import file_diffs, redacted, without_excluded
from jupyter_ac.chat.prompt.blocks import shown_path
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.git.commits import Commit, read_log
from jupyter_ac.git.diffs import diff_between
from jupyter_ac.git.excluded_paths import ExcludedPaths, ReadExcluded
from jupyter_ac.git.path_lookup import names_for_git
from jupyter_ac.git.refs import last_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

MAX_COMMITS: Final = 100
DEFAULT_COMMITS: Final = 20

_REMEDY: Final = "name a path"
_NOTEBOOK: Final = (".ipynb", '.ipynb"')
_CELLS: Final = "[a notebook: read_file shows its cells]\n"
_TOP: Final = frozenset({"", ".", "./"})
_DATE: Final = slice(0, 10)


class GitDiffTool(UnaskedTool):
    """Shows what has changed in tracked files.

    Args:
        repository: which one.
        masker: masks secrets.
        excluded: returns the files of which nothing is shown.
    """

    definition = ToolDefinition(
        "git_diff",
        "Show what has changed in tracked files since the last commit.",
        parameters((), path=TEXT, staged=described(FLAG, "only what is staged")),
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
        """Return the path, and whether only what is staged is shown."""
        staged = "staged" if arguments.get("staged") else ""
        return one_line(" ".join(filter(None, (_path_title(arguments), staged))) or "all files")

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the difference; of notebooks, and of what looks like a secret, only names.

        Raises:
            AcError: the path leads out of the repository, or is excluded, or git fails.
        """
        excluded = await self._excluded()
        paths = await _names(self._repository, text_in(arguments, "path", ""), excluded)
        commit = await last_commit(self._repository)
        what = ("--cached",) if flag_in(arguments, "staged") or not commit else (commit,)
        diff = await diff_between(self._repository, what, *paths)
        diff = await asyncio.to_thread(without_excluded, diff, excluded)
        shown = await asyncio.to_thread(_shown_diff, diff)
        if not shown:
            return ToolResult("Nothing has changed in tracked files.")
        masked = await self._masker.masked(context.conversation, shown)
        return ToolResult(bounded(masked, _REMEDY))


def _shown_diff(diff: str) -> str:
    return bounded(
        "".join(map(_without_cells, file_diffs(redacted(diff)))), _REMEDY, MASKED_CHARS // 2
    )


def _without_cells(part: str) -> str:
    """Return a file's difference; of a notebook, which may hold data in outputs, only the head."""
    head, end, _ = part.partition("\n")
    return f"{head}{end}{_CELLS}" if head.endswith(_NOTEBOOK) else part


class GitLogTool(UnaskedTool):
    """Lists commits.

    Args:
        repository: which one.
        masker: masks secrets.
        excluded: returns the files of which nothing is shown.
    """

    definition = ToolDefinition(
        "git_log",
        f"List the newest commits of the branch, {DEFAULT_COMMITS} by default.",
        parameters((), path=TEXT, count={**COUNT, "maximum": MAX_COMMITS}),
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
        """Return the path."""
        return _path_title(arguments) or "all files"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return hashes, dates, authors and subjects, the newest commit first.

        Raises:
            AcError: the path leads out of the repository, or is excluded, or git fails.
        """
        excluded = await self._excluded()
        paths = await _names(self._repository, text_in(arguments, "path", ""), excluded)
        count = min(number_in(arguments, "count", DEFAULT_COMMITS), MAX_COMMITS)
        tip = await last_commit(self._repository)
        if not tip:
            return ToolResult("There are no commits yet.")
        commits = await read_log(self._repository, (f"--max-count={count}", tip), paths=paths)
        if not commits:
            return ToolResult("No commit has changed that.")
        text = "\n".join(map(_row, commits))
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, _REMEDY))


def _row(commit: Commit) -> str:
    author, subject = one_line(commit.author, 60), one_line(commit.subject)
    return f"{commit.short_sha} {commit.date[_DATE]} {author}: {subject}"


def _path_title(arguments: Arguments) -> str:
    return one_line(shown_path(text_in(arguments, "path", "")))


async def _names(repository: Repository, path: str, excluded: ExcludedPaths) -> list[RepoPath]:
    names = await names_for_git(repository, [path]) if path not in _TOP else []
    excluded.require_sent(*names)
    return names
