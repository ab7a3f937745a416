import asyncio

from jupyter_ac.worker.deltas import FULL, MAX_PIECE, DeltaBuffer


async def test_the_first_increment_goes_out_at_once() -> None:
    sent: list[str] = []
    DeltaBuffer(sent.append).add("a")
    assert sent == ["a"]


async def test_later_increments_are_joined_and_sent_after_a_pause() -> None:
    sent: list[str] = []
    buffer = DeltaBuffer(sent.append)
    for text in "abcdef":
        buffer.add(text)
    assert sent == ["a"]
    async with asyncio.timeout(30):
        while len(sent) < 2:
            await asyncio.sleep(0)
    assert sent == ["a", "bcdef"]


async def test_much_text_does_not_wait() -> None:
    sent: list[str] = []
    buffer = DeltaBuffer(sent.append)
    buffer.add("a")
    buffer.add("b" * FULL)
    assert sent == ["a", "b" * FULL]


async def test_the_end_flushes_what_is_left_once() -> None:
    sent: list[str] = []
    buffer = DeltaBuffer(sent.append)
    for text in "abc":
        buffer.add(text)
    buffer.flush()
    buffer.flush()
    assert sent == ["a", "bc"]
    await asyncio.sleep(0.02)
    assert sent == ["a", "bc"]


async def test_nothing_is_sent_for_nothing() -> None:
    sent: list[str] = []
    DeltaBuffer(sent.append).flush()
    assert sent == []


async def test_a_large_increment_is_sent_in_pieces() -> None:
    sent: list[str] = []
    text = "".join(map(str, range(10_000)))
    DeltaBuffer(sent.append).add(text)
    assert "".join(sent) == text
    assert max(map(len, sent)) == MAX_PIECE
