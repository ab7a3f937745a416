"""The last stages of a turn: stream the answer, record what happened."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.alive import kept_alive
from jupyter_ac.chat.desk import Listener
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.stages import keep_question
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import AcError, AlreadyExists
from jupyter_ac.models.client import Progress, Retry

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
    turn.record = replace(turn.record, sent=turn.sent, model=choice.model)
    turn.conversation.put(turn.record)
    turn.conversation.freeze_head(turn.profile, turn.prompt.head)
    await _keep_sent(turn, ports)
    for notice in turn.notices:
        turn.stream.progress("notice", notice)
    async with kept_alive(turn, ports):
        with _said_if_slow(turn, "Loading the model library …"):
            await ports.models.load()
        turn.outcome = await ports.models.complete(
            choice,
            turn.prompt.messages(),
            turn.profile.answer_tokens,
            Listener(turn.stream.append, lambda progress: _say_progress(turn, progress)),
        )


async def record(turn: Turn, ports: TurnPorts) -> None:
    """Keep how the turn ended; a disk that fails is a notice, not an error."""
    with suppress(AlreadyExists):  # then that is how the turn ended
        await keep_question(turn, ports)  # which a Stop may have come before
    if turn.is_kept:
        try:
            await ports.history.finish(turn.record)
        except AcError as error:
            log.warning("the answer is not kept: %s", error)
            notice = f"This answer is not kept in the history: {error}"
            turn.record = replace(turn.record, notices=(*turn.record.notices, notice))
        else:
            turn.conversation.revision += 1
    turn.conversation.put(turn.record)


async def _keep_sent(turn: Turn, ports: TurnPorts) -> None:
    if not turn.is_kept:
        return
    try:
        await ports.history.keep_sent(
            turn.record.turn_id, turn.profile.name, turn.prompt.head, turn.sent
        )
    except AcError as error:
        log.warning("the prompt is not kept: %s", error)
        turn.notices.append(f"This prompt is not kept in the history: {error}")


def _say_progress(turn: Turn, progress: Progress | Retry) -> None:
    if isinstance(progress, Retry):
        turn.stream.progress(
            "waiting",
            f"{progress.reason} Trying again in {progress.wait_s:.0f} s "
            f"({progress.attempt} of {progress.attempts}) …",
        )
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
