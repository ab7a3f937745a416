import pytest
import tiktoken

from jupyter_ac.errors import NotFound
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.worker.tokens import count_tokens, part
from jupyter_ac.workers.launch import environment


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", environment({}, {})["TIKTOKEN_CACHE_DIR"])


async def test_texts_are_counted_in_order() -> None:
    assert await part(Jobs()).count("o200k_base", ["hello world", "", "a"]) == [2, 0, 1]


async def test_an_unknown_table_is_refused_without_a_download() -> None:
    with pytest.raises(NotFound, match="o200k_base or cl100k_base"):
        await part(Jobs()).count("gpt2", ["a"])


def test_a_text_that_the_tokenizer_cannot_take_whole_is_counted_in_pieces() -> None:
    table = tiktoken.get_encoding("o200k_base")
    assert count_tokens(table, " " * 1_000_000) > 1000
