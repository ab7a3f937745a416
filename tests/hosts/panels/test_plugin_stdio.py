"""A plugin's end of its standard streams."""

import os

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.panels.plugin_stdio import StdioPipe
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.lines import LineLimits
from jupyter_ac.transports.streams import open_streams


class Pipes:
    """Both pipes, and their other ends."""

    def __init__(self) -> None:
        self.read_fd, self.host_write = os.pipe()
        self.host_read, self.write_fd = os.pipe()

    def close(self) -> None:
        for fd in (self.host_write, self.host_read):
            os.close(fd)


async def test_lines_go_both_ways_and_the_end_is_heard() -> None:
    pipes = Pipes()
    pipe = StdioPipe(await open_streams(pipes.read_fd, pipes.write_fd))
    os.write(pipes.host_write, b'{"a": 1}\n\n{"b": 2}\n')
    assert [await pipe.transport.receive(), await pipe.transport.receive()] == [
        b'{"a": 1}',
        b'{"b": 2}',
    ]
    pipe.transport.send('{"c": 3}')
    assert os.read(pipes.host_read, 100) == b'{"c": 3}\n'
    os.close(pipes.host_write)
    with pytest.raises(EndOfInput):
        await pipe.transport.receive()
    await pipe.aclose()
    os.close(pipes.host_read)


async def test_a_message_that_is_too_long_ends_it() -> None:
    pipes = Pipes()
    pipe = StdioPipe(await open_streams(pipes.read_fd, pipes.write_fd))
    pipe._limits = LineLimits(frame_bytes=10)
    os.write(pipes.host_write, b"x" * 100 + b"\n")
    with pytest.raises(ConnectionClosed, match="too long"):
        await pipe.transport.receive()
    await pipe.aclose()
    pipes.close()
