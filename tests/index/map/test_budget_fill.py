from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.budget_fill import BudgetFill, TokenCounter
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.packing import Likely
from jupyter_ac.index.map.text import LEGEND, plain_or_quoted
from jupyter_ac.workers.launch import environment


def count(text: str) -> int:
    return len(text) // 3


def files(number: int) -> dict[RepoPath, Likely]:
    names = tuple(Name(f"name_{at}", "function", 3, -1, "(a)") for at in range(10))
    return {
        RepoPath(f"pkg{at % 5}/file_{at}.py"): Likely(1 / (at + 2), names, [0.05] * 10)
        for at in range(number)
    }


@pytest.mark.parametrize("budget", [16, 64, 100, 333, 1000, 5000])
def test_a_map_never_has_more_tokens_than_its_budget(budget: int) -> None:
    text = BudgetFill(files(60), budget, count).fill()
    assert count(text) <= budget
    assert budget < 20 or text


def test_names_leave_room_for_paths() -> None:
    filling = BudgetFill(files(60), 400, count)
    filling.fill()
    shown = filling.shown()
    assert any(shown.values())
    assert not all(shown.values())


def test_what_has_room_is_shown_with_signatures() -> None:
    text = BudgetFill(files(3), 10_000, count).fill()
    assert text.count("(a)") == 30


def test_files_that_stand_elsewhere_have_no_path_of_their_own() -> None:
    some = {path: Likely(file.value, (), ()) for path, file in files(6).items()}
    known = list(some)[:3]
    filling = BudgetFill(some, 1000, count, known)
    filling.fill()
    assert set(filling.shown()) == set(some) - set(known)


def test_nothing_that_fits_is_no_map() -> None:
    assert BudgetFill(files(3), 1, count).fill() == ""
    assert BudgetFill({}, 100, count).fill() == ""


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
        shown = " ".join(map(plain_or_quoted, names))
        text = f"{LEGEND}a/ {shown} +12\n b.py: C({shown}) {shown}\n"
        assert tally(text) == exact(text) if "  " not in text else tally(text) >= exact(text)

    any_names_too()
