"""The last stages of a turn: stream the answer, record what happened."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.desk import Listener
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.stages import keep_question
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import AcError, AlreadyExists
from jupyter_ac.models.client import Progress

log = logging.getLogger(__name__)

CHECKPOINT_S: Final = 1.0
"""How much of a running answer a killed host may lose."""


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
    with _said_if_slow(turn, "Loading the model library …"):
        await ports.models.load()
    async with _checkpoints(turn, ports):
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


@asynccontextmanager
async def _checkpoints(turn: Turn, ports: TurnPorts) -> AsyncIterator[None]:
    """Keep the answer so far about once a second while the body runs."""
    if not turn.is_kept:
        yield
        return
    task = asyncio.create_task(_keep_alive(turn, ports))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep_alive(turn: Turn, ports: TurnPorts) -> None:
    while True:
        await asyncio.sleep(CHECKPOINT_S)
        try:
            await ports.history.checkpoint(turn.record.turn_id, wellformed(turn.stream.text))
        except AcError as error:
            log.warning("the answer so far is not kept: %s", error)


def _say_progress(turn: Turn, progress: Progress) -> None:
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
