"""The stage that sends the request and streams the answer."""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from jupyter_ac.chat.images import with_images
from jupyter_ac.chat.model_gateway import AnswerListener, AnswerWishes
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.turn.stored_turn import StoredTurn
from jupyter_ac.chat.turn.turn import Gathered, PromptRequest, Turn
from jupyter_ac.chat.turn.turn_price import joined
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.models.client import PromptProgress, Retry

log = logging.getLogger(__name__)

PATIENCE_S: Final = 0.3
"""A longer wait is reported."""


async def stream(turn: Turn, gathered: Gathered, ports: TurnPorts) -> None:
    """Keep what goes out, announce what the user should know first, and stream the answer.

    Raises:
        NotReady: there is no model any more.
        ProviderError: one of its subclasses; the text so far stays in the stream.
        Conflict: files were excluded or included since the request was made; nothing was sent.
    """
    source = turn.context.source(ports.models)
    choice = gathered.model.choice or source.require()
    request, answers, active = turn.request, turn.answers, turn.context.stream
    turn.stored.put(choice.model, request.sent)
    for removal in (gathered.log.withheld, request.trim):
        await _store_removal(turn.stored, removal, ports)
    _note_sent(gathered, request, ports.clock())
    await turn.stored.keep_sent(ports.history, gathered.model.profile, request.prompt)
    for notice in turn.context.notices[answers.announced :]:
        active.progress("notice", notice)
    answers.announced = len(turn.context.notices)
    async with turn.stored.heartbeat(ports.history):
        with _announced_if_slow(active, "Loading the model library …"):
            await source.load()
        await _require_same_list(gathered, ports)
        answers.tracker.begin(ports.edits.exists, active.answer.length + len(answers.gap))
        # Edits that failed are asked for again in text.
        images = turn.next.images if turn.next.blocks else gathered.images
        outcome = await source.complete(
            choice,
            with_images(request.prompt.messages(), images),
            request.answer_tokens or gathered.model.profile.answer_tokens,
            AnswerListener(
                answers.feed,
                lambda progress: _say_progress(active, progress),
                active.thoughts.append,
            ),
            AnswerWishes(
                passing=len(request.prompt.passing) + len(images),
                effort=turn.context.question.effort,
                tools=[json.loads(block.text) for block in request.prompt.tools],
            ),
        )
    answers.tracker.end(outcome)
    answers.outcome = outcome if answers.outcome is None else joined(answers.outcome, outcome)


async def is_same_list(gathered: Gathered, ports: TurnPorts) -> bool:
    """Tell whether no file was excluded or included since a request was gathered.

    Raises:
        AcError: which files are excluded can't be known.
    """
    now, known = await ports.files.excluded(), gathered.reading.excluded
    return (now.paths, now.number) == (known.paths, known.number)


async def _require_same_list(gathered: Gathered, ports: TurnPorts) -> None:
    if not await is_same_list(gathered, ports):
        raise Conflict(
            "The list of excluded files was changed while the request was made, and nothing was "
            "sent. Ask again."
        )


async def _store_removal(stored: StoredTurn, removal: Removal | None, ports: TurnPorts) -> None:
    """Take out of the log what the turn's prompt had no room for, or what is excluded.

    A disk that fails costs no more than that it is taken out again after a restart.
    """
    session = stored.session
    if removal is None or removal in session.log.removals:
        return
    try:
        if stored.is_kept:
            # Whoever has begun a turn meanwhile waits for this one's end and then reads the log.
            await ports.log.removals.keep(session.session_id, removal, None)
            session.revision += 1
    except AcError as error:
        log.warning("a shortened log is not kept: %s", error)
    session.log.remove(removal)


def _note_sent(gathered: Gathered, request: PromptRequest, moment_ms: int) -> None:
    sent_log = gathered.log.session.log
    sent_log.freeze_head(gathered.model.profile, request.prompt.head)
    sent_log.sent_profile = gathered.model.profile
    sent_log.sent_ms = moment_ms


def _say_progress(active: ActiveStream, progress: PromptProgress | Retry) -> None:
    if isinstance(progress, Retry):
        active.progress(
            "waiting",
            f"{progress.reason} Trying again in {progress.wait_s:.0f} s "
            f"({progress.attempt} of {progress.attempts}) …",
        )
        active.publish(progress)
        return
    percent = min(100, 100 * progress.read // max(1, progress.total))
    active.progress("reading", f"Reading the prompt … {percent} %", percent=percent)


@contextmanager
def _announced_if_slow(active: ActiveStream, message: str) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    saying = loop.call_later(PATIENCE_S, active.progress, "waiting", message)
    try:
        yield
    finally:
        saying.cancel()
