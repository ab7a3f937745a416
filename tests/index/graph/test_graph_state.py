"""What has changed since when."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph import graph_state
from jupyter_ac.index.graph.graph_state import ChangeJournal

A, B = RepoPath("a"), RepoPath("b")


def test_the_changes_since_a_version_are_those_after_it() -> None:
    kept = ChangeJournal()
    start = kept.version
    kept.note([A])
    middle = kept.version
    kept.note([B, A])
    assert set(kept.since(start) or ()) == {A, B}
    assert set(kept.since(middle) or ()) == {A, B}
    assert kept.since(kept.version) == []


def test_what_is_too_long_ago_is_not_known() -> None:
    kept = ChangeJournal()
    start = kept.version
    kept.note(RepoPath(str(number)) for number in range(graph_state.MOST + 1))
    assert kept.since(start) is None
    assert kept.since(kept.version) == []
    kept.note_all()
    kept.note([A])
    assert kept.since(kept.version - 1) == [A]
    assert kept.since(kept.version - 2) is None
