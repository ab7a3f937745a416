from jupyter_ac.git.tree.entries import MODIFIED, TreeEntry, apply_changes
from jupyter_ac.git.tree.serialize import Lists
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.services.repo.tree_rows import KEPT, MAX_ROWS, ToldTrees


def _snapshot(number: int, files: int) -> Snapshot:
    entries = [(f"d/{at:05d}", TreeEntry(number, 1.0, 0)) for at in range(files)]
    return Snapshot(f"e-{number}", "r", "main abc", None, Lists(), apply_changes({}, entries))


async def test_a_slice_has_at_most_two_thousand_rows() -> None:
    told = ToldTrees()
    first = await told.begin(_snapshot(1, MAX_ROWS + 1), "")
    assert (len(first["rows"]), first["next"]) == (MAX_ROWS, MAX_ROWS)
    second = told.go_on("e-1", "", MAX_ROWS)
    assert second is not None
    assert (len(second["rows"]), second["next"]) == (1, None)
    beyond = told.go_on("e-1", "", 2 * MAX_ROWS)
    assert beyond is not None
    assert (beyond["rows"], beyond["next"]) == ([], None)


async def test_exactly_two_thousand_rows_are_one_slice() -> None:
    found = await ToldTrees().begin(_snapshot(1, MAX_ROWS), "")
    assert found["next"] is None


async def test_the_last_sixteen_trees_are_kept() -> None:
    told = ToldTrees()
    for number in range(KEPT + 1):
        await told.begin(_snapshot(number, 1), "")
    last = _snapshot(KEPT, 1)
    bases = [(await told.begin(last, f"e-{number}"))["since"] for number in (0, 1, KEPT)]
    assert bases == ["", "e-1", f"e-{KEPT}"]
    assert told.go_on("e-0", "", 1) is None


async def test_a_tree_that_is_told_again_is_kept_longer() -> None:
    told = ToldTrees()
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
    found = await ToldTrees().begin(snapshot, "")
    assert found["rows"] == [("a", 1, 2.5, MODIFIED, 3, 0), ("b", 0, 0.0, 0)]
    assert found["operation"] == "merge"
