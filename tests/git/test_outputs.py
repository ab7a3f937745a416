import asyncio
import os

from jupyter_ac.git.outputs import Outlet


async def test_what_is_in_the_pipe_is_kept_though_somebody_holds_it_open() -> None:
    outlet = Outlet(100)
    writer = await outlet.open()
    os.write(writer, b"said")
    assert outlet.finish() == b"said"
    os.write(writer, b"nobody listens, and nobody is stopped")
    os.close(writer)
    outlet.close()


async def test_a_closed_pipe_is_read_to_its_end() -> None:
    outlet = Outlet(1 << 20)
    writer = await outlet.open()
    writing = asyncio.to_thread(os.write, writer, b"x" * 50_000)
    assert await writing == 50_000
    os.close(writer)
    assert outlet.finish() == b"x" * 50_000
    assert not outlet.truncated


async def test_more_than_wanted_is_said_once_also_when_it_came_before_anybody_asked() -> None:
    said: list[str] = []
    outlet = Outlet(3)
    outlet.data_received(b"four")
    outlet.data_received(b"more")
    outlet.when_full(lambda: said.append("full"))
    assert (outlet.finish(), outlet.truncated, said) == (b"fou", True, ["full"])


async def test_pieces_are_handed_on_until_no_more_is_wanted() -> None:
    pieces: list[bytes] = []
    said: list[str] = []

    def take(piece: bytes) -> bool:
        pieces.append(piece)
        return len(pieces) < 2

    outlet = Outlet(0, take)
    outlet.when_full(lambda: said.append("full"))
    for piece in (b"a", b"b", b"c"):
        outlet.data_received(piece)
    assert (pieces, outlet.truncated, said) == ([b"a", b"b"], True, ["full"])
    assert outlet.finish() == b""
