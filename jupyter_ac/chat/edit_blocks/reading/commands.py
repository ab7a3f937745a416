"""The shell commands that an answer proposes."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import EditBlock

_FENCE: Final = re.compile(r"(?P<run>`{3,}|~{3,})\s*(?P<language>[^\s`]*)[^`]*", re.DOTALL)
MAX_COMMANDS: Final = 100
MAX_COMMAND_CHARS: Final = 2000

_SHELLS: Final = frozenset({"bash", "shell", "sh"})
_QUOTES_BEGIN_SO: Final = ("Note", "Warning", "This", "The", "Make")


def shell_commands(text: str, blocks: Sequence[EditBlock]) -> list[str]:
    """Return the commands in an answer's prose, each once; nothing out of its edit blocks.

    Commands are the lines of shell fences but for comments, and lines behind `$ ` or `> `; at most
    `MAX_COMMANDS` of them, none longer than `MAX_COMMAND_CHARS`.
    """
    found: dict[str, None] = {}
    fence = language = ""
    for line in _prose_lines(text, blocks):
        mark = _FENCE.fullmatch(line)
        if mark and not fence:
            fence, language = mark["run"], mark["language"].lower()
        elif mark and mark["run"].startswith(fence) and not mark["language"]:
            fence = language = ""
        elif command := _command(line, is_shell=language in _SHELLS):
            if len(command) <= MAX_COMMAND_CHARS:
                found[command] = None
            if len(found) >= MAX_COMMANDS:
                break
    return list(found)


def _prose_lines(text: str, blocks: Sequence[EditBlock]) -> Iterator[str]:
    """Give the trimmed lines outside of the blocks."""
    at = 0
    for block in blocks:
        yield from _lines(text[at : block.span.start])
        at = block.span.end
    yield from _lines(text[at:])


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.split("\n"))


def _command(line: str, *, is_shell: bool) -> str:
    if line.startswith("$ "):
        return line[2:].strip()
    if is_shell:
        return "" if line.startswith("#") else line
    if line.startswith("> "):
        rest = line[2:].strip()
        return "" if rest.startswith(_QUOTES_BEGIN_SO) else rest
    return ""
