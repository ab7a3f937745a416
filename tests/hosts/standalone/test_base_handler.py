"""Host and Origin, at every address of the server, by raw requests."""

import logging
from collections.abc import Awaitable, Callable

import pytest

from jupyter_ac.hosts.standalone.server import Address
from tests.hosts.standalone.conftest import OpenPage, get, talk, upgrade

PATHS = ["/", "/health", "/static/page.js", "/nothing"]
SOCKETS = ["/", "/rpc"]
Ask = Callable[..., Awaitable[int]]


@pytest.fixture
def ask(address: Address) -> Ask:
    """Send a plain request, or a socket's when the path is one; give the status."""

    async def send(path: str, host: str, *headers: str, socket: bool = False) -> int:
        token = f"?token={address.token}"
        opening = [f"GET {path} HTTP/1.1", f"Host: {host}"]
        lines = upgrade(path + token, host) if socket else opening
        return (await talk(address.port, *lines, *headers))[0]

    return send


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:18080", "0.0.0.0", ""],
)
async def test_a_foreign_host_gets_nothing_even_with_the_token(ask: Ask, host: str) -> None:
    assert {await ask(path, host) for path in PATHS} <= {400, 403}
    assert {await ask(path, host, socket=True) for path in SOCKETS} <= {400, 403}


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example",
    ],
)
async def test_a_foreign_page_gets_nothing_even_with_the_token(ask: Ask, origin: str) -> None:
    for header in (f"Origin: {origin}", f"Sec-WebSocket-Origin: {origin}"):
        assert {await ask(path, "127.0.0.1", header) for path in PATHS} == {403}
        assert {await ask(path, "localhost:1", header, socket=True) for path in SOCKETS} == {403}
    both = ("Origin: http://localhost", f"Origin: {origin}")
    assert await ask("/rpc", "localhost", *both, socket=True) == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:18080", "[::1]:1", "LOCALHOST"])
@pytest.mark.parametrize(
    "origin", ["", "http://localhost:5173", "https://127.0.0.1", "http://[::1]:9"]
)
async def test_this_machine_gets_in(ask: Ask, host: str, origin: str) -> None:
    header = (f"Origin: {origin}",) if origin else ()
    assert await ask("/", host, *header) == 200
    assert {await ask(path, host, *header, socket=True) for path in SOCKETS} == {101}


async def test_two_hosts_are_none(ask: Ask) -> None:
    assert await ask("/", "127.0.0.1", "Host: evil.example") in {400, 403}


@pytest.mark.parametrize("path", [*PATHS, "/static/../secret.js"])
async def test_every_answer_tells_the_browser_to_do_nothing_with_it(
    address: Address, path: str
) -> None:
    _, headers, _ = await get(address.port, path)
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


async def test_what_there_is_not_is_said_in_a_sentence(address: Address) -> None:
    status, _, body = await get(address.port, "/nothing")
    assert status == 404
    assert "panel is at /" in body
    status, _, body = await talk(address.port, "POST / HTTP/1.1", "Host: localhost")
    assert status == 405
    assert "Traceback" not in body


async def test_a_long_body_is_not_read(address: Address) -> None:
    lines = ("POST / HTTP/1.1", "Host: localhost", f"Content-Length: {1 << 20}")
    status, _, _ = await talk(address.port, *lines, expects_body=False)
    assert status == 400


async def test_the_token_is_in_no_log(
    address: Address, connect: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = await connect(f"{address.socket}&client=a")
    await page.state()
    for path in ("/", "/health", "/nothing", "/static/none.js", "/static/link.js", "/rpc"):
        await get(address.port, f"{path}?token={address.token}")
        await get(address.port, f"{path}?token={address.token}", "Origin: null")
    wrong = upgrade(f"/rpc?token={address.token}&client=a%20b", "localhost")
    assert (await talk(address.port, *wrong))[0] == 400
    assert any("/rpc?…" in record.getMessage() for record in caplog.records)
    assert all(address.token not in record.getMessage() for record in caplog.records)


async def test_a_failure_of_ours_is_told_without_its_traceback(
    address: Address, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("a secret place")

    monkeypatch.setattr("jupyter_ac.hosts.standalone.pages.health", broken)
    status, _, body = await get(address.port, f"/health?token={address.token}")
    assert (status, body) == (500, '{"message": "Internal Server Error."}')
    assert "a secret place" in caplog.text
    assert address.token not in caplog.text
