import json

from jupyter_ac.git.tree.entries import TreeEntry, apply_changes
from jupyter_ac.git.tree.serialize import Lists, serialize, subfolders


def test_a_tree_is_spelt_with_folders_first_and_its_lists() -> None:
    paths = ["z", "b/q/x", "b/a", "b.c/x", "a b/x", "Z/x"]
    filled = apply_changes({}, [(path, TreeEntry(1, 2.0, 0)) for path in paths])
    lists = Lists(["z"], ["b/a", "old"], ['q"'], [], [], {"ü": {"additions": 1, "deletions": 2}})
    tree = json.loads("".join(serialize('n"', filled, lists, "merge")))
    top = tree.pop("tree")
    assert tree == {
        "modified": ["z"],
        "staged": ["b/a", "old"],
        "untracked": ['q"'],
        "deleted": [],
        "conflicted": [],
        "diff_stats": {"ü": {"additions": 1, "deletions": 2}},
        "operation": "merge",
    }
    assert (top["name"], top["path"], top["type"], top["lines"]) == ('n"', "", "dir", 0)
    assert [child["name"] for child in top["children"]] == ["Z", "a b", "b", "b.c", "z"]
    folder = top["children"][2]
    assert [child["path"] for child in folder["children"]] == ["b/q", "b/a"]
    assert set(folder) == {"name", "path", "type", "lines", "children"}


def test_an_empty_tree_has_no_children() -> None:
    tree = json.loads("".join(serialize("r", {}, Lists(), None)))
    assert tree["tree"]["children"] == []
    assert tree["operation"] is None


def test_folders_that_hold_only_folders_are_found() -> None:
    assert subfolders(["a/b/c", "a"]) == {"": ["a"], "a": ["a/b"], "a/b": ["a/b/c"], "a/b/c": []}
    assert subfolders([]) == {"": []}
