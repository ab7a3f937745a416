"""A stand-alone server in this process, pages that connect, and raw requests."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening
from tests.support.pages import EVENTS, Page
from tests.support.repositories import RepositoryFolder, make_repository

OpenPage = Callable[..., Awaitable[Page]]
Serve = Callable[..., Awaitable[Address]]

STATIC = {
    "page.html": "<!doctype html><title>the page</title>",
    "page.js": "export {}",
    "page.css": "p{}",
    "ui-0a1b2c.js": "export {}",
    "diagrams-0a1b2c.html": "<!doctype html>",
}


@pytest.fixture(autouse=True)
def private_places(jp_environ: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep settings, tokens and caches in the test's own folders."""
    del jp_environ
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(tmp_path / "ac"))
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)


@pytest.fixture
def static_dir(tmp_path: Path) -> Path:
    """A built front end, small."""
    folder = tmp_path / "built"
    folder.mkdir()
    for name, text in STATIC.items():
        (folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "secret.js").write_text("secret", encoding="utf-8")
    (folder / "link.js").symlink_to(tmp_path / "secret.js")
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> RepositoryFolder:
    """A small repository."""
    return make_repository(tmp_path / "garden", {"a.py": "print(1)\n", "docs/c.md": "# C\n"})


@pytest.fixture
def serve(
    repository: RepositoryFolder, static_dir: Path, jp_asyncio_loop: asyncio.AbstractEventLoop
) -> Iterator[Serve]:
    """Start servers; all end later."""
    running = []

    async def start(*, asks_token: bool = True, model: str | None = None) -> Address:
        options = ServeOptions(repository.root, 0, asks_token=asks_token, model=model)
        server = listening(options, static_dir)
        address = await server.__aenter__()
        running.append(server)
        return address

    yield start
    for server in running:
        jp_asyncio_loop.run_until_complete(server.__aexit__(None, None, None))


@pytest.fixture
def address(serve: Serve, jp_asyncio_loop: asyncio.AbstractEventLoop) -> Address:
    """A server that asks for its token."""
    return jp_asyncio_loop.run_until_complete(serve())


@pytest.fixture
def connect(jp_asyncio_loop: asyncio.AbstractEventLoop) -> Iterator[OpenPage]:
    """Open a page at an address; all are closed later."""
    pages: list[Page] = []

    async def open_page(
        url: str, headers: dict[str, str] | None = None, events: tuple[str, ...] = EVENTS
    ) -> Page:
        request = HTTPRequest(url, headers=headers or {}, connect_timeout=30)
        page = Page(await websocket_connect(request), events)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        jp_asyncio_loop.run_until_complete(page.leave())


async def talk(
    port: int, *lines: str, body: bytes = b"", expects_body: bool = True
) -> tuple[int, dict[str, str], str]:
    """Send a request by its lines; give status, headers (in small letters) and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        async with asyncio.timeout(30):
            head = await reader.readuntil(b"\r\n\r\n")
            status, *rows = head.decode("latin-1").split("\r\n")
            headers = {
                name.lower(): value for name, _, value in (row.partition(": ") for row in rows)
            }
            length = int(headers.get("content-length", "0")) if expects_body else 0
            content = await reader.readexactly(length)
    finally:
        writer.close()
    return int(status.split()[1]), headers, content.decode()


async def get(port: int, path: str, *headers: str) -> tuple[int, dict[str, str], str]:
    """Fetch a page as a browser on this machine does."""
    return await talk(port, f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers)


def upgrade(path: str, host: str, *more: str) -> list[str]:
    """The lines of a WebSocket's opening request."""
    return [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *more,
    ]


@pytest.fixture
def write_admin() -> Callable[[object], None]:
    """Write the administrator's settings, which the next server reads."""

    def write(settings: object) -> None:
        folder = Path(os.environ["JUPYTER_CONFIG_DIR"])
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"JupyterAC": settings})
        (folder / "jupyter_ac_config.json").write_text(text, encoding="utf-8")

    return write
