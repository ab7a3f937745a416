"""Adds up a turn's edits at its end."""

from collections.abc import Sequence

from jupyter_ac.chat.edit_blocks.blocks import Span
from jupyter_ac.chat.edit_blocks.reading.commands import shell_commands
from jupyter_ac.chat.edit_blocks.retry import redone, retry_prompt
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.edits.edit_tracker import EditTracker, TrackedAnswer
from jupyter_ac.chat.records import message_usage
from jupyter_ac.edit_rows import Attempt, BlockStatus, EditResult


def tally(tracker: EditTracker, text: str, reason: str) -> TurnEdits:
    """Say what became of all blocks.

    Args:
        tracker: of a turn that is over.
        text: the turn's whole text.
        reason: why the last answer was not taken; "" when it was.
    """
    answers = tracker.close(reason)
    ends = [Span(answer.start, answer.end) for answer in answers]
    blocks = [*tracker.blocks, *(outcome.block for outcome in tracker.suggested)]
    units = Utf16Offsets(text, blocks, ends)
    replaced = _redone(answers)
    rows = [
        result_row(outcome, units, number, redone_by=replaced.get(index))
        for number, answer in enumerate(answers)
        for index, outcome in sorted(answer.outcomes.items())
    ]
    last = len(answers) - 1
    rows += [result_row(outcome, units, last) for outcome in tracker.suggested]
    files = tracker.files
    return TurnEdits(
        results=tuple(rows),
        modified=files.modified,
        created=files.created,
        auto_added=files.added,
        commands=tuple(shell_commands(text, tracker.blocks)),
        attempts=tuple(_attempt(answer, units, rows, n) for n, answer in enumerate(answers)),
        retry_prompt=retry_prompt(rows, files.added),
        documents=tracker.files.documents,
        unticked=files.unticked,
    )


def _redone(answers: Sequence[TrackedAnswer]) -> dict[int, int]:
    """Gather the failed blocks in whose place a later answer has another one, with that one."""
    found: dict[int, int] = {}
    for at, answer in enumerate(answers):
        later = [
            outcome.block
            for each in answers[at + 1 :]
            for outcome in each.outcomes.values()
            if outcome.status is not BlockStatus.SKIPPED
        ]
        found |= redone(answer.failed, later)
    return found


def _attempt(
    answer: TrackedAnswer, units: Utf16Offsets, rows: Sequence[EditResult], number: int
) -> Attempt:
    mine = [row["status"] for row in rows if row["attempt"] == number]
    start, end = units.span(Span(answer.start, answer.end))
    reply = answer.reply
    usage = reply.usage if reply is not None else None
    return {
        "text_start": start,
        "text_end": end,
        "passed": mine.count(BlockStatus.APPLIED),
        "failed": mine.count(BlockStatus.FAILED) + mine.count(BlockStatus.NOT_IN_CONTEXT),
        "token_usage": None if usage is None else message_usage(usage),
        "finish_reason": reply.finish_reason if reply is not None else None,
    }
