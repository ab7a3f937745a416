from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.file_importance import FileImportance, level_of
from tests.support.examples import examples
from tests.support.indexed import put, state_of

PATHS = [
    RepoPath(path)
    for path in ("a.py", "b.py", "lib/c.py", "lib/deep/d.py", "tests/test_c.py", "x/y/z/notes.txt")
]
TEXTS = ("", "from lib.c import thing_one\nthing_one()\n", "def thing_one():\n    pass\n")
CHANGES = st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from((None, *TEXTS))), max_size=8)


def test_tests_matter_least_and_references_count_by_powers_of_two() -> None:
    assert level_of(RepoPath("tests/test_a.py"), 99) == 0
    assert [level_of(RepoPath("a.py"), fame) for fame in (0, 1, 2, 3, 4)] == [1, 2, 3, 3, 4]


@settings(max_examples=examples(25), deadline=None)
@given(CHANGES)
def test_standing_after_any_changes_is_that_of_the_tree(
    changes: list[tuple[RepoPath, str | None]],
) -> None:
    state, standing = state_of({"lib/c.py": TEXTS[2], "b.py": TEXTS[1]}), FileImportance()
    standing.follow(state)
    for path, text in changes:
        if text is None:
            state.remove(path)
        else:
            put(state, path, text)
        state.update()
        standing.follow(state)
        anew = FileImportance()
        anew.follow(state)
        assert list(standing.first(99)) == list(anew.first(99))
        shown = state.paths()[::2]
        assert standing.left_out(shown) == anew.left_out(shown)


def test_what_is_left_out_counts_at_the_nearest_folder_that_is_shown() -> None:
    paths = ["a.txt", "p/b.txt", "p/q/c.txt", "p/q/r/d.txt", "s/e.txt", "s/t/f.txt"]
    standing = FileImportance()
    standing.follow(state_of(dict.fromkeys(paths, "")))
    assert standing.left_out([]) == {"": 6}
    assert standing.left_out([RepoPath("p/q/c.txt")]) == {"p/q": 1, "": 4}
    assert standing.left_out([RepoPath("p/b.txt"), RepoPath("s/t/f.txt")]) == {"p": 2, "": 2}
    assert Counter(standing.left_out([RepoPath(path) for path in paths])).total() == 0
