import base64
import random
import re
from pathlib import Path
from typing import Final

import pytest
import tiktoken

from jupyter_ac.errors import NotFound
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.worker.tokens import ENCODINGS, LONGEST_RUN, count_tokens, part, pieces_of
from jupyter_ac.workers.launch import environment

_SIZE: Final = 100_000
HOSTILE: Final = {
    "letters": "a" * _SIZE,
    "letters behind a word": "one " + "a" * _SIZE + " two",
    "ideographs": "漢" * _SIZE,
    "squares": "🟧" * _SIZE,
    "combining marks": "a" + "\u0301" * _SIZE,
    "letters with marks": "a\u0301" * (_SIZE // 2),
    "spaces": " " * _SIZE,
    "line ends": "\r\n" * (_SIZE // 2),
    "blank lines": "\n \t" * (_SIZE // 3),
    "punctuation": "=" * _SIZE,
    "separators of control": "\x1c!" * (_SIZE // 2),
    "runs one too long": ("b" * (LONGEST_RUN + 1) + " ") * (_SIZE // LONGEST_RUN),
    "runs that alternate": ("c" * _SIZE + " " * _SIZE) * 2,
}
ORDINARY: Final = (
    Path(__file__).read_text(),
    "word " * 5000,
    "吾輩は猫である。名前はまだ無い。\n" * 300,
    base64.b64encode(random.Random(1).randbytes(20_000)).decode(),
    '{"key":[1,2,3],"other":"text"},' * 2000,
    "d" * LONGEST_RUN + " " * LONGEST_RUN,
    "",
)


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", environment({}, {})["TIKTOKEN_CACHE_DIR"])


async def test_texts_are_counted_in_order() -> None:
    assert await part(Jobs()).count("o200k_base", ["hello world", "", "a"]) == [2, 0, 1]


async def test_an_unknown_table_is_refused_without_a_download() -> None:
    with pytest.raises(NotFound, match="o200k_base or cl100k_base"):
        await part(Jobs()).count("gpt2", ["a"])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_text_is_counted_as_the_table_does(encoding: str, text: str) -> None:
    table = tiktoken.get_encoding(encoding)
    assert count_tokens(table, text) == len(table.encode_ordinary(text))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_the_tokenizer_gets_no_long_run(text: str) -> None:
    pieces = list(pieces_of(text))
    assert "".join(pieces) == text
    assert max(_longest_run(piece) for piece in pieces) <= LONGEST_RUN
    assert len(pieces) <= 2 + 3 * len(text) // LONGEST_RUN


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_long_run_is_counted_in_pieces_closely(encoding: str) -> None:
    table = tiktoken.get_encoding(encoding)
    for text in ("a" * 20_000, "漢字仮名" * 5000, " " * 20_000, "\u0301" * 20_000):
        exact = len(table.encode_ordinary(text))
        assert 0.9 * exact <= count_tokens(table, text) <= 1.1 * exact


def test_a_text_that_the_tokenizer_cannot_take_whole_is_counted() -> None:
    assert count_tokens(tiktoken.get_encoding("o200k_base"), " " * 1_000_000) > 1000


def _longest_run(text: str) -> int:
    """Return the length of the longest part that is all blank, or has no blank and no digit."""
    runs = re.split(r"[0-9]|(?<=[ \t\r\n])(?=[^ \t\r\n])|(?<=[^ \t\r\n])(?=[ \t\r\n])", text)
    return max(map(len, runs))
