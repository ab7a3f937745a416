"""Adding up a turn's edits."""

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_totals import tally
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.models.client import CompletedAnswer as Reply
from jupyter_ac.models.client import Usage
from tests.chat.edited import edit
from tests.chat.edits.test_edit_tracker import told

FIRST = "😀\n" + edit("a", "one\n", "1\n")
TEXT = f"{FIRST}\n\n{FIRST}"


def test_attempts_say_where_each_answer_stands_and_what_came_of_it() -> None:
    tracker = told(FIRST, FIRST)
    blocks = tracker.blocks
    missed = BlockOutcome(blocks[0], BlockStatus.FAILED, "No.", ErrorType.ANCHOR_NOT_FOUND)
    tracker.answers[0].outcomes[0] = missed
    tracker.end(Reply(FIRST, "stop", Usage(7, 3, cost_usd=0.5)))
    tracker.take([BlockOutcome(blocks[1], BlockStatus.APPLIED)])
    edits = tally(tracker, TEXT, "")
    units = TEXT.encode("utf-16-le")
    for attempt in edits.attempts:
        cut = units[2 * attempt["text_start"] : 2 * attempt["text_end"]].decode("utf-16-le")
        assert cut == FIRST
    one, two = edits.attempts
    assert (one["passed"], one["failed"], two["passed"], two["failed"]) == (0, 1, 1, 0)
    assert two["token_usage"] is not None
    assert two["token_usage"]["input_tokens"] == 7
    assert [row["attempt"] for row in edits.results] == [0, 1]
    assert [row["redone"] for row in edits.results] == [True, False]
    assert edits.retry_prompt == ""


def test_a_block_of_an_answer_that_was_not_taken_redoes_nothing() -> None:
    tracker = told(FIRST, FIRST)
    missed = BlockOutcome(tracker.blocks[0], BlockStatus.FAILED, "No.", ErrorType.ANCHOR_NOT_FOUND)
    tracker.answers[0].outcomes[0] = missed
    edits = tally(tracker, TEXT, "Not applied: the answer was stopped.")
    assert [row["redone"] for row in edits.results] == [False, False]
    assert "- a" in edits.retry_prompt
    assert edits.attempts[1]["token_usage"] is None
