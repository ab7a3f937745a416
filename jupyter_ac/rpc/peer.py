"""The asyncio driver of a connection: one transport, one method table, calls in both directions.

Owns the calls of the other side (`incoming_calls`) and the timers of its own. When as many calls
are queued as may be, reading stops (back-pressure). A connection may also be one exchange: one
frame, as the body of a POST, whose calls are answered before the connection ends.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, cast

from jupyter_ac.errors import ConnectionClosed, TimedOut, TooLarge
from jupyter_ac.rpc.codec import LARGE_BYTES, Encoded, encode, least_bytes, utf8_bytes
from jupyter_ac.rpc.connection import (
    MAX_FRAME_BYTES,
    Call,
    Connection,
    Envelope,
    Received,
    encode_answer,
)
from jupyter_ac.rpc.context import CALLER, Remote
from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards, Dispatch
from jupyter_ac.rpc.incoming_calls import IncomingCalls, wait_for_stuck
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.pending_calls import PendingCalls
from jupyter_ac.rpc.transport import EndOfInput, FastTransport, Transport

_logger = logging.getLogger(__name__)

_BURST: Final = 32
"""Frames handled in a row before other tasks can run."""

_BURST_S: Final = 0.01
"""Time limit for them, checked before the last one."""

_REST_S: Final = 60.0
"""Time for answering all calls after the other side's last frame, while it still reads."""

_SHARED_BYTES: Final = 64 * 1024
"""Assumed size of a queued answer whose pieces are shared with other answers."""

_OVERLOADED: Final = 1013
_TOO_MANY: Final = "too many calls are waiting; reconnect and send fewer"
_LOCAL: Final = Remote()


class Peer:
    """One end of a connection.

    Args:
        transport: owned by the peer: closed when `run` ends.
        methods: methods for the other side.
        profile: the dialect.
        remote: identity of the other side.
        timeout_s: default for calls, and for the handshake.
        guards: what is checked and recorded of each call.

    Attributes:
        calls: those of the other side.
        queued_bytes: returns how many wait for it to read; 0 where the transport doesn't count.
    """

    def __init__(
        self,
        transport: Transport,
        methods: Mapping[str, Method],
        *,
        profile: WireDialect = JRPC_OO,
        remote: Remote = _LOCAL,
        timeout_s: float = 60.0,
        guards: CallGuards = NO_GUARDS,
    ) -> None:
        self.remote = remote
        self._transport = transport
        self.queued_bytes: Callable[[], int] = partial(getattr, transport, "queued_bytes", 0)
        # `isinstance` of a protocol takes 30 µs.
        is_fast = hasattr(transport, "send_encoding")
        self._fast = cast("FastTransport", transport) if is_fast else None
        self._timeout_s = timeout_s
        self._caller = remote.caller(self)
        self._methods = methods
        self._connection = Connection(profile, partial(_listed, methods), guards.epoch)
        self._dispatch = Dispatch(methods, self._caller, profile, guards)
        self._metrics = guards.metrics
        self.calls = IncomingCalls(methods, self._dispatch, self._answer)
        self._pending = PendingCalls()
        self._handshake = asyncio.Event()
        self._is_open = False
        self._sends_calls = self._sends_events = True
        self._heard_last: EndOfInput | None = None
        self._ended: ConnectionClosed | None = None

    @property
    def closed(self) -> bool:
        """Whether the connection has ended; this is final."""
        return self._ended is not None

    @property
    def remote_methods(self) -> frozenset[str]:
        """The names that the other side listed last; empty before the handshake."""
        return self._connection.remote_methods

    @property
    def ended(self) -> ConnectionClosed | None:
        """The reason for the end; None while the connection is open."""
        return self._ended

    async def run(
        self,
        rest: Callable[[], Awaitable[None]] | None = None,
        *,
        is_exchange: bool = False,
        takes_events: bool = True,
    ) -> None:
        """Serve until the connection ends; call it once.

        At the end all open calls fail with `ConnectionClosed`, and running methods are cancelled.

        Args:
            rest: waits for data still to be sent after the other side's last frame and the answers
                to its calls; cancelled after a time limit.
            is_exchange: the transport carries one frame of the other side: no methods are
                announced, its calls and `rest` may take as long as they need, and the other side
                can't be called.
            takes_events: whether the other side of an exchange reads notifications.
        """
        if is_exchange:
            await self._run_exchange(rest, takes_events=takes_events)
            return
        token = CALLER.set(self._caller)
        ended = ConnectionClosed()
        try:
            self._open()
            await self._read()
        except EndOfInput as closed:
            ended = self._heard_last = closed
            self._pending.fail(closed)
            await self._answer_rest(rest)
        except ConnectionClosed as closed:
            ended = closed
        finally:
            CALLER.reset(token)
            await self._end(ended)

    async def _run_exchange(
        self, rest: Callable[[], Awaitable[None]] | None, *, takes_events: bool
    ) -> None:
        self._sends_calls, self._sends_events = False, takes_events
        self._connection.is_handshaken = True
        self._handshake.set()
        self._is_open = True
        token = CALLER.set(self._caller)
        try:
            await self.calls.run(self._hear(await self._transport.receive()).calls)
            if rest is not None:
                await rest()
        finally:
            CALLER.reset(token)
            await self._end(ConnectionClosed())

    async def call(self, method: str, *args: object, timeout_s: float | None = None) -> object:
        """Call a method of the other side and wait for its result; None if it returned nothing.

        Cancelling the wait drops the call; the other side is not notified.

        Raises:
            RemoteError: the other side answered with an error.
            TimedOut: no answer in time.
            ConnectionClosed: the connection is closed, or was closed before the answer.
            SerialisationError: the arguments are not JSON.
            TooLarge: they are longer than a frame may be.
        """
        if self._ended is not None:
            raise _again(self._ended)
        if not self._sends_calls:
            raise ConnectionClosed("the other side takes no calls: it has sent a single request")
        self._open()
        call_id, envelope = self._connection.call(method, args)
        limit_s = self._timeout_s if timeout_s is None else timeout_s
        try:
            with self._pending.wait_for(call_id, method, limit_s) as future:
                self._transport.send(_bounded(method, encode(envelope)))
                if self._heard_last is not None:  # the other side reads, but can no longer answer
                    raise ConnectionClosed(self._heard_last.message, self._heard_last.close_code)
                return await future
        finally:
            self._connection.forget(call_id)

    def notify(
        self,
        method: str,
        *args: object,
        named: dict[str, object] | None = None,
        newest_key: str | None = None,
    ) -> None:
        """Send a notification to the other side; does nothing after the end.

        Args:
            method: its full name.
            args: its positional arguments.
            named: named arguments in their place.
            newest_key: an earlier queued notification with the same key is replaced by this one.

        Raises:
            SerialisationError: the arguments are not JSON.
            TooLarge: they are longer than a frame may be.
        """
        if self._ended is not None or not self._sends_events:
            return
        self._open()
        frame = _bounded(method, encode(self._connection.notify(method, args, named)))
        self._count_sent(frame)
        self._transport.send(frame, newest_key=newest_key)

    async def handshaken(self) -> frozenset[str]:
        """Wait for the other side's list of methods; returns at once if the dialect has none.

        Raises:
            TimedOut: no list within the peer's timeout.
            ConnectionClosed: the connection ended first.
        """
        if not self._connection.is_handshaken and self._ended is None:
            self._open()
            try:
                async with asyncio.timeout(self._timeout_s):
                    await self._handshake.wait()
            except TimeoutError as error:
                raise TimedOut(
                    f"the other side did not list its methods within {self._timeout_s:g} s"
                ) from error
        if self._ended is not None:
            raise _again(self._ended)
        return self._connection.remote_methods

    def announce(self) -> None:
        """Send the list of our methods again, after the method table has grown."""
        if self._is_open and self._ended is None:
            self._send_first()

    async def allows(self, access: Access) -> bool:
        """Return whether the other side has an access right; some inputs of methods need one."""
        return self._ended is None and await self._dispatch.allows(access)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection; open calls fail at once, `run` returns soon after."""
        self._fail_calls(ConnectionClosed(reason or "the connection is closed", code))
        await self._transport.close(code, reason)

    def _open(self) -> None:
        if self._is_open:
            return
        self._is_open = True
        self._send_first()

    def _send_first(self) -> None:
        first = self._connection.open()
        if first is not None:
            self._transport.send(encode(first))

    async def _read(self) -> None:
        handled = 0
        loop = asyncio.get_running_loop()
        began = loop.time()
        self._accept_pushes()
        while True:
            self._take(await self._transport.receive())
            if self.calls.is_full:
                if not await self.calls.wait_for_room(self._timeout_s):
                    await self.close(_OVERLOADED, _TOO_MANY)
                self._accept_pushes()
            handled += 1
            if not handled % _BURST or loop.time() - began > _BURST_S:
                await asyncio.sleep(0)
                began = loop.time()

    async def _answer_rest(self, rest: Callable[[], Awaitable[None]] | None) -> None:
        """Let running and queued calls complete, within `_REST_S`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_REST_S):
                await self.calls.wait_for_end()
                if rest is not None:
                    await rest()

    def _accept_pushes(self) -> None:
        if self._fast is not None:
            self._fast.push_to(self._take_pushed)

    def _take_pushed(self, frame: str | bytes) -> bool:
        token = CALLER.set(self._caller)
        try:
            moves = self._take(frame)
        finally:
            CALLER.reset(token)
        if self._fast is not None and self.calls.is_crowded:
            self._fast.push_to(None)
        return moves

    def _take(self, frame: str | bytes) -> bool:
        """Handle a frame; returns whether it made work for the event loop."""
        running = len(self.calls)
        received = self._hear(frame)
        for call in received.calls:
            self.calls.admit(call)
        return bool(received.answers) or len(self.calls) > running

    def _hear(self, frame: str | bytes) -> Received:
        """Handle a frame but for its calls."""
        if self._metrics is not None:
            self._metrics.count_bytes("in", len(frame))
        received = self._connection.receive(frame)
        for kind in received.faults:
            self._dispatch.note_fault(kind)
        for reply in received.replies:
            self._send_answer(reply)
        for call_id, answer in received.answers:
            self._pending.settle(call_id, answer)
        if self._connection.is_handshaken:
            self._handshake.set()
        return received

    def _answer(self, call: Call, outcome: object) -> None:
        if self._ended is not None:
            return
        envelope = self._connection.answer(call, outcome)
        if envelope is None:
            return
        if self._fast is not None:
            size_bytes, is_all = least_bytes(outcome if call.batch is None else envelope)
            if size_bytes > LARGE_BYTES or not is_all:
                spell = partial(self._spell, envelope)
                is_shared = isinstance(outcome, Encoded)
                held_bytes = _SHARED_BYTES if is_shared else size_bytes
                self._fast.send_encoding(spell, held_bytes, at_once=not is_shared)
                return
        self._send_answer(envelope)

    def _spell(self, envelope: Envelope) -> str:
        """Serialize a large answer, in a worker thread."""
        frame = encode_answer(envelope, in_pieces=True)
        self._count_sent(frame)
        return frame

    def _send_answer(self, envelope: Envelope) -> None:
        frame = encode_answer(envelope)
        self._count_sent(frame)
        self._transport.send(frame)

    def _count_sent(self, frame: str) -> None:
        if self._metrics is not None:
            self._metrics.count_bytes("out", utf8_bytes(frame))

    def _fail_calls(self, ended: ConnectionClosed) -> None:
        if self._ended is None:
            self._ended = ended
        self._handshake.set()
        self._pending.fail(ended)
        self.calls.stop()

    async def _end(self, ended: ConnectionClosed) -> None:
        self._fail_calls(ended)
        running = await self.calls.cancel_all()
        await self._transport.close(ended.close_code, ended.message)
        await wait_for_stuck(running)
        self._let_go(ended)

    def _let_go(self, ended: ConnectionClosed) -> None:
        """Break the circles of references: the garbage collector would stop the loop for long."""
        ended.with_traceback(None)  # its frames hold the connection
        if self._fast is not None:
            self._fast.push_to(None)
        self.calls.detach()
        del self._dispatch, self._caller


def _again(ended: ConnectionClosed) -> ConnectionClosed:
    """Return an error to raise: one that is raised twice collects the frames of both callers."""
    return ConnectionClosed(ended.message, ended.close_code)


def _listed(methods: Iterable[str]) -> list[str]:
    """Leave out private names; calls to them are refused as well."""
    return [name for name in methods if not name.rpartition(".")[2].startswith("_")]


def _bounded(method: str, frame: str) -> str:
    if len(frame) * 4 > MAX_FRAME_BYTES and utf8_bytes(frame) > MAX_FRAME_BYTES:
        raise TooLarge(f"{method}: a message may have at most {MAX_FRAME_BYTES >> 20} MiB.")
    return frame
