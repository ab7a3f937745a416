import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.stable import StableMaps, stable_map
from jupyter_ac.index.map.text import LEGEND
from tests.support.examples import examples
from tests.support.indexed import put, state_of

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
    other.update()
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
    missing = sum(map(int, re.findall(r" \+(\d+)$", drawn.text, re.MULTILINE)))
    assert missing == len(FILES) - len(drawn.paths) > 0


def test_an_empty_tree_has_no_map() -> None:
    assert stable_map(state_of({}), 1000, count).paths == frozenset()


TEXTS = (
    None,
    "",
    "def read_page():\n    pass\n",
    "from src.store import read_page\n\n\nclass Shop:\n    def sell(self):\n        read_page()\n",
)
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(
            ("src/store.py", "src/use3.py", "new/deep/shop.py", "top.py", "tests/t.py")
        ),
        st.sampled_from(TEXTS),
        st.sampled_from((150, 600)),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=examples(25), deadline=None)
@given(CHANGES)
def test_a_map_redrawn_after_any_changes_is_the_one_drawn_from_scratch(
    changes: list[tuple[str, str | None, int]],
) -> None:
    files: dict[str, str] = {path: FILES[path] for path in list(FILES)[:9]}
    state = state_of(files)
    maps = StableMaps(count)
    maps.draw(state, 300)
    for path, text, budget in changes:
        if text is None:
            state.remove(RepoPath(path))
            files.pop(path, None)
        else:
            put(state, path, text)
            files[path] = text
        state.update()
        assert maps.draw(state, budget) == stable_map(state_of(files), budget, count)


def test_a_change_that_says_nothing_new_leaves_every_byte() -> None:
    state = state_of(FILES)
    maps = StableMaps(count)
    before = maps.draw(state, 500)
    put(state, "src/store.py", "# more\n" + FILES["src/store.py"])
    state.update()
    assert maps.draw(state, 500) == before


@given(st.sets(st.sampled_from(sorted(FILES)), max_size=60), st.sampled_from([90, 300, 2000]))
@settings(max_examples=examples(20))
def test_left_out_files_are_neither_named_nor_counted(hidden: set[str], budget: int) -> None:
    without = frozenset(map(RepoPath, hidden))
    drawn = StableMaps(count).draw(state_of(FILES), budget, without)
    assert drawn.paths.isdisjoint(without)
    numbers = sum(int(found) for found in re.findall(r" \+(\d+)", drawn.text.split("\n", 1)[1]))
    if drawn.text and numbers:
        assert len(drawn.paths) + numbers == len(FILES) - len(hidden)
    if "tests/test_store.py" in hidden:
        assert "tests" not in drawn.text.split("\n", 1)[1]
