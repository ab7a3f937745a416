"""Limits on connections, by what the process may open."""

import asyncio
import resource
import socket
from collections.abc import Iterator

import pytest
from tornado.iostream import IOStream, StreamClosedError

from jupyter_ac.hosts.sockets.connection_limits import (
    MAX_OPEN,
    MAX_PENDING,
    MAX_STREAMS,
    REFUSAL,
    USUAL_DESCRIPTORS,
    RefusableStream,
    SpareDescriptor,
    allow_usual_descriptors,
    connection_limits,
    refuse,
)


@pytest.mark.parametrize("soft", [1, 64, 65, 128, 256, 1024, 4096, 1 << 20])
def test_room_is_left_for_files_and_children(monkeypatch: pytest.MonkeyPatch, soft: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, soft))
    limits = connection_limits()
    assert 1 <= limits.pending <= MAX_PENDING
    assert 1 <= limits.open <= MAX_OPEN
    assert limits.each == limits.open
    if soft > 128:
        assert limits.open + limits.pending <= soft * 3 // 4
    assert limits.streams <= min(MAX_STREAMS, limits.total)
    if limits.total > 1:
        assert 1 <= limits.streams < limits.total
    if soft > 128:
        assert limits.total + limits.pending <= soft * 3 // 4
    assert 1 <= limits.batch <= max(1, limits.pending // 8)


def test_no_limit_of_the_system_is_no_reason_for_none_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlimited = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _: (unlimited, unlimited))
    limits = connection_limits(each=10)
    assert (limits.open, limits.pending, limits.each) == (MAX_OPEN, MAX_PENDING, 10)


@pytest.mark.parametrize("soft", [USUAL_DESCRIPTORS, 1 << 20])
def test_a_thousand_clients_may_follow_where_files_are_as_many_as_usual(
    monkeypatch: pytest.MonkeyPatch, soft: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, soft))
    limits = connection_limits()
    assert (limits.streams, limits.open) == (MAX_STREAMS, MAX_OPEN)
    assert limits.total == MAX_STREAMS + MAX_OPEN


UNLIMITED = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1024, 1 << 20), (USUAL_DESCRIPTORS, 1 << 20)),
        ((1024, UNLIMITED), (USUAL_DESCRIPTORS, UNLIMITED)),
        ((1024, 2048), (2048, 2048)),
        ((256, 256), (256, 256)),
        ((20_000, 20_000), None),
        ((UNLIMITED, UNLIMITED), None),
    ],
)
def test_the_limit_of_open_files_is_raised_to_what_is_usual_and_never_lowered(
    monkeypatch: pytest.MonkeyPatch, before: tuple[int, int], after: tuple[int, int] | None
) -> None:
    made = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: before)
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: made.append(limits))
    allow_usual_descriptors()
    assert made == ([] if after is None else [after])


def test_a_system_that_does_not_let_it_be_raised_is_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse_it(_which: int, _limits: tuple[int, int]) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, UNLIMITED))
    monkeypatch.setattr(resource, "setrlimit", refuse_it)
    allow_usual_descriptors()


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


async def test_who_was_answered_nothing_is_told_why(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    stream = RefusableStream(ours)
    refuse(stream)
    assert stream.closed()
    assert theirs.recv(4096) == REFUSAL
    head, _, body = REFUSAL.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    assert theirs.recv(1) == b""


async def test_who_has_sent_a_request_that_nobody_reads_is_told_why_and_not_reset() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as theirs,
    ):
        theirs.sendall(b"POST /rpc HTTP/1.1\r\n\r\n")
        ours, _ = listener.accept()
        refuse(RefusableStream(ours))
        assert theirs.recv(4096) == REFUSAL
        assert theirs.recv(1) == b""


async def test_who_has_left_already_is_refused_without_a_fuss(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    theirs.close()
    stream = RefusableStream(ours)
    refuse(stream)
    refuse(stream)
    assert stream.closed()


async def test_into_the_middle_of_an_answer_nothing_is_written(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    stream = RefusableStream(ours)
    await stream.write(b"HTTP/1.1 200 OK\r\n")
    refuse(stream)
    assert theirs.recv(4096) == b"HTTP/1.1 200 OK\r\n"
    assert theirs.recv(1) == b""


async def test_a_stream_of_another_kind_is_closed(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    refuse(IOStream(ours))
    assert theirs.recv(1) == b""


def test_the_spare_descriptor_is_there_again_after_each_refusal() -> None:
    spare = SpareDescriptor()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        assert not spare.refuse_next(listener)
        for _ in range(3):
            with socket.create_connection(listener.getsockname()) as stranger:
                stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
                assert spare.refuse_next(listener)
                assert stranger.recv(4096) == REFUSAL
                assert stranger.recv(1) == b""
        assert not spare.refuse_next(listener)
    spare.close()
    spare.close()


async def test_an_emptied_socket_is_not_read_again_and_nothing_is_lost(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pair
    stream = RefusableStream(ours)
    reads: list[int | None] = []
    read = IOStream.read_from_fd

    def counted(this: IOStream, buf: bytearray | memoryview) -> int | None:
        reads.append(read(this, buf))
        return reads[-1]

    monkeypatch.setattr(IOStream, "read_from_fd", counted)
    for number in range(20):
        # Asked before it comes, in the middle of it, and after it has come.
        asked = asyncio.ensure_future(stream.read_bytes(8)) if number % 3 else None
        await asyncio.sleep(0)
        theirs.send(b"%04d" % number)
        if number % 2:
            await asyncio.sleep(0)
        theirs.send(b"rest")
        got = await asyncio.wait_for(asked or stream.read_bytes(8), 30)
        assert got == b"%04drest" % number
    assert sum(count or 0 for count in reads) == 20 * 8
    long = b"x" * (3 << 20)
    sender = asyncio.get_running_loop().run_in_executor(None, theirs.sendall, long)
    assert await asyncio.wait_for(stream.read_bytes(len(long)), 30) == long
    await sender
    theirs.close()
    with pytest.raises(StreamClosedError):
        await asyncio.wait_for(stream.read_bytes(1), 30)


async def test_of_two_reads_of_a_short_message_one_is_spared(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    stream = RefusableStream(ours)
    theirs.send(b"abc")
    buffer = bytearray(16)
    assert stream.read_from_fd(buffer) == 3
    theirs.send(b"de")
    assert stream.read_from_fd(buffer) is None
    assert stream.read_from_fd(buffer) == 2
    full = bytearray(4)
    theirs.send(b"12345")
    assert stream.read_from_fd(buffer) is None
    assert [stream.read_from_fd(full), stream.read_from_fd(full)] == [4, 1]
