"""Standard input and output, whatever they are connected to."""

import asyncio
import os
import pty
import socket
from pathlib import Path

import pytest

from jupyter_ac.transports.streams import Streams, open_streams

WAIT_S = 90


async def read_all(streams: Streams) -> bytes:
    found = bytearray()
    async with asyncio.timeout(WAIT_S):
        while data := await streams.read(1 << 16):
            found += data
    return bytes(found)


async def close(streams: Streams) -> None:
    async with asyncio.timeout(WAIT_S):
        streams.writer.close()
        await streams.output_ended()


async def test_a_pipe() -> None:
    (here_in, there_out), (there_in, here_out) = os.pipe(), os.pipe()
    here, there = await open_streams(here_in, here_out), await open_streams(there_in, there_out)
    here.writer.write(b"x" * 1_000_000)
    there.writer.write(b"y" * 1_000_000)
    reading = asyncio.gather(read_all(here), read_all(there))
    await asyncio.gather(close(here), close(there))
    assert list(await reading) == [b"y" * 1_000_000, b"x" * 1_000_000]


async def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"line\n" * 100_000)
    read_fd = os.open(tmp_path / "in", os.O_RDONLY)
    write_fd = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    streams = await open_streams(read_fd, write_fd)
    data = await read_all(streams)
    streams.writer.write(data)
    await close(streams)
    assert (tmp_path / "out").read_bytes() == b"line\n" * 100_000


async def test_a_terminal_stays_as_it_is() -> None:
    ours, theirs = pty.openpty()
    streams = await open_streams(os.dup(theirs), os.dup(theirs))
    assert os.get_blocking(theirs)
    os.write(ours, b"typed\n")
    async with asyncio.timeout(WAIT_S):
        assert await streams.read(100) == b"typed\n"
    streams.writer.write(b"shown")
    await close(streams)
    shown = b""
    while not shown.endswith(b"shown"):  # what was typed is echoed before, perhaps on its own
        shown += await asyncio.to_thread(os.read, ours, 100)
    os.close(theirs)
    os.close(ours)
    assert await read_all(streams) == b""


async def test_a_pipe_that_the_log_goes_to_as_well_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_fd, write_fd = os.pipe()
    back_fd, back = os.pipe()
    monkeypatch.setattr("jupyter_ac.transports.streams._LOG_FD", os.dup(write_fd))
    streams = await open_streams(back_fd, write_fd)
    assert os.get_blocking(write_fd)
    streams.writer.write(b"frame\n")
    assert await asyncio.to_thread(os.read, read_fd, 100) == b"frame\n"
    await close(streams)
    os.close(back)
    assert await read_all(streams) == b""
    os.close(read_fd)


async def test_one_socket_for_both() -> None:
    here, there = socket.socketpair()
    streams = await open_streams(os.dup(here.fileno()), os.dup(here.fileno()))
    here.close()
    there.sendall(b"ping")
    async with asyncio.timeout(WAIT_S):
        assert await streams.read(10) == b"ping"
        streams.writer.write(b"pong")
        assert await asyncio.to_thread(there.recv, 10) == b"pong"
        there.close()
        assert await read_all(streams) == b""
    await close(streams)
