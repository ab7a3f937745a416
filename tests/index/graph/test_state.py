"""The index in memory."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.state import LoadedIndex
from tests.support.indexed import imported, meant, put, state_of

HELPER = "def helper_one(): pass\n"


def test_a_file_that_comes_later_is_what_an_import_leads_to() -> None:
    state = state_of({"b.py": "from a import helper_one\nhelper_one()\n"})
    assert imported(state, "b.py") == [None]
    put(state, "a.py", HELPER)
    state.update()
    assert imported(state, "b.py") == ["a.py"]
    assert meant(state, "b.py", "helper_one") == "a.py:helper_one"


def test_a_file_that_is_gone_is_gone_everywhere() -> None:
    state = state_of({"a.py": HELPER, "b.py": "from a import helper_one\nhelper_one()\n"})
    state.remove(RepoPath("a.py"))
    state.remove(RepoPath("a.py"))
    state.update()
    assert list(state.paths()) == ["b.py"]
    assert imported(state, "b.py") == [None]
    assert meant(state, "b.py", "helper_one") == ""
    assert state.defining("helper_one") == []
    assert state.holders("helper_one") == ["b.py"]
    assert state.targets(RepoPath("b.py")) == {}


def test_a_second_definition_ends_what_a_unique_name_meant() -> None:
    state = state_of({"a.py": HELPER, "b.py": "x.helper_one()\n"})
    assert meant(state, "b.py", "helper_one") == "a.py:helper_one"
    put(state, "c.py", HELPER)
    state.update()
    assert meant(state, "b.py", "helper_one") == ""
    state.remove(RepoPath("a.py"))
    state.update()
    assert meant(state, "b.py", "helper_one") == "c.py:helper_one"


def test_a_file_may_lose_and_gain_its_record() -> None:
    state = state_of({"a.py": HELPER})
    state.put(RepoPath("a.py"), "1", b"")
    state.update()
    assert state.record(RepoPath("a.py")) is None
    assert state.defining("helper_one") == []
    put(state, "a.py", HELPER)
    state.update()
    assert len(state.defining("helper_one")) == 1


def test_settling_yields_while_much_is_new() -> None:
    state = LoadedIndex()
    for name in "abc":
        put(state, f"{name}.py", HELPER)
    assert sum(1 for _ in state.updating()) >= 3
    assert sum(1 for _ in state.updating()) == 0
    assert len(state.defining("helper_one")) == 3
