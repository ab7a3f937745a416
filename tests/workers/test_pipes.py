import asyncio
import os

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.workers.pipes import PipeTransport, open_pipes

LIMIT_S = 90.0


async def pair() -> tuple[PipeTransport, PipeTransport]:
    there_read, here_write = os.pipe()
    here_read, there_write = os.pipe()
    return await open_pipes(here_read, here_write), await open_pipes(there_read, there_write)


async def receive(transport: PipeTransport) -> bytes:
    return await asyncio.wait_for(transport.receive(), LIMIT_S)


async def test_frames_arrive_whole_and_in_order() -> None:
    one, two = await pair()
    for number in range(100):
        one.send(f'"{number} 🟧"')
    assert [await receive(two) for _ in range(100)] == [
        f'"{number} 🟧"\n'.encode() for number in range(100)
    ]
    await one.close()
    await two.close()


async def test_a_large_frame_passes_while_both_sides_send() -> None:
    one, two = await pair()
    large = f'"{"x" * 3_000_000}"'
    one.send(large)
    two.send(large)
    at_two, at_one = await asyncio.gather(receive(two), receive(one))
    assert at_two == at_one == large.encode() + b"\n"
    await asyncio.gather(one.close(), two.close())


async def test_half_a_character_keeps_no_other_frame_from_arriving() -> None:
    one, two = await pair()
    # The first ones fill the pipe, so that the others wait behind them.
    for frame in ('"\ud800"', f'"{"x" * 3_000_000}"', '"\udfff"', "2"):
        one.send(frame)
    came = [await receive(two) for _ in range(4)]
    assert came[0] == b'"\xed\xa0\x80"\n'
    assert came[2:] == [b'"\xed\xbf\xbf"\n', b"2\n"]
    await asyncio.gather(one.close(), two.close())


async def test_blank_lines_are_skipped() -> None:
    read_fd, write_fd = os.pipe()
    back_read, back_write = os.pipe()
    transport = await open_pipes(read_fd, back_write)
    os.write(write_fd, b"\n  \r\n1\r\n")
    assert await receive(transport) == b"1\r\n"
    os.close(write_fd)
    await transport.close()
    os.close(back_read)


async def test_the_end_of_the_other_side_is_the_end() -> None:
    one, two = await pair()
    one.send("1")
    await one.close()
    assert await receive(two) == b"1\n"
    with pytest.raises(ConnectionClosed):
        await receive(two)
    await two.close()


async def test_a_line_cut_by_the_end_is_no_frame() -> None:
    read_fd, write_fd = os.pipe()
    back_read, back_write = os.pipe()
    transport = await open_pipes(read_fd, back_write)
    os.write(write_fd, b'{"cut')
    os.close(write_fd)
    with pytest.raises(ConnectionClosed):
        await receive(transport)
    await transport.close()
    os.close(back_read)


async def test_a_line_over_the_limit_ends_the_connection() -> None:
    reader = asyncio.StreamReader(limit=100)
    reader.feed_data(b"x" * 300 + b"\n")
    one, two = await pair()
    narrow = PipeTransport(reader, one._writer)
    with pytest.raises(ConnectionClosed) as raised:
        await receive(narrow)
    assert raised.value.close_code == 1009
    await narrow.close()
    await two.close()


async def test_an_event_that_waits_gives_way_to_the_newest_of_its_key() -> None:
    one, two = await pair()
    filler = f'"{"x" * 1_000_000}"'
    for _ in range(3):
        one.send(filler)
    for number in range(50):
        one.send(str(number), newest_key="chunk")
    one.send('"last"')
    frames = [await receive(two)]
    while frames[-1] != b'"last"\n':
        frames.append(await receive(two))
    assert frames[3:] == [b"49\n", b'"last"\n']
    await one.close()
    await two.close()


async def test_after_the_end_frames_are_dropped_and_nothing_is_received() -> None:
    one, two = await pair()
    await one.close(1001, "going away")
    one.send("1")
    await one.close()
    with pytest.raises(ConnectionClosed) as raised:
        await receive(one)
    assert raised.value.close_code == 1001
    await two.close()


async def test_closing_gives_up_on_a_side_that_never_reads() -> None:
    one, two = await pair()
    for _ in range(20):
        one.send(f'"{"x" * 1_000_000}"')
    assert one.queued_bytes > 0
    await asyncio.wait_for(one.close(), LIMIT_S)
    assert one.queued_bytes == 0
    await two.close()


async def test_closing_what_broke_with_frames_under_way_is_quiet() -> None:
    read_fd, write_fd = os.pipe()
    back_read, back_write = os.pipe()
    transport = await open_pipes(read_fd, back_write)
    transport.send("x" * 1_000_000)
    os.close(back_read)
    os.close(write_fd)
    with pytest.raises(ConnectionClosed):
        await receive(transport)
    await asyncio.wait_for(transport.close(), LIMIT_S)
