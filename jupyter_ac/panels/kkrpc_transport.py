"""A transport that speaks kkrpc to the other side and JSON-RPC 2.0 to a `Peer`.

So a plugin or a host that is written on kkrpc has the same methods, limits, queues and time limits
as any other: `kkrpc_peer(transport, methods)` is a `Peer`.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Mapping
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.panels.kkrpc import (
    Answered,
    Asked,
    KkrpcForm,
    Refused,
    Stray,
    call_frame,
    error_frame,
    read_message,
    result_frame,
)
from jupyter_ac.rpc.codec import decode, encode
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.messages import VERSION
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport

CALL_TIMEOUT_S: Final = 30.0
"""kkrpc's own time limit of a call."""

MAX_FRAME_BYTES: Final = 4 << 20
"""A longer frame ends the connection: a tree has at most 1 MB."""

PUSHES: Final = frozenset({"updateTree", "applyMutations", "log", "reportError"})
"""Calls of a plugin that nobody waits for: an error as the answer would end a process of Node."""

_DESTROY: Final = ("__DESTROY__", b"__DESTROY__")
"""The whole text of the frame by which kkrpc ends a WebSocket."""

_NO_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_MAX_ID_DIGITS: Final = 15
_TOO_LARGE: Final = 1009
_PARTED: Final = "ac-"
"""Begins the ids of calls whose answer nobody waits for."""

_logger = logging.getLogger(__name__)


class KkrpcTransport:
    """Carries the frames of a `Peer` of JSON-RPC 2.0 to a peer of kkrpc.

    Args:
        inner: carries kkrpc's frames.
        form: of the other side; None: as it is heard to speak. Until then calls are sent in the
            form of kkrpc 0.2 and in the compact one: each side ignores what isn't its own, and this
            one what isn't as it has heard first.
        is_socket: frames are messages of a WebSocket, which kkrpc 0.2 wants to end with a line end.
        pushes: calls of the other side that are answered at once, whatever becomes of them.
        on_text: called with what comes between the messages, such as what a plugin prints.
    """

    def __init__(
        self,
        inner: Transport,
        form: KkrpcForm | None = None,
        *,
        is_socket: bool = False,
        pushes: frozenset[str] = PUSHES,
        on_text: Callable[[str], None] | None = None,
    ) -> None:
        self._inner = inner
        self._form = form
        self._is_compact: bool | None = None
        self._end = "\n" if is_socket else ""
        self._pushes = pushes
        self._on_text = on_text or _log_text
        self._sent = 0

    @property
    def queued_bytes(self) -> int:
        """Bytes that wait for the other side to read; 0 where they aren't counted."""
        waiting: int = getattr(self._inner, "queued_bytes", 0)
        return waiting

    async def receive(self) -> str:
        """Wait for the next frame.

        Raises:
            EndOfInput: no further frame will arrive, but frames can still be sent.
            ConnectionClosed: the connection has ended, or a frame was too large.
        """
        while True:
            frame = await self._inner.receive()
            if len(frame) > MAX_FRAME_BYTES:
                most = MAX_FRAME_BYTES >> 20
                raise ConnectionClosed(f"a message may have at most {most} MiB", _TOO_LARGE)
            if frame.strip() in _DESTROY:
                raise ConnectionClosed("the other side has ended the connection", 1000)
            translated = self._translated(frame)
            if translated is not None:
                return translated
            # A flood of frames without effect must leave the loop to others.
            await asyncio.sleep(0)

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Enqueue a frame.

        Raises:
            SerialisationError: an argument that kkrpc can't carry.
        """
        message = decode(frame)
        if not isinstance(message, dict):
            return
        call_id, method = message.get("id"), message.get("method")
        if isinstance(method, str):
            name = f"{_PARTED}{self._next()}" if call_id is None else str(call_id)
            args = message.get("params")
            self._call(name, method, args if isinstance(args, list) else [args], newest_key)
        elif isinstance(call_id, str):
            self._write(_answer(self._form or KkrpcForm.SUPERJSON, call_id, message))

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection; idempotent."""
        await self._inner.close(code, reason)

    def _call(self, call_id: str, method: str, args: list[object], newest_key: str | None) -> None:
        forms = (self._form,) if self._form else (KkrpcForm.SUPERJSON, KkrpcForm.COMPACT)
        for form in forms:
            key = None if newest_key is None else f"{form}:{newest_key}"
            self._write(call_frame(form, call_id, method, args), key)

    def _translated(self, frame: str | bytes) -> str | None:
        """Return the frame for the peer; None: there is nothing for it."""
        message = read_message(frame)
        if isinstance(message, Stray):
            if message.text:
                self._on_text(message.text)
            return None
        is_compact = message.form is KkrpcForm.COMPACT
        if self._is_compact not in {None, is_compact}:
            return None
        self._form, self._is_compact = message.form, is_compact
        if isinstance(message, Refused):
            self._write(error_frame(message.form, message.id, message.reason))
            return None
        if isinstance(message, Answered):
            return _answered(message)
        return self._asked(message)

    def _asked(self, message: Asked) -> str:
        call: dict[str, object] = {
            "jsonrpc": VERSION,
            "method": message.method,
            "params": message.args,
        }
        if message.method in self._pushes:
            self._write(result_frame(message.form, message.id, None))
        else:
            call["id"] = message.id
        return encode(call)

    def _write(self, frame: str, newest_key: str | None = None) -> None:
        self._inner.send(_ascii(frame) + self._end, newest_key=newest_key)

    def _next(self) -> int:
        self._sent += 1
        return self._sent


def kkrpc_peer(
    transport: KkrpcTransport, methods: Mapping[str, Method], remote: Remote | None = None
) -> Peer:
    """Return a peer that speaks kkrpc.

    Args:
        transport: owned by the peer.
        methods: methods for the other side.
        remote: identity of the other side.
    """
    return Peer(
        transport,
        methods,
        profile=JSONRPC2,
        remote=remote or Remote(),
        timeout_s=CALL_TIMEOUT_S,
    )


def _answer(form: KkrpcForm, call_id: str, message: dict[str, object]) -> str:
    error = message.get("error")
    if not isinstance(error, dict):
        return result_frame(form, call_id, message.get("result"))
    data = error.get("data")
    details = data if isinstance(data, dict) else {}
    # The standard form of answers has the sentence for people there.
    said = details.get("reason") or error.get("message")
    return error_frame(form, call_id, str(said), str(details.get("type", "Error")))


def _answered(message: Answered) -> str | None:
    call_id = message.id
    is_ours = call_id.isascii() and call_id.isdigit() and len(call_id) <= _MAX_ID_DIGITS
    if not is_ours:
        if message.error is not None and call_id.startswith(_PARTED):
            _logger.info("the other side refused a notification: %s", message.error[:200])
        return None
    answer: dict[str, object] = {"jsonrpc": VERSION, "id": int(call_id)}
    if message.error is None:
        answer["result"] = message.result
    else:
        data = {"type": message.kind} if message.kind else None
        answer["error"] = {"code": -32000, "message": message.error, "data": data}
    return encode(answer)


def _ascii(frame: str) -> str:
    """Escape what isn't ASCII: kkrpc 0.2 decodes a pipe's pieces, which may end in a character."""
    return frame if frame.isascii() else _NO_ASCII.sub(_escaped, frame)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def _log_text(text: str) -> None:
    _logger.debug("text between messages: %s", text[:200])
