"""The output of a command in bounded memory: its beginning, its end, and how much lies between."""

import codecs
from collections.abc import Callable
from typing import Final

from jupyter_ac.terminal import terminal_text, without_sequences

HEAD_BYTES: Final = 20_000
TAIL_BYTES: Final = 20_000

_MAX_CHAR_BYTES: Final = 4
_CONTINUATION: Final = range(0x80, 0xC0)


class CommandOutput:
    """Collects output; keeps the first and the last 20 kB.

    Args:
        limit: bytes after which no more is wanted.
        on_text: gets each piece as text as soon as it is there; returns at once.

    Attributes:
        size: bytes so far.
    """

    def __init__(self, limit: int, on_text: Callable[[str], None] | None = None) -> None:
        self.size = 0
        self._limit = limit
        self._on_text = on_text
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head = bytearray()
        self._tail = bytearray()

    @property
    def left_out(self) -> int:
        """The bytes between the beginning and the end that are not in `text`."""
        return self.size - len(self._head) - len(self._kept_tail())

    def add(self, data: bytes) -> bool:
        """Add a piece; returns whether more is wanted."""
        self.size += len(data)
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        if len(data) > room:
            self._tail += data[room:][-TAIL_BYTES:]
            if len(self._tail) > 2 * TAIL_BYTES:  # not at each piece
                del self._tail[:-TAIL_BYTES]
        if self._on_text is not None and (text := self._decoder.decode(data)):
            self._on_text(plain_output(text))
        return self.size <= self._limit

    def text(self) -> str:
        """Return the output as text, with a line in place of what is left out."""
        tail = self._kept_tail()
        left_out = self.size - len(self._head) - len(tail)
        if not left_out:
            return plain_output((self._head + tail).decode("utf-8", "replace"))
        head, tail = _whole_characters(self._head, tail)
        note = f"\n[... {left_out:,} bytes are left out ...]\n"
        return note.join(plain_output(part.decode("utf-8", "replace")) for part in (head, tail))

    def _kept_tail(self) -> bytearray:
        return self._tail[-TAIL_BYTES:]


def plain_output(text: str) -> str:
    """Return output as a terminal would show it in the end, without colours and other sequences.

    Of a line that was written over, as progress bars do, only the last state is kept.
    """
    text = without_sequences(text).replace("\r\n", "\n")
    if "\r" in text:
        lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
        text = "\n".join(lines)
    return terminal_text(text)


def _whole_characters(head: bytearray, tail: bytearray) -> tuple[bytearray, bytearray]:
    """Cut the halves of characters at the ends that face what is left out."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(head)
    half = len(decoder.getstate()[0])
    begin = 0
    while begin < min(_MAX_CHAR_BYTES - 1, len(tail)) and tail[begin] in _CONTINUATION:
        begin += 1
    return head[: len(head) - half], tail[begin:]
