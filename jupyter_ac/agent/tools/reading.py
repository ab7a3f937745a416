"""The tool `read_file`: whole files as the prompt shows them, parts with line numbers."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import COUNT, TEXT, number_in, parameters, text_in
from jupyter_ac.agent.tools.asked_calls import AskedCalls, require_same
from jupyter_ac.agent.tools.checked_files import CheckedFile, CheckedFiles
from jupyter_ac.agent.tools.result_text import MAX_CHARS, ResultMasker, one_line
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import FileText
from jupyter_ac.chat.prompt.blocks import body_of, shown_path, wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import InvalidParams
from jupyter_ac.ids import RepoPath, RequestId

MAX_LINE_CHARS: Final = 2000
MAX_TRACKED: Final = 500
"""Files of which parts were read, in all runs."""

MASKED: Final = (
    "[secrets are masked as [tool secret N]; an edit must not contain the lines that they are in]"
)
_MARGIN_LINES: Final = 60
_MARGIN_CHARS: Final = 10_000
"""Text around a part in which a secret may begin or end."""


class SeenLines:
    """Which lines of files a run has read; the files that were read first are forgotten."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[RequestId, RepoPath], tuple[str, set[int]]] = OrderedDict()

    def add(self, run: RequestId, path: RepoPath, source: str, lines: range, count: int) -> bool:
        """Note lines, and say whether all of the file have been read now.

        Args:
            run: the request of the run.
            path: of the file.
            source: hash of the file; the lines of another one are forgotten.
            lines: their numbers, from 1.
            count: how many the file has.
        """
        key = run, path
        known, numbers = self._seen.pop(key, (source, set[int]()))
        if known != source:
            numbers = set()
        numbers.update(lines)
        self._seen[key] = source, numbers
        if len(self._seen) > MAX_TRACKED:
            self._seen.popitem(last=False)
        return len(numbers) >= count


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of a file that are shown.

    Attributes:
        text: with line numbers.
        lines: their numbers, from 1; empty when the text isn't what the file has there.
    """

    text: str
    lines: range


class ReadFileTool:
    """Reads a file of the repository.

    Args:
        files: reads files.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "read_file",
        "Read a file of the repository: all of it, or lines with their numbers. Notebooks are "
        "shown as the text of their cells. A file read whole can be edited.",
        parameters(("path",), path=TEXT, first_line=COUNT, last_line=COUNT),
        Right.READ,
    )

    def __init__(self, files: CheckedFiles, masker: ResultMasker) -> None:
        self._files = files
        self._masker = masker
        self._asked: AskedCalls[CheckedFile] = AskedCalls()
        self._seen = SeenLines()

    def title(self, arguments: Arguments) -> str:
        """Return the path, with the lines if only some are read."""
        path = one_line(shown_path(text_in(arguments, "path", "")))
        first, last = arguments.get("first_line"), arguments.get("last_line")
        if first is None and last is None:
            return path
        return one_line(f"{path}:{first or 1}-{last or ''}")

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask before a file is sent that git ignores, or that seems to hold a secret.

        Raises:
            AcError: there is no such file in the repository, or it is no text.
        """
        checked, _ = await self._files.look(context.conversation, text_in(arguments, "path"))
        self._asked.keep(context, checked)
        if not checked.reason:
            return None
        return Question(wellformed(shown_path(checked.path)), why=checked.reason)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the file.

        Raises:
            AcError: there is no such file in the repository, or it is no text; the user wasn't
                asked about what it is now.
        """
        conversation = context.conversation
        known = self._asked.taken(context)
        checked, file = await self._files.look(conversation, text_in(arguments, "path"), known)
        if checked.reason:
            require_same(known, checked)
        is_part = not {"first_line", "last_line"}.isdisjoint(arguments)
        path, block = checked.path, file.block
        if not is_part:
            read = {path: block.source}
            if context.seen(path) == block.source:
                return ToolResult(
                    f"{_shown(path)} is as you read it above, with the edits that you have made "
                    "since.",
                    read=read,
                )
            if block.size_bytes <= 4 * MAX_CHARS:
                masked = await self._masker.masked(conversation, block.text)
                if len(masked) <= MAX_CHARS:
                    note = "" if masked == block.text else f"{MASKED}\n"
                    return ToolResult(f"{masked}{note}", read=read)
        return await self._part(file, arguments, context)

    async def _part(self, file: FileText, arguments: Arguments, context: ToolContext) -> ToolResult:
        path, source = file.path, file.block.source
        lines = await asyncio.to_thread(lambda: body_of(file.block).removesuffix("\n").split("\n"))
        first = number_in(arguments, "first_line", 1)
        last = min(number_in(arguments, "last_line", len(lines)), len(lines))
        if first > last:
            raise InvalidParams(
                f"{_shown(path)} has {len(lines):,} lines; first_line must be one of them, and not "
                "above last_line."
            )
        part = await self._shown_part(context.conversation, lines, first, last)
        head = f"{_shown(path)}, {len(lines):,} lines in all; number and tab, then the line:\n"
        is_whole = bool(part.lines) and self._seen.add(
            context.request_id, path, source, part.lines, len(lines)
        )
        return ToolResult(head + part.text, read={path: source} if is_whole else {})

    async def _shown_part(
        self, conversation: Conversation, lines: Sequence[str], first: int, last: int
    ) -> _Part:
        """Mask and number lines; what is around them is masked with them, as one text."""
        end = _end_of_room(lines, first, last)
        start = max(1, first - _MARGIN_LINES)
        stop = min(len(lines), end + _MARGIN_LINES)
        before = "\n".join(lines[start - 1 : first - 1])[-_MARGIN_CHARS:].split("\n")
        before = before if first > start else []
        after = "\n".join(lines[end:stop])[:_MARGIN_CHARS].split("\n") if stop > end else []
        wanted = [line[:MAX_LINE_CHARS] for line in lines[first - 1 : end]]
        window = [*before, *wanted, *after]
        masked = await self._masker.masked(conversation, "\n".join(window))
        rest = _rest(first, end, last, len(lines))
        found = masked.split("\n")
        if len(found) != len(window):  # a secret of several lines has become one
            return _Part(f"{masked[:MAX_CHARS]}\n{MASKED}\n{rest}", range(0))
        shown = found[len(before) : len(before) + len(wanted)]
        is_cut = any(len(line) > MAX_LINE_CHARS for line in lines[first - 1 : end])
        numbered = "".join(f"{first + at}\t{line}\n" for at, line in enumerate(shown))
        cut = f"[lines are cut after {MAX_LINE_CHARS:,} characters]\n" if is_cut else ""
        note = "" if shown == [wellformed(line) for line in wanted] else f"{MASKED}\n"
        return _Part(f"{numbered}{cut}{note}{rest}", range(0) if is_cut else range(first, end + 1))


def _end_of_room(lines: Sequence[str], first: int, last: int) -> int:
    """Return the last line for which there is room; one is shown in any case."""
    room = MAX_CHARS
    for number in range(first, last + 1):
        room -= min(len(lines[number - 1]), MAX_LINE_CHARS) + len(f"{number}\t\n")
        if room < 0 and number > first:
            return number - 1
    return last


def _rest(first: int, end: int, last: int, count: int) -> str:
    if end == last:
        return ""
    return (
        f"[cut: lines {first:,} to {end:,} of {count:,} are shown; first_line={end + 1} shows more]"
    )


def _shown(path: RepoPath) -> str:
    return wellformed(shown_path(path))
