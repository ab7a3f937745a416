from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.cochange import CoChange
from jupyter_ac.index.map.inverted_index import InvertedIndex
from jupyter_ac.index.map.ranked import likely_files, mentioned_files, ranked_map
from jupyter_ac.index.map.relevance import MapQuery
from tests.support.indexed import state_of

FILES = {
    "src/store.py": "def read_page(n):\n    pass\n",
    "src/shop.py": "from store import read_page\n\n\ndef sell():\n    read_page(1)\n",
    **{f"src/part{at}.py": f"def part_{at}():\n    pass\n" for at in range(40)},
    "docs/guide.md": "# Guide\n",
}
STATE = state_of(FILES)
WORD_INDEX = InvertedIndex()
for path in STATE.paths():
    WORD_INDEX.put(path, "", STATE.record(path))
ASK = MapQuery((RepoPath("src/store.py"),), "sell pages")


def count(text: str) -> int:
    return len(text) // 3


def test_ranked_and_budgeted() -> None:
    small = ranked_map(STATE, WORD_INDEX, CoChange(), ASK, 64, count)
    assert count(small) <= 64
    assert "store.py: read_page" in small
    assert "shop.py: sell" in small


def test_a_budget_for_all_shows_all_with_signatures() -> None:
    whole = ranked_map(STATE, WORD_INDEX, CoChange(), ASK, 5000, count)
    assert "read_page(n)" in whole
    assert "part39.py: part_39" in whole
    assert "docs/ guide.md" in whole


def test_the_same_inputs_give_the_same_bytes() -> None:
    maps = {ranked_map(STATE, WORD_INDEX, CoChange(), ASK, 200, count) for _ in range(3)}
    assert len(maps) == 1


def test_files_that_are_there_anyway_are_left_out() -> None:
    found = likely_files(STATE, WORD_INDEX, CoChange(), ASK, 5000, ASK.selected)
    assert "src/store.py" not in found
    assert "src/shop.py" in found


def test_an_empty_repository_has_no_map() -> None:
    assert ranked_map(state_of({}), InvertedIndex(), CoChange(), MapQuery(), 1000, count) == ""


NAMED_FILES = {
    "pkg/alpha.py": "def grow_tree():\n    pass\n\n\ndef run():\n    pass\n",
    "pkg/beta.py": "class SeedBed:\n    pass\n",
    "gamma.txt": "",
}


def mentioned(question: str) -> set[RepoPath]:
    state, word_index = state_of(NAMED_FILES), InvertedIndex()
    for path in state.paths():
        word_index.put(path, "", state.record(path))
    return mentioned_files(state, word_index, question)


def test_a_path_or_a_name_of_a_file_mentions_it() -> None:
    assert mentioned("look at `pkg/alpha.py`, please") == {"pkg/alpha.py"}
    assert mentioned("what is in gamma.txt?") == {"gamma.txt"}


def test_a_symbol_mentions_the_file_that_defines_it() -> None:
    assert mentioned("does grow_tree() call SeedBed?") == {"pkg/alpha.py", "pkg/beta.py"}


def test_plain_words_mention_nothing() -> None:
    assert mentioned("run it and see") == set()
    assert mentioned("") == set()
