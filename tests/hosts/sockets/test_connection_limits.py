"""Limits on connections, by what the process may open."""

import resource
import socket
from collections.abc import Iterator

import pytest
from tornado.iostream import IOStream

from jupyter_ac.hosts.sockets.connection_limits import (
    MAX_OPEN,
    MAX_PENDING,
    REFUSAL,
    RefusableStream,
    SpareDescriptor,
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
    assert 1 <= limits.batch <= max(1, limits.pending // 8)


def test_no_limit_of_the_system_is_no_reason_for_none_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlimited = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _: (unlimited, unlimited))
    limits = connection_limits(each=10)
    assert (limits.open, limits.pending, limits.each) == (MAX_OPEN, MAX_PENDING, 10)


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
