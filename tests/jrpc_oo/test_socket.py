"""Access control of a `JRPCServer`."""

import asyncio

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.jrpc_oo import JRPCServer
from tests.jrpc_oo.objects import Probe, serving, uri_of


async def status(uri: str, **headers: str) -> int:
    """Give the answer to the handshake; 101: welcome."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection = await websocket_connect(HTTPRequest(uri, headers=named))
    except HTTPClientError as error:
        return error.code
    connection.close()
    while await connection.read_message() is not None:
        pass
    return 101


@pytest.mark.parametrize("path", ["", "/", "/rpc", "/some/where?x=1"])
async def test_any_path_is_a_door(path: str) -> None:
    async with serving(Probe()) as server:
        assert await status(uri_of(server, path)) == 101


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:8888", 101),
        ("http://127.0.0.1:1", 101),
        ("https://localhost", 101),
        ("http://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
    ],
)
async def test_pages_of_this_machine_alone_may_connect(origin: str, expected: int) -> None:
    async with serving() as server:
        assert await status(uri_of(server), Origin=origin) == expected


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
async def test_a_rebound_name_is_refused(host: str) -> None:
    async with serving() as server:
        assert await status(uri_of(server), Host=host) == 403
        assert await status(uri_of(server), Host="localhost:1234") == 101


@pytest.mark.parametrize(
    ("query", "header", "expected"),
    [
        ("?token=secret", "", 101),
        ("", "token secret", 101),
        ("?token=wrong", "token secret", 101),
        ("", "", 403),
        ("?token=", "", 403),
        ("?token=wrong", "", 403),
        ("", "token wrong", 403),
        ("?token=secret&token=secret", "", 403),
    ],
)
async def test_the_token_opens_the_door(query: str, header: str, expected: int) -> None:
    async with serving(token="secret") as server:
        headers = {"Authorization": header} if header else {}
        assert await status(uri_of(server, f"/{query}"), **headers) == expected


async def test_the_token_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    async with serving(token="hush-hush") as server:
        await status(uri_of(server, "/?token=hush-hush"))
        await status(uri_of(server, "/?token=hush-hush-not"))
    assert "403 for /?…" in caplog.text
    ours = [r.getMessage() for r in caplog.records if r.name.startswith(("jupyter_ac", "tornado"))]
    assert not [message for message in ours if "hush" in message]


async def test_a_refusal_says_why() -> None:
    async with serving(token="secret") as server:
        request = HTTPRequest(f"http://127.0.0.1:{server.port}/")
        answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        assert answer.code == 403
        assert b"token" in answer.body


async def test_a_request_without_an_upgrade_is_refused() -> None:
    async with serving() as server:
        request = HTTPRequest(f"http://127.0.0.1:{server.port}/")
        assert (await AsyncHTTPClient().fetch(request, raise_error=False)).code == 400


@pytest.mark.parametrize("token", [None, ""])
def test_beyond_this_machine_a_token_is_demanded(token: str | None) -> None:
    with pytest.raises(ValueError, match="token"):
        JRPCServer(0, host="0.0.0.0", token=token)


async def test_beyond_this_machine_other_names_are_taken_with_the_token() -> None:
    server = JRPCServer(0, host="0.0.0.0", token="secret")
    await server.start()
    try:
        elsewhere = {"Host": "workstation.example", "Origin": "http://workstation.example"}
        assert await status(uri_of(server, "/?token=secret"), **elsewhere) == 101
        assert await status(uri_of(server), **elsewhere) == 403
    finally:
        async with asyncio.timeout(30):
            await server.stop()


async def test_fault_14_compression_is_not_taken() -> None:
    async with serving() as server:
        connection = await websocket_connect(uri_of(server), compression_options={})
        assert connection.headers is not None
        assert "Sec-Websocket-Extensions" not in connection.headers
        connection.close()
        while await connection.read_message() is not None:
            pass
