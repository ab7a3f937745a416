"""The stage that ends every turn: stores its outcome in the history and reports it to the pages."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.edit_blocks.rows import block_row
from jupyter_ac.chat.edits.edit_totals import tally
from jupyter_ac.chat.edits.edit_tracker import TOO_MANY, has_too_many
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.records import INTERRUPTED, TurnFailure, TurnState, token_usage
from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.chat.turn.turn_price import guessed
from jupyter_ac.errors import AcError
from jupyter_ac.models.client import Usage
from jupyter_ac.workers.wire import MAX_ANSWER_CHARS, TOO_LONG

log = logging.getLogger(__name__)

INTERNAL: Final = TurnFailure(
    "internal", "Something went wrong inside jupyter_ac; the host's log says what."
)

_CUT: Final[Mapping[str, str]] = {
    "length": "The answer was cut at the model's output limit.",
    TOO_LONG: f"The answer was stopped: it has more than {MAX_ANSWER_CHARS:,} characters.",
    "content_filter": "The answer was cut: the provider's content filter stopped it.",
    "": "The answer was cut: it ended before the provider said that it is complete. Ask again.",
}
"""Finish reason → what to tell the user; "" is none at all."""

EMPTY: Final = "The model ended its answer without a word. Ask again, or choose another model."


async def record(turn: Turn, ports: TurnPorts) -> None:
    """Keep how the turn ended, after `settle`."""
    await turn.stored.finish(ports.history)


def settle(turn: Turn, error: BaseException | None) -> None:
    """Write into the turn's record how it ended.

    Args:
        turn: the stages are over.
        error: what ended them; None when all went well.
    """
    state, failure = _verdict(turn, error)
    stream, notices, answers = turn.context.stream, turn.context.notices, turn.answers
    outcome, text, choice = answers.outcome, stream.text, turn.context.findings.choice
    edits = tally(answers.tracker, text, _untaken(state, turn.next.failure))
    if turn.context.question.recorded is not None:
        edits = replace(edits, retry_prompt="")
    if has_too_many(answers.tracker.answers):
        notices.append(TOO_MANY)
    if outcome is not None and (cut := cut_notice(outcome.finish_reason, text)):
        notices.append(cut)
    turn.stored.record = replace(
        turn.record,
        state=state,
        failure=failure,
        answer=wellformed(text),
        reasoning=wellformed(stream.thoughts.text),
        model=choice.model if choice is not None else "",
        usage=_used(turn),
        finish_reason=outcome.finish_reason if outcome is not None else None,
        notices=tuple(notices),
        edits=edits,
        run=turn.run.record(state) if turn.run is not None else None,
    )


def cut_notice(finish_reason: str | None, text: str = "…") -> str:
    """Say that an answer is not whole, or empty; "" when nothing speaks for it."""
    return _CUT.get(finish_reason or "", "" if text.strip() else EMPTY)


def _used(turn: Turn) -> Usage | None:
    """Return what the answers used: what the provider counted, or a guess; None when recorded."""
    if turn.context.question.recorded is not None:
        return None
    outcome = turn.answers.outcome
    return outcome.usage if outcome is not None else _guessed(turn)


def _guessed(turn: Turn) -> Usage | None:
    stream = turn.context.stream
    return guessed(turn.request.prompt, stream.thoughts.text + stream.text, turn.model_info)


def _untaken(state: TurnState, untaken: str) -> str:
    """Say why the last answer's edits were not taken; "" when they were."""
    if state is TurnState.CANCELLED:
        return "Not applied: the answer was stopped."
    if state is TurnState.ERROR:
        return "Not applied: the answer failed before it was complete."
    return untaken


def _verdict(turn: Turn, error: BaseException | None) -> tuple[TurnState, TurnFailure | None]:
    if error is None:
        return TurnState.DONE, None
    if turn.context.stream.stopped:
        return TurnState.CANCELLED, None
    if turn.context.stream.interrupted:
        return TurnState.ERROR, INTERRUPTED
    if isinstance(error, AcError):
        return TurnState.ERROR, TurnFailure.of(error)
    log.error("a turn failed", exc_info=error)
    return TurnState.ERROR, INTERNAL


def completion_result(turn: Turn) -> CompletionResult:
    """Write the result of a turn that is over."""
    record, edits = turn.record, turn.record.edits
    counts = edits.counts()
    result = CompletionResult(
        response=record.answer,
        token_usage=token_usage(record.usage),
        finish_reason=record.finish_reason,
        user_message=record.question,
        turn_id=record.turn_id,
        model=record.model,
        edit_blocks=[block_row(row) for row in edits.results if row["complete"]],
        edit_results=list(edits.results),
        shell_commands=list(edits.commands),
        passed=counts["applied"],
        already_applied=counts["already_applied"],
        failed=counts["failed"],
        skipped=counts["skipped"],
        not_in_context=counts["not_in_context"],
        pending=counts["pending"],
        files_modified=list(edits.modified),
        files_auto_added=list(edits.auto_added),
        files_created=list(edits.created),
        attempts=list(edits.attempts),
        retry_prompt=edits.retry_prompt,
        can_undo=edits.is_applied,
    )
    problems = turn.context.findings.problems
    unknown, left_out = turn.context.question.unknown, turn.request.left_out
    if problems or unknown:
        invalid = [problem.path for problem in problems if not problem.is_binary]
        result["binary_files"] = [problem.path for problem in problems if problem.is_binary]
        result["invalid_files"] = [*invalid, *unknown]
    if left_out:
        result["shed_files"] = list(left_out)
    if record.notices:
        result["notices"] = list(record.notices)
    if record.run is not None:
        result["run"] = record.run.row
    if turn.context.stream.added:
        result["undelivered"] = list(turn.context.stream.added)
    if record.state is TurnState.CANCELLED:
        result["cancelled"] = True
    if record.failure is not None:
        result["error"] = record.failure.message
        result["error_info"] = {
            "error_type": record.failure.type,
            "message": record.failure.message,
            "retry_after": record.failure.retry_after_s,
            "provider": turn.model_info.provider if turn.model_info is not None else "",
            "model": record.model,
        }
    return result
