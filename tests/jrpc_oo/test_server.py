"""`JRPCServer` on a real port."""

import asyncio
import socket
import ssl
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.errors import AlreadyExists, Busy, ConnectionClosed, NotReady
from jupyter_ac.jrpc_oo import JRPCClient, JRPCServer
from jupyter_ac.rpc.context import current_caller
from tests.jrpc_oo.objects import (
    WAIT_S,
    Page,
    Probe,
    client_of,
    connected,
    only,
    serving,
    until,
    uri_of,
)


async def test_fault_1_it_listens_on_this_machine_alone() -> None:
    async with serving() as server:
        assert server._acceptor is not None
        addresses = {server._acceptor.address[0]}
        assert addresses == {"127.0.0.1"}


async def test_port_0_is_any_free_one_and_the_server_knows_which() -> None:
    server = JRPCServer(0)
    assert server.port == 0
    await server.start()
    assert server.port > 0
    await server.stop()


async def test_a_taken_port_is_an_error_with_its_name() -> None:
    async with serving() as server:
        with pytest.raises(AlreadyExists, match=rf"port {server.port} on 127\.0\.0\.1 is in use"):
            await JRPCServer(server.port).start()


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(ValueError, match=f"port must be from 0 to 65535, not {port}"):
        JRPCServer(port)


async def test_an_address_that_is_not_ours_is_an_error_with_its_name() -> None:
    with pytest.raises(NotReady, match=r"192\.0\.2\.1"):
        await JRPCServer(0, host="192.0.2.1", token="t").start()


async def test_starting_twice_is_an_error_and_stopping_twice_is_not() -> None:
    server = JRPCServer(0)
    await server.stop()
    await server.start()
    with pytest.raises(Busy, match="already"):
        await server.start()
    await asyncio.gather(server.stop(), server.stop())
    await server.stop()


async def test_it_can_be_started_again_on_the_same_port() -> None:
    server = JRPCServer(0)
    server.add_class(Probe())
    await server.start()
    port = server.port
    client = client_of(server)
    async with connected(client) as connection:
        await server.stop()
        await connection
    again = JRPCServer(port)
    again.add_class(Probe())
    await again.start()
    async with connected(client):
        assert await client.server["Probe.add"](1, 2) == 3
    await again.stop()
    await server.start()
    assert server.port != 0
    await server.stop()


async def test_stopping_closes_connections_and_frees_the_port_and_leaves_no_task() -> None:
    before = asyncio.all_tasks()
    probe = Probe()
    probe.started = asyncio.Event()
    server = JRPCServer(0)
    server.add_class(probe)
    await server.start()
    client = client_of(server, Page())
    connection = asyncio.create_task(client.connect())
    await until(lambda: client.connected)
    running = asyncio.create_task(client.server["Probe.never"]())
    await probe.started.wait()
    async with asyncio.timeout(WAIT_S):
        await server.stop()
        await connection
        with pytest.raises(ConnectionClosed) as caught:
            await running
    assert caught.value.close_code == 1001
    assert not client.connected
    assert dict(server.remotes) == {}
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", server.port))
    await until(lambda: asyncio.all_tasks() <= before)


async def test_who_comes_while_it_stops_is_sent_away() -> None:
    for turns in range(12):
        server = JRPCServer(0)
        await server.start()
        client = client_of(server)
        connection = asyncio.create_task(client.connect())
        for _ in range(turns):
            await asyncio.sleep(0.0005)
        async with asyncio.timeout(WAIT_S):
            await server.stop()
            with suppress(ConnectionClosed):
                await connection
        assert dict(server.remotes) == {}


async def test_a_method_may_stop_the_server() -> None:
    class Control:
        async def shut_down(self) -> None:
            await server.stop()

    server = JRPCServer(0)
    server.add_class(Control())
    await server.start()
    client = client_of(server)
    async with connected(client) as connection:
        with pytest.raises(ConnectionClosed):
            await client.server["Control.shut_down"]()
        await connection
        async with asyncio.timeout(WAIT_S):
            await server.stop()
    with pytest.raises(ConnectionClosed):
        await client.connect()


async def test_all_clients_are_called_and_the_caller_can_be_told_apart() -> None:
    class Chat:
        async def ask(self) -> object:
            """Stream to the caller alone."""
            caller = current_caller()
            await server.remotes[caller.client].rpcs["Page.event"]("to you")
            return caller.client

    async with serving(Chat()) as server:
        pages = [Page(), Page()]
        clients = [client_of(server, page) for page in pages]
        async with connected(clients[0]), connected(clients[1]):
            assert await server.call["Page.event"]("to all") == dict.fromkeys(server.remotes, True)
            uuid = await clients[1].server["Chat.ask"]()
            assert uuid in server.remotes
            assert pages[0].seen == [("to all",)]
            assert pages[1].seen == [("to all",), ("to you",)]
        await until(lambda: not server.remotes)
        assert await server.call["Page.event"]("to nobody") == {}


async def test_callbacks_of_a_subclass() -> None:
    class Recording(JRPCServer):
        def __init__(self) -> None:
            super().__init__(0)
            self.seen: list[str] = []

        def remote_is_up(self) -> None:
            self.seen.append("up")

        async def setup_done(self) -> None:
            self.seen.append(f"done {only(await self.call['Page.event']('hello'))}")

        def remote_disconnected(self, uuid: str) -> None:
            self.seen.append(f"gone {len(uuid)}")

    server = Recording()
    await server.start()
    async with connected(client_of(server, Page())):
        await until(lambda: "done True" in server.seen)
    await server.stop()
    assert server.seen == ["up", "done True", "gone 36"]


async def test_a_client_that_never_speaks_holds_up_neither_calls_nor_the_end() -> None:
    async with serving(Probe()) as server, asyncio.timeout(WAIT_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b"101" in await reader.readline()
        client = client_of(server, Page())
        async with connected(client):
            assert await server.call["Page.event"]("x") != {}
            assert len(server.remotes) == 2
        writer.close()
        await writer.wait_closed()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a certificate for this machine that nobody has signed."""
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(path), "-out", str(path.with_suffix(".crt"))]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files],
        check=True,
        capture_output=True,
    )
    return path


async def test_wss(certificate: Path) -> None:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate.with_suffix(".crt"), certificate)
    trusted = ssl.create_default_context(cafile=str(certificate.with_suffix(".crt")))
    async with serving(Probe(), ssl_context=served) as server:
        uri = uri_of(server).replace("ws:", "wss:")
        client = JRPCClient(uri, ssl_context=trusted)
        async with connected(client):
            assert await client.server["Probe.add"](1, 2) == 3
            text = "x" * 3_000_000
            assert await client.server["Probe.echo"](text) == text
        with pytest.raises(ConnectionClosed, match="certificate"):
            await JRPCClient(uri).connect()


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
