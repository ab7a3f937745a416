"""Text for a terminal or a log, without what would command the terminal.

Names of files, messages of git and whatever a model writes may hold escape sequences: they set the
clipboard or the title, move the cursor, answer in the user's place. Only single characters are
taken out, so a sequence that is split between two writes is broken as well; what is left of it is
shown as the text that it is.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO, cast

# C0 but tab and line feed, DEL, C1, and what reorders the text around it.
_COMMANDS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def terminal_text(text: str) -> str:
    """Return a text without control characters; tabs and line feeds stay."""
    return text if text.isascii() and text.isprintable() else _COMMANDS.sub("", text)


class TerminalWriter:
    """A text stream that writes nothing that commands a terminal.

    Args:
        stream: what is written to; all but writing is its own.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> object:
        """Return what the stream has of this name."""
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text; return its length, of which all counts as written."""
        self.stream.write(terminal_text(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after another."""
        for line in lines:
            self.write(line)


@contextmanager
def terminal_output() -> Iterator[None]:
    """Have all that is written to standard output and error meanwhile go through `terminal_text`.

    What a process writes by its descriptors, as a protocol does, is as it was.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_guarded, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def replace_line(text: str = "") -> None:
    """Write over the line that a terminal at standard error shows."""
    stream: object = sys.stderr
    inner = stream.stream if isinstance(stream, TerminalWriter) else sys.stderr
    inner.write(f"\r{terminal_text(text)}\x1b[K")
    inner.flush()


def _guarded(stream: TextIO) -> TextIO:
    # Closed standard streams are None, whatever their type says.
    is_there = cast("TextIO | None", stream) is not None
    return cast("TextIO", TerminalWriter(stream)) if is_there else stream
