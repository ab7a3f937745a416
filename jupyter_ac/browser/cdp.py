"""A connection to a browser over the DevTools Protocol, with flat sessions.

Commands are sent with an id and the id of a session; the answer has the same id. Events have the id
of the session that they come from, "" for the browser itself. An event goes to its session's
listener from within the reading loop, so a listener must return at once: what has to wait for an
answer is done in a task.

The protocol: https://chromedevtools.github.io/devtools-protocol/
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias, cast

import orjson

from jupyter_ac.errors import AcError, BrowserError, Busy, NotConnected, TimedOut

log = logging.getLogger(__name__)

Json: TypeAlias = dict[str, object]
Listener: TypeAlias = Callable[[str, Json], None]
"""Called with the name and the parameters of an event."""

CALL_S: Final = 10.0
MAX_PENDING: Final = 1000
BROWSER: Final = ""
"""The session of the browser itself."""


class CdpTransport(Protocol):
    """Carries messages to a browser: a WebSocket or a pair of pipes."""

    async def receive(self) -> str | bytes:
        """Wait for the next message.

        Raises:
            NotConnected: the browser has ended, or has closed the connection.
        """

    async def send(self, message: str) -> None:
        """Send a message; waits while the browser doesn't read.

        Raises:
            NotConnected: as above.
        """

    async def aclose(self) -> None:
        """Close the connection; bounded, never raises."""


class CdpConnection:
    """A connection to one browser.

    Args:
        transport: owned by the connection.
        on_close: called once when the connection has ended, whatever the reason.
    """

    def __init__(
        self, transport: CdpTransport, on_close: Callable[[], None] = lambda: None
    ) -> None:
        self._transport = transport
        self._on_close = on_close
        self._last_id = 0
        self._pending: dict[int, tuple[str, asyncio.Future[Json]]] = {}
        self._listeners: dict[str, Listener] = {}
        self._reading: asyncio.Task[None] | None = None
        self._ended: NotConnected | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the connection has ended; this is final."""
        return self._ended is not None

    def start(self) -> None:
        """Start to read; call it once."""
        self._reading = asyncio.create_task(self._read())

    def listen(self, session_id: str, listener: Listener) -> None:
        """Pass the events of a session to a listener, in the place of an earlier one."""
        self._listeners[session_id] = listener

    def forget(self, session_id: str) -> None:
        """Drop the events of a session from now on, and fail its calls with `NotConnected`.

        The browser doesn't answer what is pending when a target goes away.
        """
        self._listeners.pop(session_id, None)
        self.fail_calls(session_id, NotConnected("The page was closed or is no longer watched."))

    def fail_calls(self, session_id: str, reason: AcError) -> None:
        """Fail the calls of a session that wait for an answer; the session stays."""
        for owner, future in self._pending.values():
            if owner == session_id and not future.done():
                future.set_exception(reason)

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        session_id: str = BROWSER,
        timeout_s: float | None = None,
    ) -> Json:
        """Send a command and wait for its result.

        Args:
            method: with its domain: `Page.navigate`.
            params: its parameters; None: it has none.
            session_id: of the target; by default the browser itself.
            timeout_s: limit of the wait; None: `CALL_S`.

        Raises:
            BrowserError: the browser refused it.
            TimedOut: no answer in time.
            NotConnected: the connection has ended, or ends before the answer.
            Busy: too many commands wait for answers.
        """
        if self._ended is not None:
            raise self._ended
        if len(self._pending) >= MAX_PENDING:
            raise Busy(f"{MAX_PENDING} commands wait for the browser's answer; try again later.")
        self._last_id += 1
        call_id = self._last_id
        message: Json = {"id": call_id, "method": method, "params": params or {}}
        if session_id:
            message["sessionId"] = session_id
        limit_s = CALL_S if timeout_s is None else timeout_s
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._pending[call_id] = session_id, future
        try:
            async with asyncio.timeout(limit_s):
                await self._transport.send(json.dumps(message))
                answer = await future
        except TimeoutError as error:
            raise TimedOut(f"The browser didn't answer {method} within {limit_s:g} s.") from error
        finally:
            self._pending.pop(call_id, None)
            future.cancel()  # so that an error nobody waits for is not reported
        return _result(method, answer)

    async def aclose(self) -> None:
        """Close the connection; commands that wait fail with `NotConnected`."""
        self._end(NotConnected("The connection to the browser was closed."))
        await self._transport.aclose()
        if self._reading is not None and self._reading is not asyncio.current_task():
            self._reading.cancel()
            await asyncio.wait([self._reading])

    async def _read(self) -> None:
        try:
            while True:
                self._take(await self._transport.receive())
        except NotConnected as closed:
            self._end(closed)
        finally:
            self._end(NotConnected("The connection to the browser has ended."))
            await self._transport.aclose()

    def _take(self, message: str | bytes) -> None:
        value = _parse(message)
        if value is None:
            log.warning("the browser sent a message that is no JSON object")
            return
        call_id = value.get("id")
        if isinstance(call_id, int):
            _, future = self._pending.get(call_id, (BROWSER, None))
            if future is not None and not future.done():
                future.set_result(value)
            return
        session_id, method, params = (
            value.get("sessionId", BROWSER),
            value.get("method"),
            value.get("params"),
        )
        listener = self._listeners.get(session_id) if isinstance(session_id, str) else None
        if listener is None or not isinstance(method, str):
            return
        try:
            listener(method, params if isinstance(params, dict) else {})
        except Exception:
            log.exception("the event %s can't be handled", method)

    def _end(self, closed: NotConnected) -> None:
        if self._ended is not None:
            return
        self._ended = closed
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(closed)
        self._listeners.clear()
        self._on_close()


class CdpSession:
    """One target of a connection: a page, a frame of another origin, or a worker.

    Args:
        connection: to the browser.
        session_id: of the target; "" is the browser itself.
    """

    def __init__(self, connection: CdpConnection, session_id: str) -> None:
        self.connection = connection
        self.session_id = session_id

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        timeout_s: float | None = None,
    ) -> Json:
        """Send a command to the target; see `CdpConnection.call`."""
        return await self.connection.call(method, params, self.session_id, timeout_s)

    def listen(self, listener: Listener) -> None:
        """Pass the events of the target to a listener."""
        self.connection.listen(self.session_id, listener)


def _parse(message: str | bytes) -> Json | None:
    try:
        value = orjson.loads(message)
    except orjson.JSONDecodeError:
        # orjson refuses halves of surrogate pairs, which pages may write to their console.
        try:
            value = json.loads(message)
        except (ValueError, RecursionError):
            return None
    return cast("Json", value) if isinstance(value, dict) else None


def _result(method: str, answer: Json) -> Json:
    error = answer.get("error")
    if isinstance(error, dict):
        code, reason = error.get("code"), error.get("message")
        raise BrowserError(method, code if isinstance(code, int) else 0, str(reason))
    result = answer.get("result")
    return result if isinstance(result, dict) else {}
