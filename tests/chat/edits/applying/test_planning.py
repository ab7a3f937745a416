"""Plans, without a disk."""

from dataclasses import replace

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget
from jupyter_ac.chat.edits.applying.planning import EditPlan
from jupyter_ac.chat.edits.applying.steps import StepAction
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot
from jupyter_ac.edit_rows import BlockStatus, ErrorType, MissCause
from jupyter_ac.errors import AccessDenied
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.git.index_entries import IndexEntry
from jupyter_ac.ids import RepoPath
from tests.support.edited import apply_options, delete, edit, rename


def scene(**files: str | None) -> FileSnapshot:
    disk = {
        RepoPath(name): NOTHING if text is None else DiskEntry(text.encode(), 0o100644)
        for name, text in files.items()
    }
    return FileSnapshot(disk, {}, dict.fromkeys(disk, ()), frozenset(disk))


def plan_of(
    files: FileSnapshot, *blocks: EditBlock, given: ApplyOptions | None = None
) -> tuple[EditPlan, list[BlockOutcome]]:
    plan = EditPlan(files, apply_options(None) if given is None else given)
    outcomes = [
        plan.add(
            BlockTarget(
                number,
                block,
                RepoPath(block.path),
                RepoPath(block.path),
                RepoPath(block.new_path) if block.new_path else None,
            )
        )
        for number, block in enumerate(blocks)
    ]
    return plan, outcomes


def test_blocks_of_one_file_are_one_write_and_a_failed_one_takes_nothing_back() -> None:
    plan, outcomes = plan_of(
        scene(a="one\ntwo\n"), edit("a", "one", "1"), edit("a", "no", "x"), edit("a", "two", "2")
    )
    (step,) = plan.steps
    assert (step.do, step.data, step.positions) == (StepAction.WRITE, b"1\n2\n", [0, 2])
    assert outcomes[1].error_type is ErrorType.ANCHOR_NOT_FOUND


def test_a_move_ends_what_writes_are_joined() -> None:
    plan, outcomes = plan_of(
        scene(a="x\n", b=None),
        edit("a", "x", "y"),
        rename("a", "b"),
        edit("b", "y", "z"),
        delete("b"),
        edit("b", "", "new"),
    )
    assert [each.status for each in outcomes] == [BlockStatus.APPLIED] * 5
    assert [step.do for step in plan.steps] == [
        StepAction.WRITE,
        StepAction.MOVE,
        StepAction.WRITE,
        StepAction.REMOVE,
        StepAction.WRITE,
    ]
    assert [step.over.exists for step in plan.steps] == [True, True, True, True, False]


def test_order_of_checks_existence_unsaved_context_match() -> None:
    files = scene(a="x\n", gone=None)
    given = apply_options([], unsaved=["a", "gone"])
    _, (missing, waiting) = plan_of(
        files, edit("gone", "x", "y"), edit("a", "no", "y"), given=given
    )
    assert missing.error_type is ErrorType.FILE_NOT_FOUND
    assert waiting.status is BlockStatus.PENDING
    _, (outside,) = plan_of(files, edit("a", "no", "y"), given=apply_options([]))
    assert outside.status is BlockStatus.NOT_IN_CONTEXT
    _, (missed,) = plan_of(files, edit("a", "no", "y"), given=apply_options(["a"]))
    assert missed.error_type is ErrorType.ANCHOR_NOT_FOUND


def test_blank_old_text_makes_a_missing_file() -> None:
    plan, (outcome,) = plan_of(scene(a=None), edit("a", "\n", "new"))
    assert outcome.is_create
    assert plan.steps[0].data == b"new\n"


def test_a_miss_with_a_correction_carries_the_block_that_fits() -> None:
    _, (outcome,) = plan_of(scene(a="if x:\n    one\n    two\n"), edit("a", "one\ntwo", "one\n2"))
    assert outcome.cause is MissCause.INDENTATION
    assert outcome.correction is not None
    plan, (again,) = plan_of(scene(a="if x:\n    one\n    two\n"), outcome.correction)
    assert again.status is BlockStatus.APPLIED
    assert plan.steps[0].data == b"if x:\n    one\n    2\n"


def test_h_only_an_edit_of_a_missing_file_speaks_of_making_one() -> None:
    for block in (delete("a"), rename("a", "b")):
        _, (outcome,) = plan_of(scene(a=None, b=None), block)
        assert outcome.error_type is ErrorType.FILE_NOT_FOUND
        assert outcome.message == "There is no file 'a'; check the name."
    _, (outcome,) = plan_of(scene(a=None), edit("a", "x", "y"))
    assert "makes a new file" in outcome.message


def test_e_a_repeated_delete_or_rename_is_already_applied() -> None:
    plan, outcomes = plan_of(
        scene(a="x\n", b=None, c="y\n"),
        *(delete("c"), delete("c"), rename("a", "b"), rename("a", "b")),
        *(rename("a", "c"), delete("a"), delete("b"), rename("a", "b")),
    )
    applied, already, failed = BlockStatus.APPLIED, BlockStatus.ALREADY_APPLIED, BlockStatus.FAILED
    assert [each.status for each in outcomes] == [
        *(applied, already, applied, already),
        *(failed, failed, applied, failed),
    ]
    assert len(plan.steps) == 3


def test_a_file_that_git_leaves_out_of_a_sparse_checkout_is_skipped_with_the_reason() -> None:
    overlooked = (IndexEntry("100644", "1" * 40, is_overlooked=True),)
    sparse = replace(scene(a=None, b="x\n"), entries={RepoPath("a"): overlooked, RepoPath("b"): ()})
    for block in (edit("a", "", "new"), edit("a", "x", "y"), delete("a"), rename("a", "b")):
        plan, (outcome,) = plan_of(sparse, block)
        assert outcome.status is BlockStatus.SKIPPED
        assert "sparse checkout" in outcome.message
        assert not plan.steps
    plan, (outcome,) = plan_of(sparse, rename("b", "a"))
    assert (outcome.status, plan.steps) == (BlockStatus.FAILED, [])


def test_what_can_not_be_read_fails_as_a_write() -> None:
    files = FileSnapshot(problems={RepoPath("a"): AccessDenied("No.")}, entries={RepoPath("a"): ()})
    _, (outcome,) = plan_of(files, edit("a", "x", "y"))
    assert (outcome.status, outcome.error_type) == (BlockStatus.FAILED, ErrorType.WRITE_ERROR)


def test_a_new_text_that_no_file_can_hold_is_refused() -> None:
    for text in ("half \ud800", "nul \0"):
        for block in (edit("new", "", text), edit("a", "x", text)):
            plan, (outcome,) = plan_of(scene(a="x\n", new=None), block)
            assert outcome.error_type is ErrorType.VALIDATION_ERROR, (text, block, outcome)
            assert not plan.steps
