"""Sockets that strangers open and leave, against real listeners and a real server process."""

import asyncio
import errno
import itertools
import logging
import os
import resource
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.sockets.acceptor import Acceptor, PendingConnections, RepeatedLog
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits
from tests.support.pages import Page
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess, plain_environment

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: loc"
WAIT_S = 90.0
FLOOD = 200
DESCRIPTORS = 128


Connect = Callable[[int, bytes], socket.socket]


class Hello(RequestHandler):
    """Answers at once."""

    def get(self) -> None:
        self.finish("hello")


class Exhausted(socket.socket):
    """A listener in a process that has no descriptor left, for as many times as it says."""

    failures = 0
    failed_at: list[float]

    def accept(self) -> tuple[socket.socket, object]:
        if self.failures:
            self.failures -= 1
            self.failed_at.append(asyncio.get_running_loop().time())
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


@dataclass
class Served:
    """What a test may hold on to."""

    port: int
    pending: PendingConnections
    listener: Exhausted


@asynccontextmanager
async def serving(limits: ConnectionLimits, failures: int = 0) -> AsyncIterator[Served]:
    listener = Exhausted()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    listener.failures, listener.failed_at = failures, []
    pending = PendingConnections(limits)
    server = HTTPServer(Application([("/", Hello)]), idle_connection_timeout=limits.handshake_s)
    acceptor = Acceptor(listener, server, pending)
    acceptor.start()
    try:
        yield Served(listener.getsockname()[1], pending, listener)
    finally:
        acceptor.stop()


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Opens sockets that send what they are told to, and nothing else; all are closed later."""
    with ExitStack() as opened:

        def open_one(port: int, sends: bytes) -> socket.socket:
            stranger = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            stranger.sendall(sends)
            stranger.settimeout(0)
            return stranger

        yield open_one


async def is_answered(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    try:
        async with asyncio.timeout(WAIT_S):
            return (await reader.readline()).startswith(b"HTTP/1.1 200")
    finally:
        writer.close()


async def ended(stranger: socket.socket) -> None:
    """Wait until the server has closed a connection."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(WAIT_S):
        with suppress(ConnectionError):
            while await loop.sock_recv(stranger, 4096):
                pass


async def test_the_oldest_stranger_makes_room(
    connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(ConnectionLimits(pending=8, grace_s=0)) as served:
        opened = [connect(served.port, HALF) for _ in range(40)]
        assert await is_answered(served.port)
        for stranger in opened[:32]:
            await ended(stranger)
        assert len(served.pending) <= 8
        assert sum("without a token" in message for message in caplog.messages) == 1


async def test_those_that_come_at_once_wait_for_each_other(connect: Connect) -> None:
    async with serving(ConnectionLimits(pending=4, grace_s=WAIT_S)) as served:
        opened = [connect(served.port, b"") for _ in range(20)]
        for stranger in opened:
            # Accepted or still waiting to be: none has been closed to make room for another.
            stranger.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        for stranger in opened:
            answer = await asyncio.get_running_loop().sock_recv(stranger, 4096)
            assert answer.startswith(b"HTTP/1.1 200")


async def test_a_connection_that_was_admitted_stays(connect: Connect) -> None:
    async with serving(ConnectionLimits(pending=2, grace_s=0)) as served:
        first = connect(served.port, HALF)
        async with asyncio.timeout(WAIT_S):
            while not len(served.pending):
                await asyncio.sleep(0)
        stream = next(iter(served.pending._opened))
        served.pending.admit(stream)
        for _ in range(10):
            assert await is_answered(served.port)
        assert not stream.closed()
        stream.close()
        await ended(first)


@pytest.mark.parametrize("sends", [b"", HALF], ids=["silent", "half a head"])
async def test_a_head_that_does_not_come_ends_the_connection(
    connect: Connect, sends: bytes
) -> None:
    async with serving(ConnectionLimits(handshake_s=0.1)) as served:
        await ended(connect(served.port, sends))
        assert await is_answered(served.port)


async def test_a_head_that_comes_byte_by_byte_is_late_as_well(connect: Connect) -> None:
    async with serving(ConnectionLimits(handshake_s=0.1)) as served:
        stranger = connect(served.port, b"GET / HTTP/1.1\r\nX: ")
        over = asyncio.create_task(ended(stranger))
        while not over.done():
            with suppress(OSError):
                stranger.send(b"a")
            await asyncio.sleep(0.02)
        await over
        assert await is_answered(served.port)


async def test_whatever_it_does_a_connection_is_not_pending_for_ever(connect: Connect) -> None:
    limits = ConnectionLimits(handshake_s=60, pending_s=0.1)
    async with serving(limits) as served:
        strangers = [connect(served.port, sends) for sends in (b"", HALF, REQUEST)]
        for stranger in strangers:
            await ended(stranger)
        assert len(served.pending) == 0


async def test_without_descriptors_it_pauses_instead_of_spinning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pause_s = 0.05
    # At each attempt twice: to serve, and to refuse.
    async with serving(ConnectionLimits(pause_s=pause_s), failures=8) as served:
        assert await is_answered(served.port)
    failed_at = served.listener.failed_at[::2]
    assert len(failed_at) == 4
    gaps = [later - before for before, later in itertools.pairwise(failed_at)]
    # The loop's clock may call a timer early by its resolution.
    assert min(gaps) >= pause_s * 0.9
    lines = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [line.getMessage().partition(" (")[0] for line in lines] == [
        "No connection can be accepted",
        "No connection can be accepted",
    ]
    assert lines[1].getMessage().endswith("(3 more times)")


@contextmanager
def without_descriptors() -> Iterator[None]:
    """Let this process open nothing more."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    taken = [free]
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 8, before[1]))
    try:
        with suppress(OSError):
            while True:
                taken.append(os.dup(free))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        for descriptor in taken:
            os.close(descriptor)


async def test_a_newcomer_for_whom_there_is_no_descriptor_is_told_to_come_again(
    connect: Connect,
) -> None:
    loop = asyncio.get_running_loop()
    async with serving(ConnectionLimits(pause_s=0.05)) as served:
        strangers = [connect(served.port, REQUEST) for _ in range(3)]
        with without_descriptors():
            for stranger in strangers:
                async with asyncio.timeout(WAIT_S):
                    answer = await loop.sock_recv(stranger, 4096)
                assert answer.startswith(b"HTTP/1.1 503 ")
                assert b"\r\nRetry-After: 2\r\n" in answer
                await ended(stranger)
        assert await is_answered(served.port)


async def test_who_makes_room_is_told_to_come_again_unless_an_answer_has_begun(
    connect: Connect,
) -> None:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(WAIT_S), serving(ConnectionLimits(pending=2, grace_s=0)) as served:
        answered, half_open = connect(served.port, REQUEST), connect(served.port, HALF)
        assert (await loop.sock_recv(answered, 4096)).startswith(b"HTTP/1.1 200")
        for _ in range(3):
            assert await is_answered(served.port)
        assert await loop.sock_recv(answered, 4096) == b""
        assert (await loop.sock_recv(half_open, 4096)).startswith(b"HTTP/1.1 503 ")
        await ended(half_open)


def limited_python(folder: Path) -> Path:
    """An interpreter that may open few files."""
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nulimit -n {DESCRIPTORS}\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return script


async def test_a_flood_of_half_open_sockets_keeps_nobody_out(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})
    server = ServeProcess(
        repository.root, plain_environment(tmp_path / "home"), python=limited_python(tmp_path)
    )
    server.start()
    try:
        with ExitStack() as sockets:
            for number in range(FLOOD):
                half_open = sockets.enter_context(socket.create_connection(_address(server)))
                half_open.sendall(HALF if number % 2 else b"")
            page = Page(await websocket_connect(HTTPRequest(server.address, connect_timeout=60)))
            assert await page.call("Repo.get_file_content", "a.py") == "print(1)\n"
            for _ in range(FLOOD // 2):
                sockets.enter_context(socket.create_connection(_address(server)))
            assert await page.call("Repo.get_file_content", "a.py") == "print(1)\n"
            await page.leave()
        server.end()
        lines = server.stderr.splitlines()
        assert len(lines) <= 2, lines
        assert all("without a token" in line for line in lines)
    finally:
        server.close()


def _address(server: ServeProcess) -> tuple[str, int]:
    assert server.port is not None
    return "127.0.0.1", server.port


logger = logging.getLogger("jupyter_ac.test_repeated_log")


async def test_a_cause_is_logged_once_and_counted_after_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = RepeatedLog(logger)
    for _ in range(1000):
        log.count("No room.")
    log.count("No disk.")
    assert caplog.messages == ["No room.", "No disk."]
    log.close()
    assert caplog.messages == ["No room.", "No disk.", "No room. (999 more times)"]


async def test_the_count_comes_by_itself_and_what_is_over_is_forgotten(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = RepeatedLog(logger, interval_s=0.01)
    log.count("No room.")
    log.count("No room.")
    async with asyncio.timeout(10):
        while len(caplog.messages) < 2:
            await asyncio.sleep(0.01)
        while log._counts:
            await asyncio.sleep(0.01)
    log.count("No room.")
    assert caplog.messages == ["No room.", "No room. (1 more times)", "No room."]
    log.close()
