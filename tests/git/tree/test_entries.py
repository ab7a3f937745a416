import json

from jupyter_ac.git.tree.entries import (
    BINARY,
    LINK,
    MAX_DEPTH,
    SUBMODULE,
    Folder,
    TreeEntry,
    apply_changes,
    split,
)


def test_a_folder_is_spelt_as_leaves_by_name() -> None:
    folder = Folder(
        {
            "d/ü": TreeEntry(3, 1.5, 0),
            "d/a": TreeEntry(0, 0.1, BINARY),
            "d/l\udce9": TreeEntry(0, 2e9, LINK),
            "d/s": TreeEntry(0, 1e300, SUBMODULE),
        }
    )
    plain = {"type": "file", "lines": 0, "is_binary": False}
    assert json.loads(f"[{folder.json}]") == [
        {**plain, "name": "a", "path": "d/a", "mtime": 0.1, "is_binary": True},
        {**plain, "name": "l\udce9", "path": "d/l\udce9", "mtime": 2e9, "link": True},
        {**plain, "name": "s", "path": "d/s", "mtime": 1e300, "submodule": True},
        {**plain, "name": "ü", "path": "d/ü", "mtime": 1.5, "lines": 3},
    ]
    assert folder.json.isascii()


def test_folders_below_the_deepest_level_are_part_of_the_name() -> None:
    assert split("a") == ("", "a")
    assert split("a/b/c") == ("a/b", "c")
    deep = "/".join(["d"] * MAX_DEPTH)
    assert split(f"{deep}/f") == (deep, "f")
    assert split(f"{deep}/more/f") == (deep, "more/f")


def test_only_folders_with_changes_become_others() -> None:
    before = apply_changes(
        {}, [("a/x", TreeEntry(1, 1, 0)), ("a/y", TreeEntry(1, 1, 0)), ("b", TreeEntry(1, 1, 0))]
    )
    after = apply_changes(
        before, [("a/x", TreeEntry(2, 2, 0)), ("c/z", TreeEntry(3, 3, 0)), ("b", None)]
    )
    assert dict(before["a"].files) == {"a/x": TreeEntry(1, 1, 0), "a/y": TreeEntry(1, 1, 0)}
    assert dict(after["a"].files) == {"a/x": TreeEntry(2, 2, 0), "a/y": TreeEntry(1, 1, 0)}
    assert set(after) == {"a", "c"}
    assert apply_changes(before, [("b", TreeEntry(2, 2, 0))])["a"] is before["a"]


def test_taking_away_what_was_not_shown_changes_nothing() -> None:
    assert apply_changes({}, [("a/b", None)]) == {}
