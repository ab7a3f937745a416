"""The asyncio driver of a connection: one transport, one method table, calls in both directions.

Owns the tasks of running methods and the timers of outgoing calls. At most `IN_FLIGHT_LIMIT`
methods run at once; further calls are queued in order while answers are still read, so that methods
may call back; when `BACKLOG_LIMIT` calls are queued, reading stops (back-pressure). If the ages of
calls are tracked (`overload`), calls that arrive while answers are late are refused, and reading
continues.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from jupyter_ac.errors import ConnectionClosed, TimedOut, TooLarge
from jupyter_ac.rpc.codec import LARGE_BYTES, Encoded, encode, least_bytes, utf8_bytes
from jupyter_ac.rpc.connection import (
    MAX_FRAME_BYTES,
    Call,
    Connection,
    Envelope,
    encode_answer,
)
from jupyter_ac.rpc.context import CALLER, Caller, Remote
from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.dispatch import Authorize, Dispatch
from jupyter_ac.rpc.eager import Starter
from jupyter_ac.rpc.messages import error_object
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.overload import LATE_S, CallAges
from jupyter_ac.rpc.pending_calls import PendingCalls
from jupyter_ac.rpc.transport import EndOfInput, FastTransport, Transport

_logger = logging.getLogger(__name__)

IN_FLIGHT_LIMIT: Final = 256
BACKLOG_LIMIT: Final = 1024

_BURST: Final = 32
"""Frames handled in a row before other tasks can run."""

_BURST_S: Final = 0.01
"""Time limit for them, checked before the last one."""

_GRACE_S: Final = 5.0
"""Time for a cancelled method to end."""

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
        authorize: called before each method; None allows everything.
        timeout_s: default for calls, and for the handshake.

    Attributes:
        ages: of the running calls; if None (the default; set it before `run`), no call is refused
            as busy.
        last_call_s: when the other side last called a method, by the monotonic clock; 0 before.
    """

    def __init__(
        self,
        transport: Transport,
        methods: Mapping[str, Method],
        *,
        profile: WireDialect = JRPC_OO,
        remote: Remote = _LOCAL,
        authorize: Authorize | None = None,
        timeout_s: float = 60.0,
    ) -> None:
        self.remote = remote
        self.ages: CallAges | None = None
        self.last_call_s = 0.0
        self._transport = transport
        self._fast = transport if isinstance(transport, FastTransport) else None
        self._timeout_s = timeout_s
        self._caller = Caller(remote.identity, remote.client, self, remote.aside)
        self._methods = methods
        self._connection = Connection(profile, _listed(methods))
        self._dispatch = Dispatch(methods, self._caller, profile, authorize)
        self._pending = PendingCalls()
        self._tasks: set[asyncio.Task[None]] = set()
        self._starter = Starter()
        self._backlog: deque[Call] = deque()
        self._has_room = asyncio.Event()
        self._handshake = asyncio.Event()
        self._is_open = False
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

    async def run(self, rest: Callable[[], Awaitable[None]] | None = None) -> None:
        """Serve until the connection ends; call it once.

        At the end all open calls fail with `ConnectionClosed`, and running methods are cancelled.

        Args:
            rest: waits for data still to be sent after the other side's last frame and the answers
                to its calls; cancelled after a time limit.
        """
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
            raise self._ended
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

    def notify(self, method: str, *args: object, newest_key: str | None = None) -> None:
        """Send a notification to the other side; does nothing after the end.

        Args:
            method: its full name.
            args: its positional arguments.
            newest_key: an earlier queued notification with the same key is replaced by this one.

        Raises:
            SerialisationError: the arguments are not JSON.
            TooLarge: they are longer than a frame may be.
        """
        if self._ended is not None:
            return
        self._open()
        frame = _bounded(method, encode(self._connection.notify(method, args)))
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
            raise self._ended
        return self._connection.remote_methods

    def announce(self) -> None:
        """Send the list of our methods again, after the method table has grown."""
        self._connection.offer(_listed(self._methods))
        if self._is_open and self._ended is None:
            self._send_first()

    async def allows(self, access: Access) -> bool:
        """Return whether the other side has an access right; some inputs of methods need one."""
        return await self._dispatch.allows(access)

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
            if self._is_full():
                await self._wait_for_room()
                self._accept_pushes()
            handled += 1
            if not handled % _BURST or loop.time() - began > _BURST_S:
                await asyncio.sleep(0)
                began = loop.time()

    async def _answer_rest(self, rest: Callable[[], Awaitable[None]] | None) -> None:
        """Let running and queued calls complete, within `_REST_S`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_REST_S):
                while self._tasks and self._ended is None:
                    await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
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
        if self._fast is not None and len(self._backlog) >= BACKLOG_LIMIT:
            self._fast.push_to(None)
        return moves

    def _take(self, frame: str | bytes) -> bool:
        """Handle a frame; returns whether it made work for the event loop."""
        running = len(self._tasks)
        received = self._connection.receive(frame)
        for reply in received.replies:
            self._send_answer(reply)
        for call_id, answer in received.answers:
            self._pending.settle(call_id, answer)
        for call in received.calls:
            self._admit(call)
        if self._connection.is_handshaken:
            self._handshake.set()
        return bool(received.answers) or len(self._tasks) > running

    def _admit(self, call: Call) -> None:
        """Start a call, queue it, or refuse it."""
        self.last_call_s = time.monotonic()
        if (ages := self.ages) is not None:
            if ages.is_overloaded() and not self._is_urgent(call):
                self._answer(call, error_object(ages.refuse(), standard=False))
                return
            call.age = ages.begin()
        is_crowded = self._backlog or len(self._tasks) >= IN_FLIGHT_LIMIT
        if is_crowded and not self._is_urgent(call):
            self._backlog.append(call)
        else:
            self._start(call)

    def _is_urgent(self, call: Call) -> bool:
        method = self._methods.get(call.method)
        return method is not None and method.is_urgent

    def _is_full(self) -> bool:
        """Whether reading must stop: the queue is full and calls are not being refused."""
        is_refusing = self.ages is not None and self.ages.is_overloaded()
        return len(self._backlog) >= BACKLOG_LIMIT and not is_refusing

    def _start(self, call: Call) -> None:
        waits = self._dispatch.start(call, self._answer)
        if waits is None:
            return
        try:
            task = self._starter.start(waits)
        except Exception:
            _logger.exception("answering %s failed", call.method)
            return
        if task is not None:
            task.set_name(call.method)
            self._tasks.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _logger.error("answering %s failed", task.get_name(), exc_info=error)
        while self._backlog and len(self._tasks) < IN_FLIGHT_LIMIT and self._ended is None:
            self._start(self._backlog.popleft())
        self._has_room.set()

    async def _wait_for_room(self) -> None:
        try:
            async with asyncio.timeout(self._timeout_s if self.ages is None else LATE_S):
                while self._is_full():
                    self._has_room.clear()
                    await self._has_room.wait()
        except TimeoutError:
            if self.ages is None:
                await self.close(_OVERLOADED, _TOO_MANY)

    def _answer(self, call: Call, outcome: object) -> None:
        if call.age is not None and self.ages is not None:
            self.ages.end(call.age)
        if self._ended is not None:
            return
        envelope = self._connection.answer(call, outcome)
        if envelope is None:
            return
        if self._fast is not None:
            size_bytes, is_all = least_bytes(outcome if call.batch is None else envelope)
            if size_bytes > LARGE_BYTES or not is_all:
                spell = partial(encode_answer, envelope, in_pieces=True)
                is_shared = isinstance(outcome, Encoded)
                held_bytes = _SHARED_BYTES if is_shared else size_bytes
                self._fast.send_encoding(spell, held_bytes, at_once=not is_shared)
                return
        self._send_answer(envelope)

    def _send_answer(self, envelope: Envelope) -> None:
        self._transport.send(encode_answer(envelope))

    def _fail_calls(self, ended: ConnectionClosed) -> None:
        if self._ended is None:
            self._ended = ended
        self._handshake.set()
        self._pending.fail(ended)
        self._backlog.clear()

    async def _end(self, ended: ConnectionClosed) -> None:
        self._fail_calls(ended)
        if self.ages is not None:
            self.ages.close()
            self.ages = None
        running = list(self._tasks)
        for task in running:
            task.cancel()
        await self._starter.close()
        await self._transport.close(ended.close_code, ended.message)
        if running:
            _, stuck = await asyncio.wait(running, timeout=_GRACE_S)
            for task in stuck:
                _logger.error("%s does not end after its connection", task.get_name())


def _listed(methods: Iterable[str]) -> list[str]:
    """Leave out private names; calls to them are refused as well."""
    return [name for name in methods if not name.rpartition(".")[2].startswith("_")]


def _bounded(method: str, frame: str) -> str:
    if len(frame) * 4 > MAX_FRAME_BYTES and utf8_bytes(frame) > MAX_FRAME_BYTES:
        raise TooLarge(f"{method}: a message may have at most {MAX_FRAME_BYTES >> 20} MiB.")
    return frame
