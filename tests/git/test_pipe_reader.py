import asyncio
import os
from pathlib import Path

from jupyter_ac.git.pipe_reader import PipeReader


async def test_what_is_in_the_pipe_is_kept_though_somebody_holds_it_open() -> None:
    reader = PipeReader(100)
    writer = await reader.open()
    os.write(writer, b"said")
    assert reader.finish() == b"said"
    os.write(writer, b"nobody listens, and nobody is stopped")
    os.close(writer)
    reader.close()


async def test_a_closed_pipe_is_read_to_its_end() -> None:
    reader = PipeReader(1 << 20)
    writer = await reader.open()
    writing = asyncio.to_thread(os.write, writer, b"x" * 50_000)
    assert await writing == 50_000
    os.close(writer)
    assert reader.finish() == b"x" * 50_000
    assert not reader.truncated


async def test_more_than_wanted_is_said_once_also_when_it_came_before_anybody_asked() -> None:
    said: list[str] = []
    reader = PipeReader(3)
    reader.data_received(b"four")
    reader.data_received(b"more")
    reader.call_at_limit(lambda: said.append("full"))
    assert (reader.finish(), reader.truncated, said) == (b"fou", True, ["full"])


async def test_pieces_are_handed_on_until_no_more_is_wanted() -> None:
    pieces: list[bytes] = []
    said: list[str] = []

    def take(piece: bytes) -> bool:
        pieces.append(piece)
        return len(pieces) < 2

    reader = PipeReader(0, take)
    reader.call_at_limit(lambda: said.append("full"))
    for piece in (b"a", b"b", b"c"):
        reader.data_received(piece)
    assert (pieces, reader.truncated, said) == ([b"a", b"b"], True, ["full"])
    assert reader.finish() == b""


def opened_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_whoever_is_cancelled_while_it_opens_leaves_nothing_open() -> None:
    before = opened_files()
    opening = asyncio.create_task(PipeReader(1).open())
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait({opening})
    assert opening.cancelled()
    await asyncio.sleep(0)
    assert opened_files() == before
