"""A page as seen from the server: a WebSocket client that speaks jrpc-oo by hand.

It shares no code with the product, so what it understands is what is on the wire.
"""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

from tornado.httpclient import HTTPRequest
from tornado.websocket import (
    WebSocketClientConnection,
    WebSocketClosedError,
    websocket_connect,
)

WAIT_S = 90.0
EVENTS = (
    "startupProgress",
    "streamChunk",
    "streamComplete",
    "userMessage",
    "sessionChanged",
    "filesChanged",
    "compactionEvent",
)


class CallFailedError(Exception):
    """The error object of an answer."""

    def __init__(self, error: dict[str, object]) -> None:
        super().__init__(str(error.get("message")))
        self.code = error.get("code")
        data = error.get("data")
        self.kind = data.get("type") if isinstance(data, dict) else None


class Page:
    """One connection; answers every event with true, as the front end does."""

    def __init__(self, socket: WebSocketClientConnection, events: tuple[str, ...] = EVENTS) -> None:
        self.socket = socket
        self.events: list[tuple[str, list[object]]] = []
        self.methods: set[str] = set()
        self._listed = {f"AcApp.{event}": True for event in events}
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[object]] = {}
        self._changed = asyncio.Event()
        self._taken = 0
        self._closed = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    @property
    def close_code(self) -> int | None:
        return self.socket.close_code

    async def call(self, method: str, *args: object, wait_s: float = WAIT_S) -> object:
        """Call a method.

        Raises:
            CallFailedError: the answer is an error.
            ConnectionError: the connection has ended, before or after the call was sent.
        """
        call_id = next(self._ids)
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._answers[call_id] = future
        try:
            self._send({"method": method, "params": {"args": args}, "id": call_id})
        except WebSocketClosedError as error:
            raise ConnectionError("the connection is closed") from error
        async with asyncio.timeout(wait_s):
            return await future

    async def state(self) -> dict[str, object]:
        found = await self.call("LLMService.get_current_state")
        assert isinstance(found, dict)
        return found

    async def event(self, name: str, wait_s: float = WAIT_S) -> list[object]:
        """Wait for the next event of a name; events before it are passed over."""
        async with asyncio.timeout(wait_s):
            while True:
                for at in range(self._taken, len(self.events)):
                    if self.events[at][0] == name:
                        self._taken = at + 1
                        return self.events[at][1]
                self._changed.clear()
                await self._changed.wait()

    async def ready(self) -> None:
        """Wait until the workspace has started."""
        while (await self.event("startupProgress"))[0] != "ready":
            pass

    async def closed(self) -> tuple[int | None, str | None]:
        """Wait for the end; return its code and reason."""
        async with asyncio.timeout(WAIT_S):
            await self._closed.wait()
        return self.socket.close_code, self.socket.close_reason

    async def leave(self) -> None:
        self.socket.close()
        async with asyncio.timeout(WAIT_S):
            await self._reader

    def named(self, name: str) -> Iterator[list[object]]:
        return (args for event, args in self.events if event == name)

    def _send(self, message: dict[str, object]) -> None:
        self.socket.write_message(json.dumps({"jsonrpc": "2.0", **message}))

    async def _read(self) -> None:
        with suppress(WebSocketClosedError):
            self._send({"method": "system.listComponents", "params": [], "id": next(self._ids)})
            while (frame := await self.socket.read_message()) is not None:
                received = json.loads(frame)
                for message in received if isinstance(received, list) else [received]:
                    self._take(message)
        self._closed.set()
        for future in self._answers.values():
            if not future.done():
                future.set_exception(ConnectionError(f"closed: {self.socket.close_code}"))

    def _take(self, message: dict[str, object]) -> None:
        if "method" not in message:
            self._settle(message)
        elif message["method"] == "system.listComponents":
            self._send({"id": message["id"], "result": self._listed})
        else:
            params = message.get("params")
            assert isinstance(params, dict)
            self.events.append((str(message["method"]).removeprefix("AcApp."), params["args"]))
            self._changed.set()
            if "id" in message:
                self._send({"id": message["id"], "result": True})

    def _settle(self, message: dict[str, object]) -> None:
        call_id = message["id"]
        assert isinstance(call_id, int)
        future = self._answers.pop(call_id, None)
        if future is None:  # the list of the server's methods
            result = message["result"]
            assert isinstance(result, dict)
            self.methods = set(result)
        elif "error" in message:
            error = message["error"]
            assert isinstance(error, dict)
            future.set_exception(CallFailedError(error))
        else:
            future.set_result(message.get("result"))


@asynccontextmanager
async def ready_page(address: str, events: tuple[str, ...] = EVENTS) -> AsyncIterator[Page]:
    """Connect a page to a server, wait until it is ready, and leave at the end."""
    page = Page(await websocket_connect(HTTPRequest(address)), events)
    try:
        await page.ready()
        yield page
    finally:
        await page.leave()
