"""What clients do to the HTTP doors of both servers: slow, endless, oversized, many, gone."""

import asyncio
import gzip
import json
import os
import random
import re
import resource
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.edge import post
from jupyter_ac.hosts.sockets import connection_limits
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits
from jupyter_ac.hosts.standalone.server import ServeOptions, listening
from jupyter_ac.services.repo.files import FileMethods
from tests.support.repositories import RepositoryFolder

WAIT_S = 60.0
SHORT_S = 0.3
BRANCH = {"jsonrpc": "2.0", "id": 1, "method": "Repo.get_current_branch"}
WAITING_HOOK = "#!/bin/sh\ntouch began\nwhile ! test -e go; do sleep 0.05; done\n"
MANY = 300
QUEUED = 500
STORM = 120

patient = pytest.mark.parametrize("patience_s", [60.0])


@dataclass(frozen=True)
class Door:
    """The HTTP door of a server in this process.

    Attributes:
        port: on 127.0.0.1.
        rpc: the path, with all that must be shown.
        events: the same, of the state.
        root: where the repository is.
    """

    port: int
    rpc: str
    events: str
    root: RepositoryFolder

    def head(self, *headers: str) -> bytes:
        """The head of a POST."""
        lines = [
            f"POST {self.rpc} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Content-Type: application/json",
            *headers,
            "",
            "",
        ]
        return "\r\n".join(lines).encode()

    def request(self, content: object, *headers: str) -> bytes:
        """A whole POST."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return self.head(f"Content-Length: {len(body)}", *headers) + body

    async def post(self, content: object, *headers: str) -> tuple[int, bytes]:
        """Send a POST and read its answer."""
        async with self.connected() as (reader, writer):
            writer.write(self.request(content, *headers))
            return await answer(reader)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            async with asyncio.timeout(WAIT_S):
                yield reader, writer
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one answer; status 0 when the connection was closed instead."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1]) if length else 0)
    except (asyncio.IncompleteReadError, ConnectionError):
        return 0, b""
    return int(head.split()[1]), body


async def ended(reader: asyncio.StreamReader) -> bytes:
    """Read until the server closes the connection."""
    with suppress(ConnectionError):
        return await reader.read()
    return b""


@asynccontextmanager
async def dripping(writer: asyncio.StreamWriter, data: bytes) -> AsyncIterator[None]:
    """Send a byte now and then, for ever."""

    async def drip() -> None:
        with suppress(ConnectionError):
            while True:
                writer.write(data)
                await writer.drain()
                await asyncio.sleep(SHORT_S / 10)

    task = asyncio.create_task(drip())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


@pytest.fixture(autouse=True)
def short_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patience_s: float) -> None:
    """Let both servers wait for a moment only; messages have a mebibyte."""
    monkeypatch.setattr(post, "BODY_S", patience_s)
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(tmp_path / "ac"))


@pytest.fixture(autouse=True)
def admin(jp_environ: object) -> None:
    """The administrator's limit of a message, in both servers."""
    del jp_environ
    folder = Path(os.environ["JUPYTER_CONFIG_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"JupyterAC": {"max_message_mb": 1}}
    (folder / "jupyter_ac_config.json").write_text(json.dumps(settings), encoding="utf-8")


@pytest.fixture
def jupyter(
    jp_serverapp: ServerApp,
    http_server_client: AsyncHTTPServerClient,
    jp_base_url: str,
    repository: RepositoryFolder,
) -> Door:
    port = int(http_server_client.get_url("/").rstrip("/").rpartition(":")[2])
    query = f"?token={jp_serverapp.identity_provider.token}&repo={repository.root.name}"
    path = f"{jp_base_url}jupyter-ac"
    return Door(port, f"{path}/rpc{query}", f"{path}/events{query}", repository)


@pytest.fixture(autouse=True)
def patience_s() -> float:
    """How long the stand-alone server waits for a head, and both for its body."""
    return SHORT_S


@pytest.fixture
def standalone(
    patience_s: float,
    repository: RepositoryFolder,
    tmp_path: Path,
    jp_asyncio_loop: asyncio.AbstractEventLoop,
) -> Iterator[Door]:
    (tmp_path / "page.html").write_text("<!doctype html>", encoding="utf-8")
    limits = ConnectionLimits(handshake_s=patience_s)
    server = listening(ServeOptions(repository.root, 0, limits=limits), tmp_path)
    address = jp_asyncio_loop.run_until_complete(server.__aenter__())
    query = f"?token={address.token}"
    yield Door(address.port, f"/rpc{query}", f"/events{query}", repository)
    jp_asyncio_loop.run_until_complete(server.__aexit__(None, None, None))


@dataclass
class Gate:
    """Calls that wait for ever."""

    begun: int = 0
    cancelled: int = 0

    async def wait(self) -> None:
        self.begun += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Let a method that reads wait for ever; the server must be started later."""
    made = Gate()
    reading = FileMethods.get_file_hash

    @wraps(reading)
    async def wait(self: object, path: str) -> str:
        del self, path
        await made.wait()
        return ""

    monkeypatch.setattr(FileMethods, "get_file_hash", wait)
    return made


@pytest.fixture(params=["standalone", "jupyter"])
def door(
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
    jp_asyncio_loop: asyncio.AbstractEventLoop,
) -> Iterator[Door]:
    """A server that works on after the test, with nothing left over and nothing to complain of."""
    made: Door = request.getfixturevalue(request.param)
    status, _ = jp_asyncio_loop.run_until_complete(made.post(BRANCH))
    assert status == 200
    before = serving()
    yield made
    status, _ = jp_asyncio_loop.run_until_complete(made.post(BRANCH))
    assert status == 200
    jp_asyncio_loop.run_until_complete(until(lambda: serving() <= before))
    failed = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert failed == []


one_door = pytest.mark.parametrize(
    "door", ["standalone", pytest.param("jupyter", marks=pytest.mark.soak)], indirect=True
)
"""For load: both servers have the same handlers."""


def serving() -> int:
    """How many connections, exchanges and calls are under way in this process."""
    tasks = asyncio.all_tasks(asyncio.get_event_loop_policy().get_event_loop())
    return sum("jupyter_ac connection" in task.get_name() for task in tasks)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not is_so():
            await asyncio.sleep(0.02)


async def test_a_body_that_comes_byte_by_byte_is_given_up(door: Door) -> None:
    for headers, data in (("Content-Length: 100000", b" "), ("Transfer-Encoding: chunked", b"1")):
        async with door.connected() as (reader, writer):
            writer.write(door.head(headers))
            async with dripping(writer, data):
                assert b"200 OK" not in await ended(reader)


async def test_a_head_that_comes_byte_by_byte_is_given_up(standalone: Door) -> None:
    # Jupyter's server has no such limit of its own.
    async with standalone.connected() as (reader, writer):
        writer.write(b"POST /rpc HTTP/1.1\r\nX: ")
        async with dripping(writer, b"x"):
            assert b"200 OK" not in await ended(reader)


async def test_a_client_that_only_stops_writing_is_answered_or_left(door: Door) -> None:
    async with door.connected() as (reader, writer):
        writer.write(door.request(BRANCH))
        writer.write_eof()
        assert (await answer(reader))[0] in {0, 200}
    async with door.connected() as (reader, writer):
        writer.write(door.head("Content-Length: 1000") + b"{")
        writer.write_eof()
        assert await ended(reader) == b""


async def test_a_body_without_an_end_is_refused_and_then_cut(door: Door) -> None:
    chunk = b"10000\r\n" + b" " * (1 << 16) + b"\r\n"
    async with door.connected() as (reader, writer):
        writer.write(door.head("Transfer-Encoding: chunked"))
        async with dripping(writer, chunk * 4):
            status, body = await answer(reader)
            assert status in {0, 413}
            assert not body or set(json.loads(body)) == {"message"}
            await ended(reader)


async def test_a_bomb_in_small_chunks_is_refused(door: Door) -> None:
    bomb = gzip.compress(b" " * (64 << 20), 9)
    chunks = [bomb[at : at + 100] for at in range(0, len(bomb), 100)]
    async with door.connected() as (reader, writer):
        writer.write(door.head("Transfer-Encoding: chunked", "Content-Encoding: gzip"))
        for chunk in chunks:
            writer.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        writer.write(b"0\r\n\r\n")
        assert (await answer(reader))[0] in {0, 413}


async def test_deep_nesting_and_ids_that_are_used_twice(door: Door) -> None:
    for deep in (b"[" * 10_000 + b"]" * 10_000, b'{"a":' * 10_000, b'["\\ud800",' + b"[" * 10_000):
        status, body = await door.post(deep)
        assert status == 200
        assert json.loads(body)["error"]["code"] == -32700
    status, body = await door.post([BRANCH] * 50)
    assert status == 200
    assert [each["id"] for each in json.loads(body)] == [1] * 50


@patient
async def test_requests_behind_each_other_are_answered_in_order(door: Door) -> None:
    async with door.connected() as (reader, writer):
        writer.write(b"".join(door.request({**BRANCH, "id": number}) for number in range(20)))
        for number in range(20):
            status, body = await answer(reader)
            assert status == 200
            assert json.loads(body)["id"] == number


accepts = pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])


@accepts
async def test_a_call_is_cancelled_when_its_client_leaves(
    gate: Gate, door: Door, accept: str
) -> None:
    call = {**BRANCH, "method": "Repo.get_file_hash", "params": ["a.py"]}
    async with door.connected() as (_, writer):
        writer.write(door.request([call, {**call, "id": 2}], f"Accept: {accept}"))
        await until(lambda: gate.begun == 2)
    await until(lambda: gate.cancelled == 2)


@accepts
async def test_a_change_is_made_whole_when_its_client_leaves(door: Door, accept: str) -> None:
    root = door.root
    root.write(".git/hooks/pre-commit", WAITING_HOOK).chmod(0o755)
    root.git("config", "user.name", "Ada")
    root.git("config", "user.email", "ada@example.org")
    root.write("a.py", "2\n")
    root.git("add", "a.py")
    call = {**BRANCH, "method": "Repo.commit", "params": ["second"]}
    async with door.connected() as (_, writer):
        writer.write(door.request(call, f"Accept: {accept}"))
        await until((root.root / "began").exists)
    root.write("go", "")
    await until(lambda: root.git("log", "--format=%s") == "second\nfirst")


@one_door
async def test_clients_that_leave_at_any_moment_leave_nothing(door: Door) -> None:
    chance = random.Random(5)
    (door.root.root / "large.txt").write_text("x" * (2 << 20))
    large = {**BRANCH, "method": "Repo.get_file_content", "params": ["large.txt"]}

    async def come_and_go(number: int) -> None:
        accept = ("application/json", "text/event-stream")[number % 2]
        request = door.request([BRANCH, large][number % 4 // 2], f"Accept: {accept}")
        async with door.connected() as (reader, writer):
            writer.write(request[: len(request) - chance.choice((0, 0, 5))])
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
            if chance.random() < 0.5:
                async with asyncio.timeout(WAIT_S):
                    await reader.read(chance.choice((1, 100)))
            if chance.random() < 0.5:
                writer.transport.abort()

    for first in range(0, STORM, 20):
        await asyncio.gather(*(come_and_go(first + number) for number in range(20)))


@one_door
@patient
async def test_hundreds_of_requests_at_once_are_answered_or_sent_away(door: Door) -> None:
    done = await asyncio.gather(*(door.post({**BRANCH, "id": n}) for n in range(MANY)))
    statuses = [status for status, _ in done]
    # 0: a connection that had to make room for a newer one while its request was being written.
    assert set(statuses) <= {0, 200, 429, 503}
    assert statuses.count(200) >= MANY // 4
    for number, (status, body) in enumerate(done):
        assert status != 200 or json.loads(body)["id"] == number


@pytest.fixture
def room_for_hundreds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Descriptors for both ends of so many connections; without them the limits are lower."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr(connection_limits, "USUAL_DESCRIPTORS", 4 * QUEUED)
    connection_limits.allow_usual_descriptors()
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 4 * QUEUED:
        pytest.skip("the system allows too few descriptors")
    if not queue_limit() >= QUEUED:
        pytest.skip("the system's queue is shorter (net.core.somaxconn)")
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def queue_limit() -> int:
    """How many connections the system lets wait to be accepted."""
    path = Path("/proc/sys/net/core/somaxconn")
    return int(path.read_text()) if path.exists() else 128


@patient
@pytest.mark.usefixtures("room_for_hundreds")
async def test_each_of_hundreds_that_have_sent_their_requests_is_answered_or_told_why(
    standalone: Door,
) -> None:
    """All have sent their requests before the server accepts the first one of them.

    They wait in the system's queue: none is reset there, and none has to send a packet again.
    """
    asking = []
    for number in range(QUEUED):
        connection = socket.create_connection(("127.0.0.1", standalone.port), WAIT_S)
        connection.sendall(standalone.request({**BRANCH, "id": number}))
        asking.append(connection)

    async def answered(connection: socket.socket) -> int:
        reader, writer = await asyncio.open_connection(sock=connection)
        try:
            async with asyncio.timeout(WAIT_S):
                return (await answer(reader))[0]
        finally:
            writer.close()

    statuses = await asyncio.gather(*map(answered, asking))
    assert set(statuses) <= {200, 429, 503}
    assert 200 in statuses


@one_door
@patient
async def test_storms_of_reconnecting_clients_leave_nothing(door: Door) -> None:
    chance = random.Random(3)
    head = f"GET {door.events} HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\n\r\n".encode()

    async def follow() -> None:
        async with door.connected() as (reader, writer):
            writer.write(head)
            if chance.random() < 0.7:
                await reader.readuntil(b"data: ")
            writer.transport.abort()

    async def open_socket() -> None:
        address = f"ws://127.0.0.1:{door.port}{door.rpc}"
        socket = await websocket_connect(HTTPRequest(address, connect_timeout=WAIT_S))
        await socket.write_message(json.dumps({**BRANCH, "params": {"args": []}}))
        if chance.random() < 0.7:
            await socket.read_message()
        assert socket.protocol is not None
        socket.protocol._abort()
        socket.close()

    for _ in range(STORM // 20):
        await asyncio.gather(*(follow() for _ in range(10)), *(open_socket() for _ in range(10)))
