import asyncio
import gc
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.entries import MAX_DEPTH, TreeEntry, apply_changes
from jupyter_ac.git.tree.serialize import (
    FileTree,
    Lists,
    Node,
    flat_file_list,
    serialize,
    subfolders,
)
from tests.support.jupyter_files import BESIDE, with_setting, write_beside
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.trees import file_tree


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


def _leaves(node: Node) -> Iterator[Node]:
    for child in node.get("children", []):
        if child["type"] == "dir":
            yield from _leaves(child)
        else:
            yield child


def _by_path(tree: FileTree) -> dict[str, Node]:
    return {leaf["path"]: leaf for leaf in _leaves(tree["tree"])}


async def _tree(folder: RepositoryFolder) -> FileTree:
    return await file_tree(await discover(folder.root))


async def test_an_empty_repository_has_an_empty_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "empty one")
    assert await _tree(folder) == {
        "tree": {"name": "empty one", "path": "", "type": "dir", "lines": 0, "children": []},
        "modified": [],
        "staged": [],
        "untracked": [],
        "deleted": [],
        "conflicted": [],
        "diff_stats": {},
        "operation": None,
    }
    assert await flat_file_list(await discover(folder.root)) == ""


async def test_folders_come_first_then_names_in_order(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"b": "x\n", "a.py": "x\ny\n", "Z/q": "", "a/z": "x", "a/b/c": b"\0\n"}
    )
    tree = (await _tree(folder))["tree"]
    names = [(child["name"], child["path"], child["type"]) for child in tree["children"]]
    assert names == [
        ("Z", "Z", "dir"),
        ("a", "a", "dir"),
        ("a.py", "a.py", "file"),
        ("b", "b", "file"),
    ]
    leaf = tree["children"][2]
    assert leaf == {
        "name": "a.py",
        "path": "a.py",
        "type": "file",
        "lines": 2,
        "mtime": (folder.root / "a.py").stat().st_mtime,
        "is_binary": False,
    }
    inner = tree["children"][1]["children"][0]
    assert inner["name"] == "b"
    assert "mtime" not in inner
    assert (inner["children"][0]["is_binary"], inner["children"][0]["lines"]) == (True, 0)


async def test_before_the_first_commit_files_are_listed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("staged", "x\ny\n")
    folder.git("add", "staged")
    folder.write("fresh")
    tree = await _tree(folder)
    assert (tree["staged"], tree["untracked"]) == (["staged"], ["fresh"])
    assert tree["diff_stats"] == {"staged": {"additions": 2, "deletions": 0}}


async def test_a_new_folder_shows_every_file_in_it_and_ignored_ones_nowhere(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {".gitignore": "*.log\n/build/\n"})
    for path in ("new/a", "new/deep/b", "new/deep/.gitignore", "x.log", "build/c", "new/y.log"):
        folder.write(path, "*.tmp\n")
    folder.write("new/deep/z.tmp")
    tree = await _tree(folder)
    assert tree["untracked"] == ["new/a", "new/deep/.gitignore", "new/deep/b"]
    assert set(_by_path(tree)) == {".gitignore", *tree["untracked"]}


async def test_a_file_that_is_ignored_but_tracked_is_listed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"x.log": "x\n"})
    folder.write(".gitignore", "*.log\n")
    assert "x.log" in _by_path(await _tree(folder))


async def test_changes_are_told_apart(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r",
        dict.fromkeys(("mod", "both", "gone", "removed", "kept", "exec"), "one\ntwo\n"),
    )
    folder.write("mod", "one\ntwo\nthree\n")
    folder.write("both", "one\n")
    folder.git("add", "both")
    folder.write("both", "one\nzwei\n")
    (folder.root / "gone").unlink()
    folder.git("rm", "-q", "removed")
    folder.git("rm", "-q", "--cached", "kept")
    folder.git("mv", "exec", "moved")
    tree = await _tree(folder)
    assert tree["modified"] == ["both", "mod"]
    assert tree["staged"] == ["both", "exec", "kept", "moved", "removed"]
    assert tree["deleted"] == ["gone", "removed"]
    assert tree["untracked"] == ["kept"]
    leaves = _by_path(tree)
    assert set(leaves) == {"both", "mod", "gone", "removed", "kept", "moved"}
    assert (leaves["gone"]["lines"], leaves["gone"]["mtime"]) == (0, 0.0)
    assert leaves["kept"]["lines"] == 2
    assert tree["diff_stats"]["both"] == {"additions": 1, "deletions": 1}
    assert tree["diff_stats"]["mod"] == {"additions": 1, "deletions": 0}


async def test_a_renamed_and_edited_file_is_staged_and_modified_under_its_new_name(
    tmp_path: Path,
) -> None:
    text = "".join(f"{line}\n" for line in range(40))
    folder = make_repository(tmp_path / "r", {"d/x.txt": text})
    folder.git("mv", "d/x.txt", "d/y.txt")
    folder.write("d/y.txt", text + "more\n")
    tree = await _tree(folder)
    assert tree["modified"] == ["d/y.txt"]
    assert tree["staged"] == ["d/x.txt", "d/y.txt"]
    assert tree["diff_stats"] == {"d/y.txt": {"additions": 1, "deletions": 0}}
    assert set(_by_path(tree)) == {"d/y.txt"}


async def test_a_merge_conflict_is_seen(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "base\n", "b": "base\n"})
    folder.git("checkout", "-q", "-b", "side")
    folder.write("a", "side\n")
    folder.write("b", "side\n")
    folder.write("c", "side\n")
    folder.commit()
    folder.git("checkout", "-q", "main")
    folder.write("a", "main\n")
    (folder.root / "b").unlink()
    folder.write("c", "main\n")
    folder.commit()
    folder.git("merge", "side", ok=(1,))
    (folder.root / "b").unlink(missing_ok=True)
    tree = await _tree(folder)
    assert tree["conflicted"] == ["a", "b", "c"]
    assert set(tree["conflicted"]) <= set(tree["modified"])
    assert tree["operation"] == "merge"
    assert set(_by_path(tree)) == {"a", "b", "c"}
    assert tree["deleted"] == ["b"]


async def test_names_of_every_kind_come_back_to_the_same_file(tmp_path: Path) -> None:
    names = ["ünï", "q\"uo'te", "new\nline", "-lead", "l\udce9", "a b", ":x", "b\\s", "t\tb", "*"]
    folder = make_repository(tmp_path / "r", {f"d/{name}": "x\n" for name in names})
    for name in names:
        folder.write(f"d/{name}", "x\ny\n")
        folder.write(f"new/{name}", "x\n")
    tree = await _tree(folder)
    assert tree["modified"] == sorted(f"d/{name}" for name in names)
    assert tree["untracked"] == sorted(f"new/{name}" for name in names)
    for path, leaf in _by_path(tree).items():
        assert os.path.lexists(folder.root / path)
        assert leaf["lines"] == (2 if path.startswith("d/") else 1)
        assert leaf["name"] == path.partition("/")[2]
    assert tree["diff_stats"] == {f"d/{name}": {"additions": 1, "deletions": 0} for name in names}


async def test_nested_repositories_and_submodules_are_one_leaf_each(tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner", {"s": "x\n"})
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    folder.commit()
    make_repository(folder.root / "nested", {"n": "x"})
    folder.write("sub/dirt", "x")
    tree = await _tree(folder)
    leaves = _by_path(tree)
    assert set(leaves) == {".gitmodules", "a", "nested", "sub"}
    for path in ("nested", "sub"):
        assert leaves[path]["submodule"] is True
        assert (leaves[path]["type"], leaves[path]["lines"]) == ("file", 0)
    assert (tree["untracked"], tree["modified"]) == (["nested"], [])
    assert await flat_file_list(await discover(folder.root)) == ".gitmodules\na"


async def test_a_submodule_at_another_commit_is_modified(tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner", {"s": "x\n"})
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    folder.commit()
    RepositoryFolder(folder.root / "sub").commit()
    assert (await _tree(folder))["modified"] == ["sub"]


async def test_links_are_leaves_without_lines(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "x\n"})
    for name, target in (("out", "/etc/passwd"), ("folder", "d"), ("broken", "nowhere")):
        (folder.root / name).symlink_to(target)
    leaves = _by_path(await _tree(folder))
    for name in ("out", "folder", "broken"):
        assert leaves[name]["link"] is True
        assert (leaves[name]["lines"], leaves[name]["is_binary"]) == (0, False)


async def test_a_file_in_the_place_of_a_folder_hides_what_was_deleted(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a/b": "x", "c": "x"})
    shutil.rmtree(folder.root / "a")
    folder.write("a", "now a file\n")
    (folder.root / "c").unlink()
    folder.write("c/d", "now a folder\n")
    tree = await _tree(folder)
    assert tree["deleted"] == ["a/b", "c"]
    assert set(_by_path(tree)) == {"a", "c/d"}


async def test_a_folder_replaced_by_a_link_shows_the_link(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/x": "x", "e/x": "y\n"})
    shutil.rmtree(folder.root / "d")
    (folder.root / "d").symlink_to("e")
    tree = await _tree(folder)
    assert set(_by_path(tree)) == {"d", "e/x"}
    assert tree["deleted"] == ["d/x"]


async def test_a_worktree_shows_its_own_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("worktree", "add", "-q", "-b", "side", "../side")
    folder.write("only here")
    tree = await file_tree(await discover(tmp_path / "side"))
    assert set(_by_path(tree)) == {"a"}
    assert tree["untracked"] == []


async def test_files_left_out_by_a_sparse_checkout_are_not_shown(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"in/a": "x", "out/b": "x"})
    folder.git("sparse-checkout", "set", "in")
    tree = await _tree(folder)
    assert set(_by_path(tree)) == {"in/a"}
    assert tree["deleted"] == []


@pytest.mark.parametrize(
    ("marker", "operation"),
    [("rebase-merge", "rebase"), ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert")],
)
async def test_an_operation_under_way_is_named(tmp_path: Path, marker: str, operation: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    (folder.root / ".git" / marker).mkdir()
    assert (await _tree(folder))["operation"] == operation


async def test_very_deep_folders_end_in_a_long_name(tmp_path: Path) -> None:
    path = "/".join(["d"] * (MAX_DEPTH + 50) + ["file"])
    folder = make_repository(tmp_path / "r")
    folder.write(path, "x\n")
    folder.git("add", "-A")
    (leaf,) = _leaves((await _tree(folder))["tree"])
    assert (leaf["path"], leaf["lines"]) == (path, 1)
    assert leaf["name"] == "/".join(["d"] * 50 + ["file"])


async def test_a_repository_that_is_gone_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    shutil.rmtree(folder.root / ".git")
    with pytest.raises(GitError):
        await file_tree(repository)
    with pytest.raises(GitError):
        await flat_file_list(repository)


async def test_the_repository_around_is_not_taken_for_one_that_is_gone(tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer", {"o": "x"})
    folder = make_repository(outer.root / "inner", {"a": "x"})
    repository = await discover(folder.root)
    shutil.rmtree(folder.root / ".git")
    with pytest.raises(GitError):
        await flat_file_list(repository)


async def test_the_flat_list_has_what_is_on_disk_only(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"b": "x", "a/c": "x", "gone": "x", "ünï": "x", ".gitignore": "*.log\n"}
    )
    (folder.root / "gone").unlink()
    for path in ("fresh", "x.log", "new\nline", "l\udce9"):
        folder.write(path)
    listed = await flat_file_list(await discover(folder.root))
    assert listed == ".gitignore\na/c\nb\nfresh\nl\udce9\nünï"


async def test_a_tree_that_is_cancelled_before_git_was_asked_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    listing = asyncio.create_task(file_tree(repository))
    await asyncio.sleep(0)
    for part in asyncio.all_tasks() - {asyncio.current_task(), listing}:
        part.cancel()  # before its first step
    with pytest.raises(asyncio.CancelledError):
        await listing
    gc.collect()  # a coroutine that nobody awaited would be an error here


async def test_what_jupyter_writes_is_listed_when_tracked_or_wanted(tmp_path: Path) -> None:
    tracked = ".ipynb_checkpoints/old-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a.py": "1\n", tracked: "1\n"})
    write_beside(folder)
    repository, wish = await with_setting(folder)
    assert (await flat_file_list(repository)).split("\n") == [tracked, "a.py"]
    wish.is_shown = True
    assert (await flat_file_list(repository)).split("\n") == sorted([*BESIDE, tracked, "a.py"])
    wish.is_shown = False
    assert (await flat_file_list(repository)).split("\n") == [tracked, "a.py"]
