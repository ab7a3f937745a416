"""What steps mean for the index, without git."""

from jupyter_ac.chat.edits.applying.index_plan import index_plan
from jupyter_ac.chat.edits.applying.steps import DiskStep, StepAction
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot
from jupyter_ac.git.disk_entries import NOTHING
from jupyter_ac.git.index_entries import IndexEntry
from jupyter_ac.ids import RepoPath

A, B, C = RepoPath("a"), RepoPath("b"), RepoPath("c")
ENTRY = IndexEntry("100644", "1" * 40)


def scene(*tracked: RepoPath, ignored: tuple[RepoPath, ...] = ()) -> FileSnapshot:
    entries = {path: (ENTRY,) if path in tracked else () for path in (A, B, C)}
    return FileSnapshot(entries=entries, ignored=frozenset(ignored))


def write(path: RepoPath) -> DiskStep:
    return DiskStep(StepAction.WRITE, path, NOTHING)


def move(old: RepoPath, new: RepoPath) -> DiskStep:
    return DiskStep(StepAction.MOVE, old, NOTHING, new_key=new)


def remove(path: RepoPath) -> DiskStep:
    return DiskStep(StepAction.REMOVE, path, NOTHING)


def test_written_files_go_in_and_removed_ones_out() -> None:
    plan = index_plan(scene(A, B), [write(A), write(C), remove(B)])
    assert (plan.changes.written, plan.changes.removed) == ([A, C], [B])
    assert not plan.is_empty
    assert index_plan(scene(), [remove(A), write(B), remove(B)]).changes.written == []


def test_a_moved_file_keeps_its_entry_unless_it_is_written() -> None:
    plan = index_plan(scene(A), [move(A, B), move(B, C)])
    assert plan.changes.moved == [(C, ENTRY)]
    assert plan.after == {C: (ENTRY,)}
    assert set(plan.changes.removed) >= {A}
    for steps in ([write(A), move(A, B)], [move(A, B), write(B)]):
        plan = index_plan(scene(A), steps)
        assert (plan.changes.moved, plan.changes.written) == ([], [B])
        assert not plan.after


def test_an_untracked_file_is_only_renamed() -> None:
    assert index_plan(scene(), [move(A, B)]).is_empty


def test_i_a_created_file_is_judged_by_the_name_that_it_ends_with() -> None:
    plan = index_plan(scene(ignored=(B,)), [write(A), move(A, B)])
    assert (plan.is_empty, plan.ignored, list(plan.notes)) == (True, [B], [B])
    plan = index_plan(scene(ignored=(A,)), [write(A), move(A, B)])
    assert (plan.changes.written, plan.ignored, plan.notes) == ([B], [], {})
    plan = index_plan(scene(A, ignored=(B,)), [write(A), move(A, B)])
    assert (plan.changes.removed, plan.changes.written, plan.ignored) == ([A], [B], [])


def test_a_file_that_was_only_announced_is_staged_under_its_new_name() -> None:
    promised = FileSnapshot(
        entries={A: (IndexEntry("100644", "1" * 40, is_promise=True),), B: ()},
    )
    assert index_plan(promised, [move(A, B)]).changes.written == [B]


def test_what_git_ignores_overlooks_or_has_in_conflict_is_said_and_not_staged() -> None:
    plan = index_plan(scene(ignored=(A, B)), [write(A), remove(B)])
    assert plan.ignored == [A]
    assert plan.is_empty
    assert set(plan.notes) == {A}
    for entry in (
        IndexEntry("100644", "1" * 40, stage=2),
        IndexEntry("100644", "1" * 40, is_overlooked=True),
    ):
        plan = index_plan(FileSnapshot(entries={A: (entry,)}), [write(A)])
        assert plan.is_empty
        assert plan.notes[A]
