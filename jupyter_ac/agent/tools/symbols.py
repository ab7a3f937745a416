"""The tools `find_symbol`, `references` and `outline`: what the index knows of names."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, Protocol

from jupyter_ac.agent.tool import Arguments, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import COUNT, TEXT, described, number_in, parameters, text_in
from jupyter_ac.agent.tools.checked_files import CheckedFiles
from jupyter_ac.agent.tools.result_text import ResultMasker, bounded, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.prompt.blocks import body_of, shown_path
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import AcError, InvalidParams, NotFound, NotReady
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexStatus
from jupyter_ac.index.navigation.navigator import Navigator
from jupyter_ac.index.navigation.rows import SymbolRow, Target

_logger = logging.getLogger(__name__)

WAIT_S: Final = 5.0
"""How long an index that is being made is waited for."""

MAX_SYMBOLS: Final = 50
MAX_DEFINITIONS: Final = 5
"""Symbols of one name whose references are listed."""

MAX_FILES: Final = 40
"""Files of which the lines with references are shown."""

MAX_REFERENCES: Final = 300
MAX_LINE_CHARS: Final = 200

_NOT_READY: Final = "The index is still being made; use search meanwhile, or try again later."


class ReadyIndex(Protocol):
    """The part of `IndexClient` that is used."""

    @property
    def status(self) -> IndexStatus:
        """How the index is."""

    async def ready(self, wait_s: float) -> bool:
        """Wait until it can be asked, for a while; say whether it can."""


class SymbolIndex:
    """What is asked about symbols.

    Args:
        index: waited for.
        navigator: answers.
    """

    def __init__(self, index: ReadyIndex, navigator: Navigator) -> None:
        self._index = index
        self._navigator = navigator

    async def ready(self) -> Navigator:
        """Return what answers, as soon as the index is ready.

        Raises:
            NotReady: it isn't for `WAIT_S` seconds, or can't be made.
        """
        if not await self._index.ready(WAIT_S):
            raise NotReady(self._index.status.reason or _NOT_READY)
        return self._navigator


class FindSymbolTool(UnaskedTool):
    """Finds symbols by name.

    Args:
        symbols: the index.
        masker: masks secrets.
        excluded: returns the files of which nothing is shown.
    """

    definition = ToolDefinition(
        "find_symbol",
        "Find where classes, functions, variables and headings are defined, by a part of their "
        "name, or Class.part.",
        parameters(("name",), name=TEXT),
        Right.READ,
    )

    def __init__(
        self,
        symbols: SymbolIndex,
        masker: ResultMasker,
        excluded: ReadExcluded,
    ) -> None:
        self._symbols = symbols
        self._excluded = excluded
        self._masker = masker

    def title(self, arguments: Arguments) -> str:
        """Return the name."""
        return one_line(text_in(arguments, "name", ""))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the symbols with their places, the best first.

        Raises:
            AcError: the index isn't ready.
        """
        navigator = await self._symbols.ready()
        excluded = await self._excluded()
        found = await navigator.symbols(text_in(arguments, "name"), MAX_SYMBOLS)
        rows = [row for row in found if not excluded.covers(row["file"])]
        text = "\n".join(map(_symbol, rows)) or "No symbol has such a name; search finds text."
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, "name more of the symbol"))


class OutlineTool(UnaskedTool):
    """Shows the symbols of one file.

    Args:
        symbols: the index.
        masker: masks secrets.
        excluded: returns the files of which nothing is shown.
    """

    definition = ToolDefinition(
        "outline",
        "Show the symbols of a file, or the headings of a document, as in the map.",
        parameters(("path",), path=TEXT),
        Right.READ,
    )

    def __init__(
        self,
        symbols: SymbolIndex,
        masker: ResultMasker,
        excluded: ReadExcluded,
    ) -> None:
        self._symbols = symbols
        self._excluded = excluded
        self._masker = masker

    def title(self, arguments: Arguments) -> str:
        """Return the path."""
        return one_line(shown_path(text_in(arguments, "path", "")))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the outline.

        Raises:
            AcError: the index isn't ready, or doesn't show this file.
        """
        navigator, path = await self._symbols.ready(), text_in(arguments, "path")
        (await self._excluded()).require_sent(path)  # the index may not have it any more
        block = await navigator.block(path)
        (await self._excluded()).require_sent(path, block["path"])
        masked = await self._masker.masked(context.conversation, block["content"])
        return ToolResult(bounded(masked, "read_file shows lines"))


class ReferencesTool(UnaskedTool):
    """Finds where a symbol is used.

    Args:
        symbols: the index.
        files: reads the lines.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "references",
        "Find where a symbol is used: by its name, or exactly by a place where it stands.",
        parameters(
            (),
            name=TEXT,
            path=TEXT,
            line=described(COUNT, "with path"),
            column=described(COUNT, "of the name; or give the name"),
        ),
        Right.READ,
    )

    def __init__(self, symbols: SymbolIndex, files: CheckedFiles, masker: ResultMasker) -> None:
        self._symbols = symbols
        self._files = files
        self._masker = masker

    def title(self, arguments: Arguments) -> str:
        """Return the name and the place."""
        path, line = text_in(arguments, "path", ""), arguments.get("line")
        place = f"{shown_path(path)}:{line}" if line else shown_path(path)
        return one_line(" ".join(filter(None, (text_in(arguments, "name", ""), place))))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the places with their lines, by file.

        Raises:
            AcError: the index isn't ready, or the arguments name no symbol.
        """
        navigator, excluded = await self._symbols.ready(), await self._files.excluded()
        excluded.require_sent(text_in(arguments, "path", ""))
        found: dict[tuple[str, int, int], None] = {}
        for path, line, column in await self._places(navigator, arguments, context):
            for target in await navigator.references(path, line, column):
                if not excluded.covers(target["file"]):
                    found[_place(target)] = None
        if not found:
            return ToolResult("No references are known; search finds text.")
        text = await self._shown(context.conversation, sorted(found))
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, "search in a folder"))

    async def _places(
        self, navigator: Navigator, arguments: Arguments, context: ToolContext
    ) -> Sequence[tuple[str, int, int]]:
        """Return the places whose symbols are meant: file, line, column, from 1."""
        name, path = text_in(arguments, "name", ""), text_in(arguments, "path", "")
        if path and "line" in arguments:
            line = number_in(arguments, "line", 1)
            if "column" in arguments:
                return [(path, line, number_in(arguments, "column", 1))]
            return [(path, line, await self._column(context.conversation, path, line, name))]
        if not name:
            raise InvalidParams("Give a name, or path, line and the name or its column.")
        rows, excluded = await navigator.resolve([name]), await self._files.excluded()
        symbols = [
            row
            for row in rows
            if (not path or row["file"] == path) and not excluded.covers(row["file"])
        ]
        if not symbols:
            raise NotFound(f"The index knows no symbol {one_line(name)!r}; search finds text.")
        return [(row["file"], row["line"], row["column"]) for row in symbols[:MAX_DEFINITIONS]]

    async def _column(self, conversation: Conversation, path: str, line: int, name: str) -> int:
        """Return the column at which a name stands in a line, in UTF-16 code units from 1."""
        _, file = await self._files.look(conversation, path)
        lines = body_of(file.block).split("\n")
        text = lines[line - 1] if line <= len(lines) else ""
        at = text.find(name) if name else -1
        if at < 0:
            raise InvalidParams(f"Line {line} has no {one_line(name)!r}; give the right line.")
        return len(text[:at].encode("utf-16-le")) // 2 + 1

    async def _shown(
        self, conversation: Conversation, places: Sequence[tuple[str, int, int]]
    ) -> str:
        rows: list[str] = [f"{len(places):,} places"]
        shown = places[:MAX_REFERENCES]
        files = list(dict.fromkeys(path for path, _, _ in shown))
        for path in files[:MAX_FILES]:
            numbers = sorted({line for file, line, _ in shown if file == path})
            rows += [shown_path(path), *await self._lines(conversation, path, numbers)]
        left_out = len(places) - sum(path in files[:MAX_FILES] for path, _, _ in shown)
        if left_out:
            rows.append(f"[cut: {left_out:,} places are left out; search in a folder shows them]")
        return "\n".join(rows)

    async def _lines(
        self, conversation: Conversation, path: str, numbers: Sequence[int]
    ) -> list[str]:
        """Return lines of a file that the index knows, with their numbers.

        Of a file that seems to hold a secret, or can't be read, only the numbers are returned.
        """
        lines: list[str] = []
        try:
            file = await self._files.read(conversation, RepoPath(path))
            if not file.warnings:
                lines = await asyncio.to_thread(lambda: body_of(file.block).split("\n"))
        except AcError as error:
            _logger.info("lines with references aren't shown: %s", error)
        return [
            f"  {number}: {lines[number - 1].strip()[:MAX_LINE_CHARS]}"
            if number <= len(lines)
            else f"  {number}"
            for number in numbers
        ]


def _place(target: Target) -> tuple[str, int, int]:
    start = target["range"]
    return target["file"], start["startLineNumber"], start["startColumn"]


def _symbol(row: SymbolRow) -> str:
    inside = f"{row['container']}." if row["container"] else ""
    place = f"{shown_path(RepoPath(row['file']))}:{row['line']}:{row['column']}"
    return f"{row['kind']} {inside}{row['name']}{row['signature']}  {place}"
