import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.models.tokens import Encoding, TokenCounter, encoding_for
from jupyter_ac.workers.process import Worker

LIMIT_S = 90.0


class CountingWorker(Worker):
    """A real worker that remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__("tokens")
        self.batches: list[Sequence[str]] = []

    async def call(self, name: str, *args: object, timeout_s: float = LIMIT_S) -> object:
        texts = args[1]
        assert isinstance(texts, list)
        self.batches.append(texts)
        return await super().call(name, *args, timeout_s=timeout_s)


@asynccontextmanager
async def counter(capacity: int = 100) -> AsyncIterator[tuple[TokenCounter, CountingWorker]]:
    worker = CountingWorker()
    try:
        yield TokenCounter(worker, capacity), worker
    finally:
        await asyncio.wait_for(worker.aclose(), LIMIT_S)


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o", Encoding("o200k_base", estimate=False)),
        ("openai/gpt-5.4-mini", Encoding("o200k_base", estimate=False)),
        ("azure/gpt-4.1", Encoding("o200k_base", estimate=False)),
        ("o3-mini", Encoding("o200k_base", estimate=False)),
        ("groq/openai/gpt-oss-120b", Encoding("o200k_base", estimate=False)),
        ("gpt-4-turbo", Encoding("cl100k_base", estimate=False)),
        ("anthropic/claude-sonnet-4-5", Encoding("cl100k_base", estimate=True)),
        ("gemini/gemini-2.5-pro", Encoding("cl100k_base", estimate=True)),
        ("openai/SmolLM2-135M-Instruct", Encoding("cl100k_base", estimate=True)),
        ("ollama/olmo-2", Encoding("cl100k_base", estimate=True)),
    ],
)
def test_the_table_follows_from_the_model(model: str, encoding: Encoding) -> None:
    assert encoding_for(model) == encoding


async def test_counts_are_those_of_the_table() -> None:
    async with counter() as (tokens, _):
        assert await tokens.count("o200k_base", ["hello world", "", "漢漢漢"]) == [2, 0, 3]
        assert await tokens.count("cl100k_base", ["漢漢漢"]) == [6]


async def test_special_tokens_and_lone_surrogates_are_plain_text() -> None:
    async with counter() as (tokens, _):
        special, lone = await tokens.count("o200k_base", ["<|endoftext|>", "a\ud800b"])
        assert special > 1
        assert lone >= 3


async def test_very_long_runs_of_one_character_are_counted() -> None:
    async with counter() as (tokens, _):
        counted = await tokens.count("o200k_base", [" " * 1_000_000, "x" * 200_000])
        assert all(count > 0 for count in counted)


async def test_what_was_counted_is_not_counted_again() -> None:
    async with counter() as (tokens, worker):
        first = await tokens.count("o200k_base", ["one", "two", "one"])
        second = await tokens.count("o200k_base", ["two", "one", "three"])
        assert first == [1, 1, 1]
        assert second == [1, 1, 1]
        assert worker.batches == [["one", "two"], ["three"]]


async def test_the_tables_do_not_share_what_they_counted() -> None:
    async with counter() as (tokens, worker):
        await tokens.count("o200k_base", ["one"])
        await tokens.count("cl100k_base", ["one"])
        assert len(worker.batches) == 2


async def test_the_memory_is_bounded_and_keeps_what_was_used_last() -> None:
    async with counter(capacity=2) as (tokens, worker):
        await tokens.count("o200k_base", ["a", "b"])
        await tokens.count("o200k_base", ["a", "c"])
        await tokens.count("o200k_base", ["a"])
        assert worker.batches == [["a", "b"], ["c"]]
        await tokens.count("o200k_base", ["b"])
        assert worker.batches[-1] == ["b"]


async def test_more_texts_than_the_memory_holds_are_all_counted() -> None:
    async with counter(capacity=2) as (tokens, _):
        assert await tokens.count("o200k_base", list("abcdefgh")) == [1] * 8


async def test_five_megabytes_go_out_in_small_messages() -> None:
    texts = [f"{number} " + "word " * 20_000 for number in range(50)]
    async with counter() as (tokens, worker):
        counted = await tokens.count("cl100k_base", texts)
        assert all(20_000 <= count <= 20_003 for count in counted)
        sizes = [sum(map(len, batch)) for batch in worker.batches]
        assert max(sizes) <= 512 * 1024
        assert len(sizes) >= 10


async def test_an_unknown_table_is_named() -> None:
    async with counter() as (tokens, _):
        with pytest.raises(NotFound, match="r50k_base"):
            await tokens.count("r50k_base", ["a"])


async def test_a_worker_that_died_is_asked_again() -> None:
    async with counter() as (tokens, worker):
        await tokens.count("o200k_base", ["a"])
        call = asyncio.create_task(tokens.count("o200k_base", ["word " * 400_000]))
        while len(worker.batches) < 2:
            await asyncio.sleep(0)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        assert (await asyncio.wait_for(call, LIMIT_S))[0] > 0
        assert len(worker.batches) == 3
