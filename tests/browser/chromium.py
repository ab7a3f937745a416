"""A headless Chromium for tests, and a server of pages that a test makes up."""

import asyncio
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, cast

import pytest

from jupyter_ac.browser.cdp import CdpConnection, CdpSession, Json
from jupyter_ac.browser.transports import open_socket

CHROMIUM: Final = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WITHIN_S: Final = 60.0
"""Only what never comes fails a test; a busy machine doesn't."""

FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--site-per-process",
    "--remote-debugging-port=0",
    "--window-size=900,700",
)

needs_chromium = pytest.mark.programs
"""Without a Chromium a test fails: `make test` provides one."""


@dataclass(frozen=True)
class Answer:
    """What the server sends for a path."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class PageServer:
    """Serves what a test has put under a path, to any method, and lists what came."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """An address; `localhost` is another site than 127.0.0.1."""
        return f"http://{host}:{self.port}{path}"

    def put(self, path: str, body: str | bytes, status: int = 200, **headers: str) -> str:
        """Serve a page, and return its address."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = Answer(body, status, {"Content-Type": "text/html"} | names)
        return self.url(path)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                sent = self.rfile.read(length).decode("utf-8", "replace")
                server.requests.append(f"{self.command} {self.path} {sent}".rstrip())
                answer = server.answers.get(self.path.partition("?")[0], Answer(status=404))
                body = answer.body.encode() if isinstance(answer.body, str) else answer.body
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        for method in ("GET", "POST", "OPTIONS", "PUT"):
            setattr(Handler, f"do_{method}", Handler.answer)
        return Handler


@contextmanager
def running_chromium() -> Iterator[str]:
    """Run a browser with a profile of its own.

    Yields:
        The address of its WebSocket.
    """
    profile = Path(tempfile.mkdtemp(prefix="ac-chromium-"))
    process = subprocess.Popen(
        [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield _address(profile / "DevToolsActivePort", process)
    finally:
        process.terminate()
        try:
            process.wait(WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(WITHIN_S)
        shutil.rmtree(profile, ignore_errors=True)


def _address(file: Path, process: "subprocess.Popen[bytes]") -> str:
    deadline = time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        lines = file.read_text(encoding="utf-8").split() if file.exists() else []
        if len(lines) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        assert process.poll() is None, "Chromium has ended"
        time.sleep(0.05)
    raise AssertionError("Chromium didn't start")


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """The address of a browser that all tests of this process share."""
    with running_chromium() as address:
        yield address


@pytest.fixture
def server() -> Iterator[PageServer]:
    running = PageServer()
    yield running
    running.close()


Taker = Callable[[str, Json, CdpSession], None]
"""Is told the events of a page: name, parameters, session that it came from."""


class Page:
    """A page of a browser context of its own, with the sessions of its frames of other sites."""

    def __init__(self, connection: CdpConnection, session: CdpSession, target_id: str) -> None:
        self.connection = connection
        self.session = session
        self.target_id = target_id
        self.children: list[CdpSession] = []
        self.takers: list[Taker] = []
        self.events: list[tuple[str, Json]] = []
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[Json]] = set()
        session.listen(self._listener(session))

    async def start(self) -> None:
        await asyncio.gather(
            *(self.session.call(f"{name}.enable", timeout_s=WITHIN_S) for name in DOMAINS)
        )
        await self._attach_children(self.session)

    async def open(self, url: str) -> None:
        """Navigate, and wait until the page is loaded."""
        answer = await self.session.call("Page.navigate", {"url": url}, timeout_s=WITHIN_S)
        assert "errorText" not in answer, answer
        await self.until(
            lambda: any(
                name == "Page.lifecycleEvent"
                and params.get("name") == "load"
                and params.get("loaderId") == answer.get("loaderId")
                for name, params in self.events
            )
        )

    async def js(self, code: str, session: CdpSession | None = None) -> object:
        """Evaluate an expression, and wait for it if it is a promise."""
        answer = await (session or self.session).call(
            "Runtime.evaluate",
            {"expression": code, "returnByValue": True, "awaitPromise": True},
            timeout_s=WITHIN_S,
        )
        assert "exceptionDetails" not in answer, answer
        return cast("Json", answer["result"]).get("value")

    async def backend_node(self, code: str, session: CdpSession | None = None) -> int:
        """The backend id of the element that an expression gives."""
        session = session or self.session
        found = await session.call("Runtime.evaluate", {"expression": code})
        result = cast("Json", found["result"])
        node = await session.call("DOM.describeNode", {"objectId": result["objectId"]})
        return cast("int", cast("Json", node["node"])["backendNodeId"])

    async def click(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.session.call(
                "Input.dispatchMouseEvent",
                {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1},
                timeout_s=WITHIN_S,
            )

    async def until(self, condition: Callable[[], object], within_s: float = WITHIN_S) -> None:
        """Wait until a condition holds; it is looked at after each event, and now and then."""
        async with asyncio.timeout(within_s):
            while not condition():
                self._news.clear()
                waiting = asyncio.create_task(self._news.wait())
                await asyncio.wait([waiting], timeout=0.02)
                waiting.cancel()

    async def _attach_children(self, session: CdpSession) -> None:
        await session.call(
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True},
            timeout_s=WITHIN_S,
        )

    def _listener(self, session: CdpSession) -> Callable[[str, Json], None]:
        def take(method: str, params: Json) -> None:
            self.events.append((method, params))
            if method == "Target.attachedToTarget":
                self._add_child(params)
            for taker in self.takers:
                taker(method, params, session)
            self._news.set()

        return take

    def _add_child(self, params: Json) -> None:
        child = CdpSession(self.connection, str(params["sessionId"]))
        child.listen(self._listener(child))
        self.children.append(child)
        for name in DOMAINS:
            task = asyncio.create_task(child.call(f"{name}.enable", timeout_s=WITHIN_S))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[Json]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


DOMAINS: Final = ("Page", "Network", "Runtime", "Log")


@asynccontextmanager
async def open_page(address: str) -> AsyncIterator[Page]:
    """Open a page; it is closed at the end, and so is its connection."""
    connection = CdpConnection(await open_socket(address))
    connection.start()
    try:
        context = (await connection.call("Target.createBrowserContext", timeout_s=WITHIN_S))[
            "browserContextId"
        ]
        target = await connection.call(
            "Target.createTarget",
            {"url": "about:blank", "browserContextId": context},
            timeout_s=WITHIN_S,
        )
        target_id = str(target["targetId"])
        attached = await connection.call(
            "Target.attachToTarget", {"targetId": target_id, "flatten": True}, timeout_s=WITHIN_S
        )
        page = Page(connection, CdpSession(connection, str(attached["sessionId"])), target_id)
        await page.start()
        await page.session.call("Page.setLifecycleEventsEnabled", {"enabled": True})
        yield page
        if not connection.is_closed:
            await connection.call("Target.disposeBrowserContext", {"browserContextId": context})
    finally:
        await connection.aclose()
