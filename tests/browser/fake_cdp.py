"""A browser that says what a test wants: scripted answers and events, over a socket or pipes."""

import asyncio
import inspect
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from jupyter_ac.browser.cdp import CdpTransport, Json
from jupyter_ac.browser.transports import open_pipes
from jupyter_ac.errors import NotConnected

LIMIT_S: Final = 90.0
PATH: Final = "/devtools/browser/0a-1b"

Answer = Callable[[Json], object]
"""Gets a command's parameters; gives its result, or raises `Refused`."""


class Refused(Exception):
    """The command is answered by an error."""

    def __init__(self, message: str, code: int = -32000) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class Silence(Exception):
    """The command is never answered."""


class FakeBrowser:
    """The other end of a connection.

    Attributes:
        answers: by the command's name, or `SESSION:name`; others get an empty result.
        calls: the commands that came, as (session, method).
        targets: what discovery reports.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {
            "Browser.getVersion": lambda _: {"product": "Fake/1", "userAgent": "Fake"},
            "Target.setDiscoverTargets": self._discover,
            "Target.attachToTarget": lambda params: {"sessionId": f"s-{params['targetId']}"},
        }
        self.calls: list[tuple[str, str]] = []
        self.targets: list[Json] = []
        self.version: object = None
        self._send: Callable[[str], None] = lambda _: None
        self._arrived = asyncio.Event()
        self._hang_up: Callable[[], None] = lambda: None
        self._waiting: set[asyncio.Task[None]] = set()

    def emit(self, method: str, params: object = None, session: str = "") -> None:
        """Send an event."""
        message = {"method": method, "params": {} if params is None else params}
        self.send_raw(json.dumps(message | ({"sessionId": session} if session else {})))

    def send_raw(self, text: str) -> None:
        """Send anything."""
        self._send(text)

    def replay(self, frames: list[Json]) -> None:
        """Send recorded frames, in order."""
        for frame in frames:
            self.send_raw(json.dumps(frame))

    def hang_up(self) -> None:
        """End the connection, as a killed browser does."""
        self._hang_up()

    def page(self, target_id: str, **further: object) -> Json:
        """Make the information on a page."""
        return {"targetId": target_id, "type": "page", "title": "", "url": "about:blank", **further}

    async def wait_for_call(self, method: str, times: int = 1) -> None:
        """Wait until a command has come that often."""
        async with asyncio.timeout(LIMIT_S):
            while sum(name == method for _, name in self.calls) < times:
                self._arrived.clear()
                await self._arrived.wait()

    def connected(self, send: Callable[[str], None], hang_up: Callable[[], None]) -> None:
        """Take the ways out of a new connection."""
        self._send, self._hang_up = send, hang_up

    def take(self, text: str | bytes) -> None:
        """Answer a command."""
        message = json.loads(text)
        session, method = message.get("sessionId", ""), message["method"]
        self.calls.append((session, method))
        self._arrived.set()
        answer = self.answers.get(f"{session}:{method}") or self.answers.get(method)
        reply: Json = {"id": message["id"]} | ({"sessionId": session} if session else {})
        try:
            result = answer(message.get("params", {})) if answer else {}
        except Silence:
            return
        except Refused as refused:
            reply["error"] = {"code": refused.code, "message": refused.message}
            result = None
        if inspect.isawaitable(result):
            task = asyncio.ensure_future(self._reply_later(reply, result))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
            return
        self._reply(reply, result)

    async def _reply_later(self, reply: Json, result: object) -> None:
        assert inspect.isawaitable(result)
        self._reply(reply, await result)

    def _reply(self, reply: Json, result: object) -> None:
        if result is not None:
            reply["result"] = result
        self.send_raw(json.dumps(reply))

    def _discover(self, _params: Json) -> object:
        for info in self.targets:
            self.emit("Target.targetCreated", {"targetInfo": info})
        return {}


@asynccontextmanager
async def over_socket(browser: FakeBrowser) -> AsyncIterator[int]:
    """Serve a fake browser on a port, with `/json/version`; gives the port."""

    async def talk(socket: ServerConnection) -> None:
        loop = asyncio.get_running_loop()
        sending: asyncio.Queue[str] = asyncio.Queue()

        async def pump() -> None:
            while True:
                await socket.send(await sending.get())

        pumping = loop.create_task(pump())
        browser.connected(sending.put_nowait, socket.transport.abort)
        try:
            with suppress(ConnectionClosed):
                async for message in socket:
                    browser.take(message)
        finally:
            pumping.cancel()
            await asyncio.wait([pumping])

    def answer_http(connection: ServerConnection, request: Request) -> Response | None:
        if request.path != "/json/version":
            return None
        version = browser.version
        if version is None:
            port = connection.local_address[1]
            url = f"ws://127.0.0.1:{port}{PATH}"
            version = {"Browser": "Fake/1", "User-Agent": "Fake", "webSocketDebuggerUrl": url}
        body = json.dumps(version).encode()
        headers = Headers([("Content-Length", str(len(body)))])
        return Response(HTTPStatus.OK, "OK", headers, body)

    server: Server
    async with serve(
        talk, "127.0.0.1", 0, process_request=answer_http, max_size=None, close_timeout=1
    ) as server:
        yield next(iter(server.sockets)).getsockname()[1]


@asynccontextmanager
async def over_pipes(browser: FakeBrowser) -> AsyncIterator[CdpTransport]:
    """Serve a fake browser over two pipes; gives the near end."""
    near_read, far_write = os.pipe()
    far_read, near_write = os.pipe()
    near = await open_pipes(near_read, near_write)
    far = await open_pipes(far_read, far_write)
    outgoing: asyncio.Queue[str] = asyncio.Queue()

    async def read() -> None:
        with suppress(NotConnected):
            while True:
                browser.take(await far.receive())

    async def write() -> None:
        with suppress(NotConnected):
            while True:
                await far.send(await outgoing.get())

    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(read()), loop.create_task(write())]

    def hang_up() -> None:
        far._writer.transport.abort()
        far._incoming.close()

    browser.connected(outgoing.put_nowait, hang_up)
    try:
        yield near
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await near.aclose()
        await far.aclose()
