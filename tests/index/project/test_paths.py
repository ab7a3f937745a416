"""Paths as text."""

from jupyter_ac.index.project.paths import ancestors, inside, within


def test_a_way_that_leaves_the_tree_is_told_from_its_root() -> None:
    assert inside("a", "..") == ""
    assert inside("", ".") == ""
    assert inside("", "./b") == "b"
    assert inside("a/b", "../c") == "a/c"
    assert inside("a", "../..") is None
    assert within("a", "../..") == ""


def test_the_folders_around_one_end_with_the_root() -> None:
    assert list(ancestors("a/b")) == ["a/b", "a", ""]
