"""The paths of a tree."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.project.path_tree import PathTree, ancestors, nearest, within

paths = st.sampled_from([RepoPath(p) for p in ("a", "b/a", "b/c/a", "b/c/d", "b-c", "c/b/a")])


@given(st.lists(paths))
def test_adding_and_removing_leaves_no_trace(changes: list[RepoPath]) -> None:
    tree, there = PathTree(), set[RepoPath]()
    for path in changes:
        tree.all()
        if path in there:
            there.remove(path)
            tree.remove(path)
        else:
            there.add(path)
            tree.add(path)
    fresh = PathTree()
    for path in there:
        fresh.add(path)
    assert tree.all() == sorted(there)
    for name in ("a", "b", "c", "d", "b-c"):
        assert sorted(tree.named(name)) == sorted(fresh.named(name))
        assert sorted(tree.folders_named(name)) == sorted(fresh.folders_named(name))
    for folder in ("", "b", "b/c", "c"):
        assert sorted(tree.entries(folder)) == sorted(fresh.entries(folder))
        prefix = f"{folder}/" if folder else ""
        assert list(tree.below(folder)) == sorted(p for p in there if p.startswith(prefix))


def test_new_and_last_folders_are_told() -> None:
    tree = PathTree()
    assert tree.add(RepoPath("a/b/c")) == ["a/b", "a"]
    assert tree.add(RepoPath("a/d")) == []
    assert tree.remove(RepoPath("a/b/c")) == ["a/b"]


def test_a_path_out_of_the_tree_is_none() -> None:
    assert within("a/b", "../c/./d") == "a/c/d"
    assert within("a", "../../c") == ""
    assert list(ancestors("a/b")) == ["a/b", "a", ""]


def test_the_nearest_shares_most_folders_then_is_shortest() -> None:
    assert nearest(["x/pkg/a", "y/pkg/a", "a"], "y/tests/t") == "y/pkg/a"
    assert nearest(["x/pkg/a", "w/pkg/a"], "y/t") == "w/pkg/a"
    assert nearest([], "y/t") == ""
