"""The stage that ends every turn: works out how it ended, and keeps that in the history."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.edits.edit_totals import tally
from jupyter_ac.chat.edits.edit_tracker import TOO_MANY, has_too_many
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.records import INTERRUPTED, TurnFailure, TurnState
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
    outcome, text = answers.outcome, stream.text
    edits = tally(answers.tracker, text, _untaken(state, turn.retry.failure))
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
        model=turn.gathered.model.name if turn.gathered is not None else "",
        usage=outcome.usage if outcome is not None else _guessed(turn),
        finish_reason=outcome.finish_reason if outcome is not None else None,
        notices=tuple(notices),
        edits=edits,
    )


def cut_notice(finish_reason: str | None, text: str = "…") -> str:
    """Say that an answer is not whole, or empty; "" when nothing speaks for it."""
    return _CUT.get(finish_reason or "", "" if text.strip() else EMPTY)


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
