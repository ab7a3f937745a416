from collections.abc import Sequence

from jupyter_ac.chat.prompt.blocks import question_block
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.errors import ConnectionClosed
from tests.chat.memory import QuarterCounter

ONE, TWO = question_block("a" * 40), question_block("b" * 8)


async def test_each_text_is_counted_once_for_each_encoding() -> None:
    counter = QuarterCounter()
    counts = BlockCounts(counter)
    assert await counts.each("x", [ONE, TWO, ONE]) == [10, 2, 10]
    assert await counts.each("x", [TWO, ONE]) == [2, 10]
    assert counter.asked == [ONE.text, TWO.text]
    await counts.each("y", [ONE])
    assert len(counter.asked) == 3


async def test_what_fits_by_its_length_is_not_counted() -> None:
    counter = QuarterCounter()
    scale = Scale(BlockCounts(counter), "x")
    assert await scale.fit([ONE, TWO], 48)
    assert counter.asked == []
    assert await scale.fit([ONE, TWO], 12)
    assert not await scale.fit([ONE, TWO], 11)
    assert await scale.total([ONE, TWO]) == 12


async def test_the_oldest_counts_are_forgotten_beyond_the_capacity() -> None:
    counter = QuarterCounter()
    counts = BlockCounts(counter, capacity=1)
    await counts.each("x", [ONE, TWO])
    assert await counts.each("x", [TWO]) == [2]
    assert await counts.each("x", [ONE]) == [10]
    assert counter.asked == [ONE.text, TWO.text, ONE.text]


async def test_a_counter_that_fails_is_replaced_by_an_estimate_until_it_works_again() -> None:
    class Failing(QuarterCounter):
        broken = True

        async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
            if self.broken:
                raise ConnectionClosed("the worker died")
            return [7 for _ in await super().count(encoding, texts)]

    counter = Failing()
    counts = BlockCounts(counter)
    assert await counts.each("x", [ONE, question_block("a")]) == [10, 1]
    counter.broken = False
    assert await counts.each("x", [ONE]) == [7]
