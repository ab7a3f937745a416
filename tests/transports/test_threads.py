"""Threads in the place of a loop's own transports."""

import asyncio
import os

from jupyter_ac.transports.threads import ThreadReader, ThreadWriter

WAIT_S = 90


class Recorder(asyncio.Protocol):
    """Notes what it is told, and asks for a pause when it has enough."""

    def __init__(self, pause_at: int = 1 << 30) -> None:
        self.data = bytearray()
        self.ended = asyncio.Event()
        self.error: Exception | None = None
        self.pauses: list[bool] = []
        self._pause_at = pause_at
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self.data += data
        if len(self.data) >= self._pause_at and isinstance(self._transport, ThreadReader):
            self._transport.pause_reading()

    def eof_received(self) -> None:
        self.ended.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.error = exc
        self.ended.set()

    def pause_writing(self) -> None:
        self.pauses.append(True)

    def resume_writing(self) -> None:
        self.pauses.append(False)


async def ended(recorder: Recorder) -> None:
    async with asyncio.timeout(WAIT_S):
        await recorder.ended.wait()


async def test_reading_pauses_and_goes_on() -> None:
    read_fd, write_fd = os.pipe()
    recorder = Recorder(pause_at=1)
    reader = ThreadReader(read_fd, recorder)
    assert reader.is_reading()
    os.write(write_fd, b"one")
    async with asyncio.timeout(WAIT_S):
        while not recorder.data:
            await asyncio.sleep(0.01)
    assert not reader.is_reading()
    recorder._pause_at = 1 << 30
    reader.resume_reading()
    os.write(write_fd, b"two")
    os.close(write_fd)
    await ended(recorder)
    assert bytes(recorder.data) == b"onetwo"


async def test_a_closed_reader_hands_on_nothing() -> None:
    read_fd, write_fd = os.pipe()
    recorder = Recorder()
    reader = ThreadReader(read_fd, recorder)
    reader.close()
    assert reader.is_closing()
    os.write(write_fd, b"late")
    os.close(write_fd)
    await asyncio.to_thread(lambda: None)
    assert not recorder.data
    assert not reader.is_reading()


async def test_an_error_of_the_descriptor_is_its_end() -> None:
    _, write_fd = os.pipe()
    recorder = Recorder()
    ThreadReader(write_fd, recorder)  # of a pipe the end that can't be read
    await ended(recorder)
    assert not recorder.data


async def test_writing_asks_for_a_pause_while_much_waits() -> None:
    read_fd, write_fd = os.pipe()
    recorder = Recorder()
    writer = ThreadWriter(write_fd, recorder)
    plenty = b"x" * 1_000_000
    writer.write(plenty)
    assert recorder.pauses == [True]
    assert writer.get_write_buffer_size() == len(plenty)
    writer.close()
    writer.write(b"after the end")
    with os.fdopen(read_fd, "rb") as file:
        reading = asyncio.create_task(asyncio.to_thread(file.read, len(plenty)))
        await ended(recorder)
        assert await reading == plenty
    assert recorder.pauses == [True, False]
    assert recorder.error is None


async def test_a_reader_that_is_gone_ends_the_writer_with_the_reason() -> None:
    read_fd, write_fd = os.pipe()
    os.close(read_fd)
    recorder = Recorder()
    writer = ThreadWriter(write_fd, recorder)
    writer.write(b"x")
    await ended(recorder)
    assert isinstance(recorder.error, BrokenPipeError)
    assert writer.is_closing()
    writer.abort()
