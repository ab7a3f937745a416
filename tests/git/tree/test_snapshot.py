from jupyter_ac.git.tree.entries import Folder, TreeEntry, apply_changes
from jupyter_ac.git.tree.serialize import Lists
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.rpc.codec import decode, encode

ONE, TWO = TreeEntry(1, 1.0, 0), TreeEntry(2, 2.0, 0)


def _snapshot(filled: dict[str, Folder]) -> Snapshot:
    return Snapshot("e-1", "r", "main abc", None, Lists(), filled)


def test_files_are_found_by_path() -> None:
    snapshot = _snapshot(apply_changes({}, [("b", ONE), ("a/x", TWO), ("a/b/y", ONE)]))
    assert snapshot.entries["a/x"] == TWO
    assert "a" not in snapshot.entries
    assert "nowhere/x" not in snapshot.entries
    assert len(snapshot.entries) == 3
    assert snapshot.paths == ("a/b/y", "a/x", "b")
    assert set(snapshot.folders) == {"", "a", "a/b"}


def test_what_differs_is_told_in_both_directions() -> None:
    older = _snapshot(apply_changes({}, [("same", ONE), ("gone/x", ONE), ("d/changed", ONE)]))
    newer = _snapshot(apply_changes({}, [("same", ONE), ("d/changed", TWO), ("d/new", ONE)]))
    assert (
        newer.changed_from(older) == older.changed_from(newer) == ["d/changed", "d/new", "gone/x"]
    )
    assert newer.changed_from(newer) == []


def test_it_is_spelt_once_for_all_answers() -> None:
    snapshot = _snapshot(apply_changes({}, [("l\udce9", ONE)]))
    assert snapshot.encoded is snapshot.encoded
    tree = decode(encode(snapshot.encoded))
    assert isinstance(tree, dict)
    assert tree["tree"]["children"][0]["path"] == "l\udce9"
