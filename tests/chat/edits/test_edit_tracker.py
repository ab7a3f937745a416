"""The account of a turn's answers and their blocks."""

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.apply_options import Applied
from jupyter_ac.chat.edits.edit_tracker import EditedFiles, EditTracker
from jupyter_ac.chat.edits.selection_updates import SelectionChange
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletedAnswer as Reply
from jupyter_ac.models.client import Usage
from tests.chat.edited import edit

OVER = Reply("", "stop", Usage())
FIRST = edit("a", "one\n", "1\n")


def nothing(_path: str) -> bool:
    return False


def told(*answers: str) -> EditTracker:
    """A tracker of answers, all over but the last."""
    tracker, offset = EditTracker(), 0
    for number, text in enumerate(answers):
        if number:
            tracker.end(OVER)
        tracker.begin(nothing, offset)
        tracker.feed(text)
        offset += len(text) + 2
    return tracker


def test_blocks_of_all_answers_are_numbered_through_and_stand_in_the_whole_text() -> None:
    tracker = told(FIRST + FIRST, FIRST)
    tracker.end(OVER)
    whole = f"{FIRST}{FIRST}\n\n{FIRST}"
    assert [block.index for block in tracker.blocks] == [0, 1, 2]
    assert {whole[block.span.start : block.span.end].strip() for block in tracker.blocks} == {
        FIRST.strip()
    }
    assert [block.index for block in tracker.fresh] == [2]


def test_the_version_goes_up_as_blocks_come_and_never_down() -> None:
    tracker = told("")
    seen = [tracker.version]
    for char in FIRST:
        tracker.feed(char)
        seen.append(tracker.version)
    assert seen == sorted(seen)
    assert 2 <= seen[-1] < len(FIRST)
    tracker.end(OVER)
    tracker.begin(nothing, 100)
    assert tracker.version >= seen[-1]


def test_an_unfinished_block_is_never_among_those_to_apply() -> None:
    tracker = told(FIRST + "b\n🟧🟧🟧 EDIT\nx\n")
    assert [block.path for block in tracker.fresh] == ["a"]
    tracker.end(OVER)
    assert [block.path for block in tracker.fresh] == ["a"]
    (answer,) = tracker.close("")
    assert answer.outcomes[1].status is BlockStatus.FAILED
    assert answer.outcomes[1].error_type is ErrorType.VALIDATION_ERROR


def test_a_stream_cut_anywhere_never_applies_an_unfinished_block() -> None:
    text = f"So:\n\n{FIRST}\n{edit('b', '', 'x' + chr(10))}c\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n"
    whole = told(text)
    whole.end(OVER)
    assert len(whole.fresh) == 3
    for cut in range(len(text)):
        tracker = told(text[:cut])
        tracker.end(OVER)
        closed = [block for block in whole.fresh if block.span.end <= cut + 1]
        assert [block.path for block in tracker.fresh] == [block.path for block in closed]
        assert all(found in whole.fresh for found in tracker.fresh[:-1])


def test_what_was_not_taken_says_why_only_in_the_last_answer() -> None:
    tracker = told(FIRST, FIRST)
    tracker.answers[0].outcomes[0] = BlockOutcome(tracker.blocks[0], BlockStatus.APPLIED)
    one, two = tracker.close("Not applied: stopped.")
    assert one.outcomes[0].status is BlockStatus.APPLIED
    assert (two.outcomes[1].status, two.outcomes[1].message) == (
        BlockStatus.SKIPPED,
        "Not applied: stopped.",
    )


def test_only_failed_and_unseen_blocks_count_as_failed() -> None:
    tracker = told(FIRST * len(BlockStatus))
    tracker.end(OVER)
    tracker.take(
        BlockOutcome(block, status)
        for block, status in zip(tracker.fresh, BlockStatus, strict=True)
    )
    failed = {one.status for one in tracker.answers[0].failed}
    assert failed == {BlockStatus.FAILED, BlockStatus.NOT_IN_CONTEXT}


def test_files_are_noted_once_in_order() -> None:
    files = EditedFiles()
    files.take(Applied(modified=[RepoPath("b"), RepoPath("a")]), SelectionChange(()))
    change = SelectionChange((), added=(RepoPath("d"),), removed=(RepoPath("b"),))
    files.take(Applied(modified=[RepoPath("a"), RepoPath("c")]), change)
    assert (files.modified, files.created, files.added) == (("b", "a", "c"), (), ("d",))
    assert files.unticked == ("b",)


def test_an_answer_that_is_not_taken_has_all_its_blocks_skipped() -> None:
    tracker = told(FIRST + "b\n🟧🟧🟧 EDIT\nx\n")
    tracker.end(OVER)
    tracker.skip("Not now.")
    (answer,) = tracker.close("")
    assert {one.status for one in answer.outcomes.values()} == {BlockStatus.SKIPPED}


def test_a_turn_without_an_answer_has_nothing() -> None:
    tracker = EditTracker()
    assert (tracker.blocks, tracker.fresh, list(tracker.close("no"))) == ([], [], [])
