from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.map.text import LEGEND, spelt
from jupyter_ac.index.map.token_counter import TokenCounter
from jupyter_ac.workers.launch import environment

SAMPLE = (
    LEGEND + 'a/b/ x.py "c d.py" +3\n y_1.py: Tree(grow(n?)->R cut) größe 3d\n./ 20260101.txt\n'
)


def test_each_part_is_counted_once() -> None:
    asked: list[str] = []

    def count(part: str) -> int:
        asked.append(part)
        return len(part)

    tally = TokenCounter(count)
    assert tally(SAMPLE) == len(SAMPLE)
    assert tally(SAMPLE + "b\n") == len(SAMPLE) + 2
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("text", ["", "\n", "a", " a\n", "a b\n\nc", "a \n"])
def test_all_of_a_text_is_counted(text: str) -> None:
    assert TokenCounter(len)(text) == len(text)


@pytest.fixture(name="exact")
def tokenizer(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    variable = "TIKTOKEN_CACHE_DIR"
    monkeypatch.setenv(variable, environment({}, {})[variable])
    table = pytest.importorskip("tiktoken").get_encoding("cl100k_base")
    return lambda text: len(table.encode_ordinary(text))


def test_it_counts_as_the_tokenizer_does(exact: Callable[[str], int]) -> None:
    tally = TokenCounter(exact)
    assert tally(SAMPLE) == exact(SAMPLE)

    @given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=6))
    def any_names_too(names: list[str]) -> None:
        shown = " ".join(map(spelt, names))
        text = f"{LEGEND}a/ {shown} +12\n b.py: C({shown}) {shown}\n"
        assert tally(text) == exact(text) if "  " not in text else tally(text) >= exact(text)

    any_names_too()
