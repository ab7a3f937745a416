"""Streams of text after seed 004: `stream_start`, `stream_data`, `stream_end`, over any door.

The parts are numbered from 1. Their texts, joined, are the text of the result. The sender joins
small parts; the receiver finds out when one is missing.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from typing import Final

from jupyter_ac.errors import Conflict, InvalidParams, TooLarge
from jupyter_ac.rpc.messages import MessageId

START: Final = "stream_start"
DATA: Final = "stream_data"
END: Final = "stream_end"

JOIN_S: Final = 0.02
JOIN_CHARACTERS: Final = 1000
MAX_PART: Final = 100_000
"""Characters of one part; a longer text is sent in several."""

MAX_OPEN: Final = 256
MAX_TEXT: Final = 64 << 20


class TextStream:
    """The sending end; belongs to the running event loop.

    Args:
        task_id: of the call that the text is the answer of.
        notify: sends a notification: the method, and `named` arguments.
        on_part: called for each part.
    """

    def __init__(
        self, task_id: MessageId, notify: Callable[..., None], on_part: Callable[[], None]
    ) -> None:
        self.id = f"stream_{secrets.token_hex(8)}"
        self._notify = notify
        self._on_part = on_part
        self._waiting: list[str] = []
        self._size = 0
        self._sequence = 0
        self._timer: asyncio.TimerHandle | None = None
        self._has_ended = False
        notify(START, named={"stream_id": self.id, "task_id": task_id})

    def write(self, text: str) -> None:
        """Send a text, joined with those of the last 20 ms.

        Raises:
            Conflict: the stream has ended.
        """
        if self._has_ended:
            raise Conflict("The stream has ended; nothing more can be written to it.")
        self._on_part()
        if not text:
            return
        self._waiting.append(text)
        self._size += len(text)
        if self._size >= JOIN_CHARACTERS:
            self._flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(JOIN_S, self._flush)

    def end(self, status: str) -> None:
        """Send the rest and the end, once.

        Args:
            status: "ok", "error" or "cancelled".
        """
        if self._has_ended:
            return
        self._flush()
        self._has_ended = True
        params = {"stream_id": self.id, "total_chunks": self._sequence, "status": status}
        self._notify(END, named=params)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        text = "".join(self._waiting)
        self._waiting, self._size = [], 0
        for start in range(0, len(text), MAX_PART):
            self._sequence += 1
            part = text[start : start + MAX_PART]
            params = {"stream_id": self.id, "chunk": part, "sequence": self._sequence}
            self._notify(DATA, named=params)


class StreamReceiver:
    """The receiving end: joins the parts of all streams of one connection.

    At most `MAX_OPEN` streams are open, with `MAX_TEXT` characters each.
    """

    def __init__(self) -> None:
        self._parts: dict[str, list[str]] = {}
        self._sizes: dict[str, int] = {}

    def start(self, params: Mapping[str, object]) -> str:
        """Take a `stream_start`; returns the stream's id.

        Raises:
            InvalidParams: the message isn't one.
            Conflict: the stream has begun already.
            TooLarge: too many streams are open.
        """
        stream_id = _text(params, "stream_id")
        if stream_id in self._parts:
            raise Conflict(f"The stream {stream_id[:100]} has begun already.")
        if len(self._parts) >= MAX_OPEN:
            raise TooLarge(f"At most {MAX_OPEN} streams may be open at once.")
        self._parts[stream_id] = []
        self._sizes[stream_id] = 0
        return stream_id

    def data(self, params: Mapping[str, object]) -> str:
        """Take a `stream_data`; returns the new text.

        Raises:
            InvalidParams: the message isn't one, or belongs to no open stream.
            Conflict: a part is missing or came twice; the stream is given up.
            TooLarge: the text is too long; the stream is given up.
        """
        stream_id, chunk = self._opened(params), _text(params, "chunk")
        expected = len(self._parts[stream_id]) + 1
        if params.get("sequence") != expected or isinstance(params.get("sequence"), bool):
            self._drop(stream_id)
            raise Conflict(
                f"Part {expected} of the stream {stream_id[:100]} is missing; ask again."
            )
        self._sizes[stream_id] += len(chunk)
        if self._sizes[stream_id] > MAX_TEXT:
            self._drop(stream_id)
            raise TooLarge(f"A stream may have at most {MAX_TEXT} characters.")
        self._parts[stream_id].append(chunk)
        return chunk

    def end(self, params: Mapping[str, object]) -> str:
        """Take a `stream_end`; returns the whole text.

        Raises:
            InvalidParams: the message isn't one, or belongs to no open stream.
            Conflict: parts are missing at the end.
        """
        stream_id = self._opened(params)
        parts = self._parts[stream_id]
        self._drop(stream_id)
        if params.get("total_chunks") != len(parts):
            raise Conflict(f"The end of the stream {stream_id[:100]} is missing; ask again.")
        return "".join(parts)

    def _opened(self, params: Mapping[str, object]) -> str:
        stream_id = _text(params, "stream_id")
        if stream_id not in self._parts:
            raise InvalidParams(f"stream_id: there is no open stream {stream_id[:100]}")
        return stream_id

    def _drop(self, stream_id: str) -> None:
        del self._parts[stream_id], self._sizes[stream_id]


def _text(params: Mapping[str, object], name: str) -> str:
    found = params.get(name)
    if not isinstance(found, str):
        raise InvalidParams(f"{name} must be a string")
    return found
