"""The last stages of a turn: stream the answer, record what happened."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.compaction.trimming import keep_trim
from jupyter_ac.chat.images import with_images
from jupyter_ac.chat.model_gateway import AnswerListener
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.stages import PROMPT_UNKEPT, keep_question, keep_question_again
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.turn_heartbeat import kept_alive
from jupyter_ac.chat.usage import joined, retry_row
from jupyter_ac.errors import AcError, AlreadyExists, NotFound
from jupyter_ac.events import StreamRetry
from jupyter_ac.models.client import PromptProgress, Retry

log = logging.getLogger(__name__)

PATIENCE_S: Final = 0.3
"""What takes longer is said."""


async def stream(turn: Turn, ports: TurnPorts) -> None:
    """Keep what goes out, announce what the user should know first, and stream the answer.

    Raises:
        NotReady: there is no model any more.
        ProviderError: one of its subclasses; the text so far stays in the stream.
    """
    choice = turn.choice or ports.models.require()
    sent = (*turn.record.sent, *turn.sent)
    turn.record = replace(turn.record, sent=sent, model=choice.model)
    turn.session.put(turn.record)
    await keep_trim(turn, ports)
    turn.session.log.freeze_head(turn.profile, turn.prompt.head)
    turn.session.log.sent_profile = turn.profile
    turn.session.log.sent_ms = ports.clock()
    await _keep_sent(turn, ports)
    for notice in turn.notices[turn.announced :]:
        turn.stream.progress("notice", notice)
    turn.announced = len(turn.notices)
    async with kept_alive(turn, ports):
        with _said_if_slow(turn, "Loading the model library …"):
            await ports.models.load()
        turn.ledger.begin(ports.edits.exists, turn.stream.answer.length + len(turn.gap))
        # Edits that failed are asked for again in text.
        pictures = turn.pictures if turn.outcome is None else ()
        outcome = await ports.models.complete(
            choice,
            with_images(turn.prompt.messages(), pictures),
            turn.profile.answer_tokens,
            AnswerListener(
                turn.hear,
                lambda progress: _say_progress(turn, progress),
                turn.stream.thoughts.append,
            ),
            passing=len(turn.prompt.passing) + len(pictures),
        )
    turn.ledger.end(outcome)
    turn.outcome = outcome if turn.outcome is None else joined(turn.outcome, outcome)


async def record(turn: Turn, ports: TurnPorts) -> None:
    """Keep how the turn ended; a disk that fails is a notice, not an error.

    A turn that the disk refused at first, or lost since, gets one more chance.
    """
    was_tried = turn.keeping is not None
    try:
        await keep_question(turn, ports)  # which a Stop may have come before
        if not await _is_finished(turn, ports) and was_tried:
            await keep_question_again(turn, ports)
            await _keep_sent(turn, ports)
            turn.record = replace(turn.record, notices=tuple(turn.notices))
            await _is_finished(turn, ports)
    except AlreadyExists:
        log.info("a request id was used before")  # then that is how the turn ended
    turn.session.put(turn.record)


async def _is_finished(turn: Turn, ports: TurnPorts) -> bool:
    """Keep how the turn ended; False when the history doesn't have the turn."""
    if not turn.is_kept:
        return False
    try:
        await ports.history.finish(turn.record)
    except NotFound:
        return False
    except AcError as error:
        log.warning("the answer is not kept: %s", error)
        notice = f"This answer is not kept in the history: {error}"
        turn.record = replace(turn.record, notices=(*turn.record.notices, notice))
    else:
        turn.session.revision += 1
    return True


async def _keep_sent(turn: Turn, ports: TurnPorts) -> None:
    if not turn.is_kept or not turn.record.sent:
        return
    try:
        await ports.history.keep_sent(
            turn.record.turn_id,
            turn.session.log.head_name(turn.profile),
            turn.prompt.head,
            turn.record.sent,
        )
    except AcError as error:
        log.warning("the prompt is not kept: %s", error)
        turn.notices.append(f"{PROMPT_UNKEPT}: {error}")


def _say_progress(turn: Turn, progress: PromptProgress | Retry) -> None:
    if isinstance(progress, Retry):
        turn.stream.progress(
            "waiting",
            f"{progress.reason} Trying again in {progress.wait_s:.0f} s "
            f"({progress.attempt} of {progress.attempts}) …",
        )
        turn.stream.tell(StreamRetry(turn.record.request_id, retry_row(progress)))
        return
    percent = min(100, 100 * progress.read // max(1, progress.total))
    turn.stream.progress("reading", f"Reading the prompt … {percent} %", percent=percent)


@contextmanager
def _said_if_slow(turn: Turn, message: str) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    saying = loop.call_later(PATIENCE_S, turn.stream.progress, "waiting", message)
    try:
        yield
    finally:
        saying.cancel()
