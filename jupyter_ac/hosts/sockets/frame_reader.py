"""Reads WebSocket frames in bulk: all frames that one read of the socket returned.

tornado asks its stream for each part of a frame in turn (head, length, mask, payload), and each
answer is a future. For the small frames of calls that costs more than everything else together.
Here whole, masked, unfragmented messages are taken straight from a buffer; everything else (control
frames, fragments, frames that are longer than the buffer, what breaks the protocol) is left to
tornado, which then reads from the same buffer.
"""

from typing import TYPE_CHECKING, Final, Protocol

from tornado.util import _websocket_mask
from tornado.websocket import WebSocketHandler, WebSocketProtocol, WebSocketProtocol13

if TYPE_CHECKING:
    from tornado.iostream import IOStream

_CHUNK: Final = 1 << 16
_BURST: Final = 32
"""Messages handled before the stream, and with it the loop, is asked again."""

# RFC 6455, section 5.2: the last frame of a message, no extension; a mask and a length.
_TEXT: Final = 0x81
_BINARY: Final = 0x82
_MASKED: Final = 0x80
_TWO_BYTES: Final = 126
_EIGHT_BYTES: Final = 127
_MASK_BYTES: Final = 4
_SHORT_HEAD: Final = 2 + _MASK_BYTES
_LONG_HEAD: Final = 4 + _MASK_BYTES

_NEEDED: Final = ("_receive_frame", "_read_bytes", "_handle_message", "_wire_bytes_in")
"""What of tornado is not public and used here; without it frames are read one by one."""


class Gathering(Protocol):
    """Gathers the answers to frames that have come together."""

    def hold(self) -> None:
        """Several messages may follow."""

    def release(self) -> None:
        """They have been handed over: what was gathered may leave."""


class BulkProtocol(WebSocketProtocol13):
    """tornado's protocol with a buffer in front of its stream.

    Attributes:
        gathering: notified of messages that arrived together; None until it is set.
    """

    gathering: Gathering | None = None
    _buffer = b""
    _at = 0

    async def _read_bytes(self, n: int) -> bytes:
        kept = self._buffer[self._at : self._at + n]
        self._at += len(kept)
        if len(kept) == n:
            return kept
        return kept + await super()._read_bytes(n - len(kept))

    async def _receive_frame(self) -> None:
        if self._at >= len(self._buffer):
            stream: IOStream = self.stream
            # At least one byte; the rest of what has come already.
            self._buffer, self._at = await stream.read_bytes(_CHUNK, partial=True), 0
            self._wire_bytes_in += len(self._buffer)
        if self._fragmented_message_buffer is not None or self._decompressor is not None:
            await super()._receive_frame()
            return
        handled = 0
        self._hold()
        try:
            while handled < _BURST and (message := self._next_message()) is not None:
                handled += 1
                waits = self._handle_message(*message)
                if waits is not None:
                    self._release()
                    await waits
                    self._hold()
        finally:
            self._release()
        if not handled:
            await super()._receive_frame()

    def _abort(self) -> None:
        """End the connection at once, behind the answers to what came before."""
        self._release()
        super()._abort()

    def _hold(self) -> None:
        if self.gathering is not None:
            self.gathering.hold()

    def _release(self) -> None:
        if self.gathering is not None:
            self.gathering.release()

    def _next_message(self) -> tuple[int, bytes] | None:
        """Take a message that is in the buffer as a whole; None: there is none, or another kind."""
        buffer, at = self._buffer, self._at
        if self.client_terminated or len(buffer) - at < _SHORT_HEAD:
            return None
        head, length = buffer[at], buffer[at + 1]
        if head not in {_TEXT, _BINARY} or not length & _MASKED:
            return None
        length &= ~_MASKED
        begin = at + _SHORT_HEAD
        if length >= _TWO_BYTES:
            begin = at + _LONG_HEAD
            if length == _EIGHT_BYTES or len(buffer) < begin:
                return None
            length = buffer[at + 2] << 8 | buffer[at + 3]
        end = begin + length
        if end > len(buffer) or length > self.params.max_message_size:
            return None
        self._at = end
        payload = _websocket_mask(buffer[begin - _MASK_BYTES : begin], buffer[begin:end])
        return head & 0x0F, payload


def in_bulk(
    protocol: WebSocketProtocol | None, handler: WebSocketHandler
) -> WebSocketProtocol | None:
    """Return a protocol that reads in bulk in place of tornado's, if it is the one known here.

    Args:
        protocol: what tornado would use.
        handler: takes the messages.
    """
    if type(protocol) is not WebSocketProtocol13:
        return protocol
    if not all(hasattr(protocol, name) for name in _NEEDED):
        return protocol
    return BulkProtocol(handler, protocol.mask_outgoing, protocol.params)
