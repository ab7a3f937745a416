"""Plans, without a disk."""

from jupyter_ac.chat.edits.applying.checks import Target
from jupyter_ac.chat.edits.applying.planning import Plan
from jupyter_ac.chat.edits.applying.scene import Scene
from jupyter_ac.chat.edits.applying.steps import Do
from jupyter_ac.chat.edits.applying.terms import ApplyTerms
from jupyter_ac.chat.edits.blocks import EditBlock
from jupyter_ac.chat.edits.outcomes import Cause, ErrorType, Outcome, Status
from jupyter_ac.errors import AccessDenied
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.ids import RepoPath
from tests.support.edited import delete, edit, rename, terms


def scene(**files: str | None) -> Scene:
    disk = {
        RepoPath(name): NOTHING if text is None else DiskEntry(text.encode(), 0o100644)
        for name, text in files.items()
    }
    return Scene(disk, {}, dict.fromkeys(disk, ()), frozenset(disk))


def plan_of(
    files: Scene, *blocks: EditBlock, given: ApplyTerms | None = None
) -> tuple[Plan, list[Outcome]]:
    plan = Plan(files, terms(None) if given is None else given)
    outcomes = [
        plan.add(
            Target(
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
    assert (step.do, step.data, step.positions) == (Do.WRITE, b"1\n2\n", [0, 2])
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
    assert [each.status for each in outcomes] == [Status.APPLIED] * 5
    assert [step.do for step in plan.steps] == [Do.WRITE, Do.MOVE, Do.WRITE, Do.REMOVE, Do.WRITE]
    assert [step.over.exists for step in plan.steps] == [True, True, True, True, False]


def test_order_of_checks_existence_unsaved_context_match() -> None:
    files = scene(a="x\n", gone=None)
    given = terms([], unsaved=["a", "gone"])
    _, (missing, waiting) = plan_of(
        files, edit("gone", "x", "y"), edit("a", "no", "y"), given=given
    )
    assert missing.error_type is ErrorType.FILE_NOT_FOUND
    assert waiting.status is Status.PENDING
    _, (outside,) = plan_of(files, edit("a", "no", "y"), given=terms([]))
    assert outside.status is Status.NOT_IN_CONTEXT
    _, (missed,) = plan_of(files, edit("a", "no", "y"), given=terms(["a"]))
    assert missed.error_type is ErrorType.ANCHOR_NOT_FOUND


def test_blank_old_text_makes_a_missing_file() -> None:
    plan, (outcome,) = plan_of(scene(a=None), edit("a", "\n", "new"))
    assert outcome.is_create
    assert plan.steps[0].data == b"new\n"


def test_a_miss_with_a_correction_carries_the_block_that_fits() -> None:
    _, (outcome,) = plan_of(scene(a="if x:\n    one\n    two\n"), edit("a", "one\ntwo", "one\n2"))
    assert outcome.cause is Cause.INDENTATION
    assert outcome.correction is not None
    plan, (again,) = plan_of(scene(a="if x:\n    one\n    two\n"), outcome.correction)
    assert again.status is Status.APPLIED
    assert plan.steps[0].data == b"if x:\n    one\n    2\n"


def test_what_can_not_be_read_fails_as_a_write() -> None:
    files = Scene(problems={RepoPath("a"): AccessDenied("No.")}, entries={RepoPath("a"): ()})
    _, (outcome,) = plan_of(files, edit("a", "x", "y"))
    assert (outcome.status, outcome.error_type) == (Status.FAILED, ErrorType.WRITE_ERROR)


def test_a_new_text_that_no_file_can_hold_is_refused() -> None:
    for text in ("half \ud800", "nul \0"):
        for block in (edit("new", "", text), edit("a", "x", text)):
            plan, (outcome,) = plan_of(scene(a="x\n", new=None), block)
            assert outcome.error_type is ErrorType.VALIDATION_ERROR, (text, block, outcome)
            assert not plan.steps
