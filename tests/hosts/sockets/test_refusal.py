"""A 503 for those who get no connection, on real sockets."""

import socket
from collections.abc import Iterator

import pytest
from tornado.iostream import IOStream

from jupyter_ac.hosts.sockets.refusal import REFUSAL, RefusableStream, SpareDescriptor, refuse


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
