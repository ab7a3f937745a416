import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import Conflict
from jupyter_ac.git.checkpoints.notes import LeftOut, Notes, Permissions
from jupyter_ac.ids import RepoPath

names = st.text(st.characters(codec="utf-8", exclude_characters="/\\\0."), min_size=1, max_size=9)


@given(
    st.lists(st.tuples(names, st.text(max_size=9), st.text(max_size=9))),
    st.frozensets(names),
    st.frozensets(st.sampled_from(["a", "a/b", "caf\udce9", "new\nline"])),
    st.dictionaries(
        names.map(RepoPath), st.tuples(st.sampled_from(["100644", "100755"]), st.integers(0, 0o777))
    ),
)
def test_notes_are_stored_and_read(
    left_out: list[tuple[str, str, str]],
    ignored: frozenset[str],
    folders: frozenset[str],
    bits: dict[RepoPath, tuple[str, int]],
) -> None:
    known = tuple(LeftOut(*row) for row in left_out)
    notes = Notes(known, ignored, folders, Permissions.of(bits))
    assert Notes.decode(notes.encode()) == notes


@given(st.binary(max_size=50))
def test_anything_else_is_damaged(data: bytes) -> None:
    with pytest.raises(Conflict, match="damaged"):
        Notes.decode(data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("folders", ["../x"]),
        ("folders", [".git/x"]),
        ("folders", [1]),
        ("folders", 1),
        ("left_out", [["a"]]),
        ("ignored", [None]),
        ("usual", {"100644": "x"}),
        ("others", []),
        ("others", {"a": None}),
    ],
)
def test_a_wrong_member_is_damaged(key: str, value: object) -> None:
    stored = json.loads(Notes().encode()) | {key: value}
    with pytest.raises(Conflict, match="damaged"):
        Notes.decode(json.dumps(stored).encode())


def test_deep_nesting_is_damaged() -> None:
    with pytest.raises(Conflict, match="damaged"):
        Notes.decode(b"[" * 100_000)


def test_permissions_are_those_of_most_files_unless_noted() -> None:
    found = {RepoPath(f"{n}"): ("100644", 0o664) for n in range(3)}
    kept = Permissions.of({**found, RepoPath("x"): ("100644", 0o600)})
    assert kept.others == {"x": 0o600}
    assert kept.st_mode(RepoPath("1"), "100644") == 0o100664
    assert kept.st_mode(RepoPath("x"), "100644") == 0o100600
    assert kept.st_mode(RepoPath("x"), "100755") == 0o100700
    assert kept.st_mode(RepoPath("unknown"), "100755") == 0o100700
    assert Permissions().st_mode(RepoPath("a"), "100644") == 0o100600
