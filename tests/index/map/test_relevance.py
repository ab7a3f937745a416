from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.cochange import CoChange, HistoryCommit
from jupyter_ac.index.map.inverted_index import InvertedIndex
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.relevance import (
    MapQuery,
    asked_words,
    file_likelihoods,
    name_likelihoods,
    resting_likelihood,
)
from tests.support.indexed import state_of

FILES = {
    "src/store.py": "def read_page():\n    pass\n",
    "src/shop.py": "from store import read_page\nread_page()\n",
    "src/paint.py": "def draw_circle():\n    pass\n",
    "src/other.py": "def wait():\n    pass\n",
    "tests/test_store.py": "def test_pages():\n    pass\n",
    "far/away.py": "def nothing():\n    pass\n",
}
STATE = state_of(FILES)
WORD_INDEX = InvertedIndex()
for path in STATE.paths():
    WORD_INDEX.put(path, "", STATE.record(path))
STORE = RepoPath("src/store.py")


def likely(ask: MapQuery, *commits: HistoryCommit) -> dict[str, float]:
    found = file_likelihoods(WORD_INDEX, STATE, CoChange(commits), ask, ())
    return {str(path): value for path, value in found.items()}


def test_a_selected_file_is_likely_whatever_is_asked() -> None:
    found = likely(MapQuery((STORE,), "wait and rest"))
    assert found[STORE] > 10 * found["src/paint.py"]


def test_a_file_of_the_questions_words_is_likelier() -> None:
    found = likely(MapQuery((), "drawing circles"))
    assert max(found, key=lambda path: found[path]) == "src/paint.py"


def test_what_refers_to_the_selected_file_and_its_test_are_likelier() -> None:
    found = likely(MapQuery((STORE,), ""))
    rest = resting_likelihood(RepoPath("far/away.py"))
    assert found["src/shop.py"] > found["src/other.py"] > rest
    assert found["tests/test_store.py"] > found["src/other.py"]


def test_what_changed_with_the_selected_file_is_likelier() -> None:
    away = RepoPath("far/away.py")
    assert likely(MapQuery((STORE,), ""), *[HistoryCommit([STORE, away])] * 3)[away] > 0.02
    assert away not in likely(MapQuery((STORE,), ""))


def test_a_name_that_many_folders_have_pairs_nothing() -> None:
    word_index = InvertedIndex()
    paths = [RepoPath(f"part{at}/main.c") for at in range(20)]
    for path in paths:
        word_index.put(path, "", None)
    found = file_likelihoods(word_index, state_of({}), CoChange(), MapQuery((paths[0],)), ())
    assert found.keys() == {paths[0]}
    for path in paths[2:]:
        word_index.remove(path)
    found = file_likelihoods(word_index, state_of({}), CoChange(), MapQuery((paths[0],)), ())
    assert found.keys() == set(paths[:2])


def test_a_file_whose_path_has_words_of_a_selected_files_path_is_likelier() -> None:
    word_index = InvertedIndex()
    given, like, far = map(RepoPath, ("src/bank/test_iban.py", "lib/bank/iban/be.py", "lib/x.py"))
    others = [RepoPath(f"src/part{at}.py") for at in range(120)]
    for path in (given, like, far, *others):
        word_index.put(path, "", None)
    found = file_likelihoods(word_index, state_of({}), CoChange(), MapQuery((given,)), ())
    assert found[like] > resting_likelihood(like)
    # `src` and `py` are words of too many paths.
    assert found.keys() == {given, like}


def test_a_file_whose_commits_speak_of_the_question_is_likelier() -> None:
    away, other = RepoPath("far/away.py"), RepoPath("src/other.py")
    found = likely(
        MapQuery((), "sharper corners"),
        HistoryCommit([away], "rounder corner"),
        HistoryCommit([other], "no"),
    )
    assert found["far/away.py"] > 3 * found["src/other.py"]


def test_a_file_that_is_gone_is_not_likely() -> None:
    assert "gone.py" not in likely(
        MapQuery((STORE,), ""), HistoryCommit([STORE, RepoPath("gone.py")], "gone")
    )
    assert "gone.py" not in likely(MapQuery((RepoPath("gone.py"),), ""))


def test_the_words_of_the_talk_count_less() -> None:
    words = asked_words(MapQuery((), "circles", ("the page",)), WORD_INDEX)
    assert words["circl"] > words["pag"] > 0


def test_names_that_the_question_has_are_likelier_and_long_ones_too() -> None:
    names = [
        Name("draw_circle", "function", 3, -1),
        Name("draw_line", "function", 3, -1),
        Name("wait", "function", 3, -1),
        Name("rest", "function", 300, -1),
    ]
    asked = {"draw": 0.4, "circl": 0.6}
    found = name_likelihoods(names, asked, {"draw_circle"}, tests=False)
    assert found[0] > found[1] > found[2]
    assert found[3] > found[2]
    assert name_likelihoods(names, asked, (), tests=True)[2] < found[2]


def test_names_akin_to_those_of_the_selected_files_are_likelier_and_data_less() -> None:
    names = [
        Name("test_read_page", "function", 3, -1),
        Name("test_waiting", "function", 3, -1),
        Name("TEST_WAIT", "constant", 3, -1),
    ]
    found = name_likelihoods(names, {}, (), {"read", "pag"}, tests=True)
    assert found[0] > found[1] > found[2]
