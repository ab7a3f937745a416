"""Chromium without a window, and pages for it."""

import asyncio
import os
import subprocess
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from jupyter_ac.browser.debugger import Debugger
from jupyter_ac.browser.launcher import LaunchOptions
from jupyter_ac.browser.target import MakeTakers
from jupyter_ac.browser.target_rows import TargetChange

LIMIT_S: Final = 90.0
CHROMIUM: Final = os.environ.get("CHROMIUM", "/usr/bin/chromium")
HEADLESS: Final = LaunchOptions(headless=True, executable=CHROMIUM, flags=("--disable-gpu",))

Body = str | Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def pages(bodies: Mapping[str, Body]) -> Iterator[str]:
    """Serve HTML by its path; gives the address without a slash at its end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = bodies.get(self.path.partition("?")[0])
            if callable(body):
                body(self)
                return
            data = (body or "not found").encode()
            self.send_response(404 if body is None else 200)
            is_script = self.path.endswith(".js")
            self.send_header("Content-Type", "text/javascript" if is_script else "text/html")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def chromium_on_port() -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """Run Chromium that listens on a port, until the block ends."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [CHROMIUM, "--headless=new", "--remote-debugging-port=0", "--disable-gpu"]
        command += ["--no-first-run", f"--user-data-dir={profile}"]
        command += ["--no-sandbox"] if os.getuid() == 0 else []
        with subprocess.Popen([*command, "about:blank"], stderr=subprocess.PIPE) as process:
            try:
                yield _port(process), process
            finally:
                process.terminate()
                try:
                    process.communicate(timeout=LIMIT_S)
                finally:
                    process.kill()


def _port(process: "subprocess.Popen[bytes]") -> int:
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(b"DevTools listening on"):
            return int(line.rpartition(b":")[2].partition(b"/")[0])
    raise AssertionError("Chromium has ended")


class Changes:
    """What a debugger reports."""

    def __init__(self) -> None:
        self.seen: list[TargetChange] = []
        self._happened = asyncio.Event()

    def __call__(self, change: TargetChange) -> None:
        self.seen.append(change)
        self._happened.set()

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; it is looked at after each change."""
        async with asyncio.timeout(LIMIT_S):
            while not condition():
                self._happened.clear()
                await self._happened.wait()

    def of(self, target_id: str) -> list[str]:
        """What became of one target: attached, closed, crashed, …"""
        return [
            change.reason or change.kind
            for change in self.seen
            if change.target_id == target_id and change.kind in {"attached", "detached"}
        ]


@asynccontextmanager
async def debugging(
    make_takers: MakeTakers = lambda *_: (),
) -> AsyncIterator[tuple[Debugger, Changes]]:
    """Give a debugger and what it reports; it is closed at the end."""
    changes = Changes()
    debugger = Debugger(changes, make_takers)
    try:
        yield debugger, changes
    finally:
        async with asyncio.timeout(LIMIT_S):
            await debugger.aclose()


def only_page(debugger: Debugger) -> str:
    """Give the id of the only page."""
    (row,) = (row for row in debugger.targets() if row["type"] == "page")
    return row["id"]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds that nothing reports."""
    async with asyncio.timeout(LIMIT_S):
        while not condition():
            await asyncio.sleep(0.01)
