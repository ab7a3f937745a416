import pytest

from jupyter_ac.index.map.stable import left_out, stable_map
from jupyter_ac.index.map.text import LEGEND
from tests.support.indexed import state_of

FILES = {
    "src/store.py": "def read_page():\n    pass\n\n\ndef _hidden():\n    pass\n",
    "tests/test_store.py": "def test_pages():\n    pass\n",
    **{
        f"src/use{at}.py": f"from store import read_page\n\n\ndef use_{at}():\n    read_page()\n"
        for at in range(30)
    },
    **{f"data/deep/item{at}.txt": "" for at in range(40)},
}


def count(text: str) -> int:
    return len(text) // 3


def test_the_legend_stands_once_and_first() -> None:
    drawn = stable_map(state_of(FILES), 2000, count)
    assert drawn.text.startswith(LEGEND)
    assert drawn.text.count("#") == 1
    assert drawn.tokens == count(drawn.text)


@pytest.mark.parametrize("budget", [1, 40, 64, 100, 300, 1000, 4000])
def test_the_budget_is_kept(budget: int) -> None:
    drawn = stable_map(state_of(FILES), budget, count)
    assert drawn.tokens <= budget
    assert bool(drawn.text) == bool(drawn.paths)


def test_a_tree_without_files_has_no_map() -> None:
    assert stable_map(state_of({}), 2000, count) == ("", 0, frozenset())


def test_it_depends_on_the_content_only() -> None:
    backwards = dict(reversed(FILES.items()))
    other = state_of({**backwards, "more.py": "x = 1\n"})
    other.remove(other.paths()[other.paths().index("more.py")])
    other.settle()
    assert stable_map(state_of(FILES), 500, count) == stable_map(other, 500, count)


def test_what_many_files_refer_to_comes_first() -> None:
    drawn = stable_map(state_of(FILES), 90, count)
    assert "store.py: read_page" in drawn.text


def test_tests_are_condensed_to_their_paths() -> None:
    drawn = stable_map(state_of(FILES), 4000, count)
    assert "tests/ test_store.py\n" in drawn.text
    assert "test_pages" not in drawn.text


def test_what_is_left_out_is_counted_by_folder() -> None:
    drawn = stable_map(state_of(FILES), 200, count)
    paths = state_of(FILES).paths()
    missing = left_out(paths, dict.fromkeys(drawn.paths, ""))
    assert missing.total() == len(paths) - len(drawn.paths)
    assert any(f" +{number}\n" in drawn.text for number in missing.values())


def test_an_empty_tree_has_no_map() -> None:
    assert stable_map(state_of({}), 1000, count).paths == frozenset()
