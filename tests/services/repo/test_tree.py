import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.entries import MODIFIED, TreeEntry, apply_changes
from jupyter_ac.git.tree.serialize import Lists
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.rpc.codec import decode, encode
from jupyter_ac.services.repo import tree
from jupyter_ac.services.repo.tree import KEPT, MAX_ROWS, SentTrees, TreeMethods
from tests.support.repositories import RepositoryFolder, make_repository


async def _part(folder: RepositoryFolder) -> TreeMethods:
    repository = await discover(folder.root)
    return TreeMethods(repository, TreeCache(repository))


async def test_the_tree_goes_over_the_wire_whole(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "x\n", "l\udce9": "x\n"})
    part = await _part(folder)
    tree = decode(encode(await part.get_file_tree()))
    assert isinstance(tree, dict)
    assert [node["name"] for node in tree["tree"]["children"]] == ["d", "l\udce9"]
    assert await part.get_flat_file_list() == "d/a\nl\udce9"


async def test_pages_that_reload_at_once_get_the_same_tree(tmp_path: Path) -> None:
    part = await _part(make_repository(tmp_path / "r", {"a": "x\n"}))
    trees = await asyncio.gather(*(part.get_file_tree() for _ in range(20)))
    assert {tree.text for tree in trees} == {trees[0].text}


async def test_a_change_is_in_the_next_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = await _part(folder)
    await part.get_file_tree()
    folder.write("a", "x\ny\n")
    tree = decode(encode(await part.get_file_tree()))
    assert isinstance(tree, dict)
    assert tree["modified"] == ["a"]
    assert tree["tree"]["children"][0]["lines"] == 2


async def test_rows_say_the_same_as_the_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"b/c": "x\n", "a": "x\n", "l\udce9": "x\n"})
    folder.write("a", "x\ny\n")
    found = decode(encode(await (await _part(folder)).get_tree_rows()))
    assert isinstance(found, dict)
    mtimes = {path: (folder.root / path).stat().st_mtime for path in ("a", "b/c", "l\udce9")}
    assert found["rows"] == [
        ["a", 2, mtimes["a"], 1, 1, 0],
        ["b/c", 1, mtimes["b/c"], 0],
        ["l\udce9", 1, mtimes["l\udce9"], 0],
    ]
    assert (found["name"], found["since"], found["total"]) == ("r", "", 3)
    assert (found["removed"], found["next"], found["operation"]) == ([], None, None)
    assert found["head"] == f"main {folder.git('rev-parse', 'HEAD')}"


async def test_rows_that_differ_follow_on_a_version(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n", "b": "x\n", "c": "x\n"})
    part = await _part(folder)
    first = await part.get_tree_rows()
    assert (await part.get_tree_rows(first["version"]))["rows"] == []
    folder.write("b", "x\ny\n")
    folder.write("new", "x\n")
    folder.git("rm", "-q", "--cached", "c")
    (folder.root / "c").unlink()
    folder.git("commit", "-q", "-m", "without c")
    second = await part.get_tree_rows(first["version"])
    assert [row[0] for row in second["rows"]] == ["b", "new"]
    assert (second["since"], second["removed"]) == (first["version"], ["c"])
    assert second["version"] != first["version"]
    third = await part.get_tree_rows(second["version"])
    assert (third["version"], third["rows"], third["removed"]) == (second["version"], [], [])


async def test_another_commit_is_another_version_without_rows(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = await _part(folder)
    first = await part.get_tree_rows()
    folder.git("commit", "-q", "--allow-empty", "-m", "more")
    second = await part.get_tree_rows(first["version"])
    assert (second["rows"], second["since"]) == ([], first["version"])
    assert second["version"] != first["version"]
    assert second["head"] != first["head"]


async def test_many_rows_come_in_slices_of_one_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MAX_ROWS", 2)
    names = ["a", "b", "c", "d", "e"]
    folder = make_repository(tmp_path / "r", dict.fromkeys(names, "x\n"))
    part = await _part(folder)
    first = await part.get_tree_rows("unknown")
    folder.write("c", "changed\n\n")
    second = await part.get_tree_rows("unknown", first["next"] or 0, first["version"])
    third = await part.get_tree_rows("unknown", second["next"] or 0, first["version"])
    slices = [first, second, third]
    assert [row[0] for one in slices for row in one["rows"]] == names
    assert {one["version"] for one in slices} == {first["version"]}
    assert [one["next"] for one in slices] == [2, 4, None]
    assert {one["since"] for one in slices} == {""}
    assert second["rows"][0][1] == 1


async def test_differing_rows_come_in_slices_and_what_is_gone_in_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = await _part(folder)
    for name in ("b", "c", "d", "gone"):
        folder.write(name)
    base = (await part.get_tree_rows())["version"]
    monkeypatch.setattr(tree, "MAX_ROWS", 2)
    (folder.root / "gone").unlink()
    for name in ("b", "c", "d"):
        folder.write(name, "1\n2\n")
    first = await part.get_tree_rows(base)
    second = await part.get_tree_rows(base, first["next"] or 0, first["version"])
    assert ([row[0] for row in first["rows"]], first["removed"]) == (["b", "c"], ["gone"])
    assert ([row[0] for row in second["rows"]], second["removed"]) == (["d"], [])
    assert (second["since"], second["total"], second["next"]) == (base, 3, None)


async def test_a_slice_of_a_version_that_is_forgotten_is_the_first_of_a_whole_tree(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = await _part(folder)
    base = (await part.get_tree_rows())["version"]
    for number in range(tree.KEPT + 1):
        folder.write("a", "x\n" * number)
        await part.get_tree_rows()
    for found in (
        await part.get_tree_rows(base),
        await part.get_tree_rows(base, 2, base),
        await part.get_tree_rows("", 2000, "no-such"),
    ):
        assert (found["since"], found["total"]) == ("", 1)
        assert found["version"] != base
        assert [row[0] for row in found["rows"]] == ["a"]


async def test_a_slice_before_the_first_is_refused(tmp_path: Path) -> None:
    part = await _part(make_repository(tmp_path / "r", {"a": "x\n"}))
    with pytest.raises(InvalidParams):
        await part.get_tree_rows("", -1)


def _snapshot(number: int, files: int) -> Snapshot:
    entries = [(f"d/{at:05d}", TreeEntry(number, 1.0, 0)) for at in range(files)]
    return Snapshot(f"e-{number}", "r", "main abc", None, Lists(), apply_changes({}, entries))


async def test_a_slice_has_at_most_two_thousand_rows() -> None:
    told = SentTrees()
    first = await told.begin(_snapshot(1, MAX_ROWS + 1), "")
    assert (len(first["rows"]), first["next"]) == (MAX_ROWS, MAX_ROWS)
    second = told.go_on("e-1", "", MAX_ROWS)
    assert second is not None
    assert (len(second["rows"]), second["next"]) == (1, None)
    beyond = told.go_on("e-1", "", 2 * MAX_ROWS)
    assert beyond is not None
    assert (beyond["rows"], beyond["next"]) == ([], None)


async def test_exactly_two_thousand_rows_are_one_slice() -> None:
    found = await SentTrees().begin(_snapshot(1, MAX_ROWS), "")
    assert found["next"] is None


async def test_the_last_sixteen_trees_are_kept() -> None:
    told = SentTrees()
    for number in range(KEPT + 1):
        await told.begin(_snapshot(number, 1), "")
    last = _snapshot(KEPT, 1)
    bases = [(await told.begin(last, f"e-{number}"))["since"] for number in (0, 1, KEPT)]
    assert bases == ["", "e-1", f"e-{KEPT}"]
    assert told.go_on("e-0", "", 1) is None


async def test_a_tree_that_is_told_again_is_kept_longer() -> None:
    told = SentTrees()
    first = _snapshot(0, 1)
    for number in range(1, KEPT):
        await told.begin(first, "")
        await told.begin(_snapshot(number, 1), "")
    await told.begin(first, "")
    await told.begin(_snapshot(KEPT, 1), "")
    assert (await told.begin(first, "e-0"))["since"] == "e-0"


async def test_rows_without_changed_lines_leave_them_out() -> None:
    files = [("a", TreeEntry(1, 2.5, MODIFIED, 3, 0)), ("b", TreeEntry(0, 0.0, 0))]
    snapshot = Snapshot("e-1", "r", "", "merge", Lists(), apply_changes({}, files))
    found = await SentTrees().begin(snapshot, "")
    assert found["rows"] == [("a", 1, 2.5, MODIFIED, 3, 0), ("b", 0, 0.0, 0)]
    assert found["operation"] == "merge"
