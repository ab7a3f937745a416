import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.browser import endpoints
from jupyter_ac.browser.endpoints import Address, find_endpoint, parse_address
from jupyter_ac.errors import InvalidParams, NotConnected
from tests.browser.fake_cdp import PATH, FakeBrowser, over_socket
from tests.browser.running_browser import chromium_on_port


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9222", Address("127.0.0.1", 9222)),
        (" 9222 ", Address("127.0.0.1", 9222)),
        ("127.0.0.1:9222", Address("127.0.0.1", 9222)),
        ("localhost:9222", Address("127.0.0.1", 9222)),
        ("LOCALHOST:9222", Address("127.0.0.1", 9222)),
        ("http://127.0.0.1:9222/", Address("127.0.0.1", 9222)),
        ("127.8.9.1:1", Address("127.8.9.1", 1)),
        ("[::1]:9222", Address("::1", 9222)),
        (f"ws://127.0.0.1:9222{PATH}", Address("127.0.0.1", 9222, PATH)),
        (
            "ws://localhost:9222/devtools/browser",
            Address("127.0.0.1", 9222, "/devtools/browser"),
        ),
    ],
)
def test_addresses_of_this_machine(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "65536",
        "9" * 5000,
        "-1",
        "abc",
        "127.0.0.1",
        "localhost",
        "²",
        "127.0.0.1:x",
        "https://127.0.0.1:9222",
        "wss://127.0.0.1:9222",
        "file:///etc/passwd",
        "user:secret@127.0.0.1:9222",
        "127.0.0.1:9222/json/version",
        "ws://127.0.0.1:9222/devtools/page/AB",
        "ws://127.0.0.1:9222/devtools/browser/../x",
        "127.0.0.1:9222?x=1",
        "127.0.0.1:9222#x",
        "http://[::1:9222",
    ],
)
def test_what_is_no_address_of_a_browser_is_refused(text: str) -> None:
    with pytest.raises(InvalidParams, match="The address of a browser"):
        parse_address(text)


@pytest.mark.parametrize(
    "host",
    [
        *("10.0.0.1", "0.0.0.0", "192.168.1.2", "169.254.169.254", "2130706433"),
        *("example.org", "127.0.0.1.example.org", "localhost.", "[::]", "[fe80::1]"),
    ],
)
def test_other_machines_are_refused(host: str) -> None:
    with pytest.raises(InvalidParams, match="on this machine"):
        parse_address(f"{host}:9222")


async def test_the_browsers_socket_is_found_at_a_port() -> None:
    async with over_socket(FakeBrowser()) as port:
        found = await find_endpoint(str(port))
    assert found.socket_url == f"ws://127.0.0.1:{port}{PATH}"
    assert (found.product, found.is_owner_checked, found.is_headless) == ("Fake/1", True, False)


async def test_of_the_reported_url_only_the_path_is_used() -> None:
    browser = FakeBrowser()
    browser.version = {"Browser": "x", "webSocketDebuggerUrl": f"ws://evil.example:80{PATH}"}
    async with over_socket(browser) as port:
        found = await find_endpoint(str(port))
        assert found.socket_url == f"ws://127.0.0.1:{port}{PATH}"


@pytest.mark.parametrize(
    "version",
    [
        {},
        [],
        7,
        {"Browser": "node.js/v22"},
        {"webSocketDebuggerUrl": "ws://127.0.0.1/other"},
        {"webSocketDebuggerUrl": 3},
        {"webSocketDebuggerUrl": "ws://[/devtools/browser/x"},
    ],
)
async def test_what_is_no_browser_is_said_to_be_none(version: object) -> None:
    browser = FakeBrowser()
    browser.version = version
    async with over_socket(browser) as port:
        with pytest.raises(NotConnected, match="no Chromium"):
            await find_endpoint(str(port))


async def test_a_socket_that_was_given_is_not_asked_for() -> None:
    async with over_socket(FakeBrowser()) as port:
        found = await find_endpoint(f"ws://localhost:{port}{PATH}")
    assert found.socket_url == f"ws://127.0.0.1:{port}{PATH}"
    assert found.product == ""


async def test_nothing_there() -> None:
    async with over_socket(FakeBrowser()) as port:
        pass
    with pytest.raises(NotConnected, match=f"Nothing listens on port {port}"):
        await find_endpoint(str(port))


@asynccontextmanager
async def answering(answer: bytes, *, stay: bool = False) -> AsyncIterator[int]:
    released = asyncio.Event()

    async def reply(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        if stay:
            await released.wait()
        writer.close()

    server = await asyncio.start_server(reply, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        released.set()
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n{}",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 302 Found\r\nLocation: http://evil.example\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{x",
        b"x" * 3_000_000,
        b"\0\0\r\n\r\n",
    ],
)
async def test_answers_that_make_no_sense(answer: bytes) -> None:
    async with answering(answer) as port:
        with pytest.raises(NotConnected, match="No browser answers"):
            await find_endpoint(str(port))


async def test_who_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "ANSWER_S", 0.1)
    async with answering(b"HTTP/1.1 200 OK\r\n", stay=True) as port:
        with pytest.raises(NotConnected, match="didn't answer"):
            await find_endpoint(str(port))


async def test_a_real_browser() -> None:
    with chromium_on_port() as (port, _):
        found = await find_endpoint(f"localhost:{port}")
    assert found.socket_url.startswith(f"ws://127.0.0.1:{port}/devtools/browser/")
    assert "Chrome" in found.product
    assert found.is_headless
