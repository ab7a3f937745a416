"""Receives Server-Sent Events as the HTML standard defines them (section 9.2.6). Pure.

Only the data of events is of use here: their names and numbers are skipped.
"""

import codecs
from typing import Final

from jupyter_ac.errors import TooLarge

MAX_EVENT: Final = 64 << 20
"""Characters of one event."""

_BOM: Final = "\ufeff"


class EventParser:
    """Finds the events in a stream of bytes, however the network cuts it."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._is_first = True
        self._ended_with_return = False
        self._line: list[str] = []
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[str]:
        """Take the next bytes; returns the data of the events that end in them.

        Raises:
            TooLarge: an event has more than `MAX_EVENT` characters.
        """
        *lines, rest = self._normalised(chunk).split("\n")
        found: list[str] = []
        for line in lines:
            self._grow(line)
            data = self._take("".join(self._line))
            self._line.clear()
            if data is not None:
                found.append(data)
        self._grow(rest)
        return found

    def _grow(self, piece: str) -> None:
        self._line.append(piece)
        self._size += len(piece)
        if self._size > MAX_EVENT:
            raise TooLarge(f"An event of the server has more than {MAX_EVENT} characters.")

    def _normalised(self, chunk: bytes) -> str:
        r"""Decode bytes, and make all ends of lines `\n`."""
        text = self._decode(chunk)
        if text and self._is_first:
            self._is_first = False
            text = text.removeprefix(_BOM)
        if self._ended_with_return and text:
            text = text.removeprefix("\n")
            self._ended_with_return = False
        if text:
            self._ended_with_return = text.endswith("\r")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _take(self, line: str) -> str | None:
        """Take a whole line; returns the data of an event that ends with it."""
        if not line:
            data, self._data, self._size = self._data, [], 0
            return "\n".join(data) if data else None
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return None
