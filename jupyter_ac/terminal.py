"""Removes control characters from text for a terminal or a log.

Names of files, messages of git and a model's output may contain escape sequences: they set the
clipboard or the title, move the cursor, or send answers in the user's place. Only single characters
are removed, so a sequence that is split between two writes is broken as well; the rest of it is
shown as text.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO, cast

# C0 except tab and line feed, DEL, C1, and characters that reorder the text around them.
_COMMANDS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_SEQUENCES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
"""Escape sequences: colours and cursor movements, titles and hyperlinks, single characters."""


def without_sequences(text: str) -> str:
    """Return a text without whole escape sequences, such as those of colours."""
    return _SEQUENCES.sub("", text) if "\x1b" in text else text


def terminal_text(text: str) -> str:
    """Return a text without control characters; tabs and line feeds stay."""
    return text if text.isascii() and text.isprintable() else _COMMANDS.sub("", text)


class TerminalWriter:
    """A text stream that removes control characters from its output.

    Args:
        stream: the target; all other methods are passed on to it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> object:
        """Return the stream's attribute."""
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text; returns its original length."""
        self.stream.write(terminal_text(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after another."""
        for line in lines:
            self.write(line)


@contextmanager
def terminal_output() -> Iterator[None]:
    """Filter standard output and error through `terminal_text` for the body.

    Data that a process writes directly to descriptors, for example by a protocol, is not filtered.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_guarded, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def replace_line(text: str = "") -> None:
    """Overwrite the current line of a terminal at standard error."""
    stream: object = sys.stderr
    inner = stream.stream if isinstance(stream, TerminalWriter) else sys.stderr
    inner.write(f"\r{terminal_text(text)}\x1b[K")
    inner.flush()


def _guarded(stream: TextIO) -> TextIO:
    # Closed standard streams are None, in spite of their type.
    is_there = cast("TextIO | None", stream) is not None
    return cast("TextIO", TerminalWriter(stream)) if is_there else stream
