"""The stage that applies an answer's edits, and retries those that failed."""

import asyncio
import logging
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edit_blocks.reading.suggestions import suggested, suggestions
from jupyter_ac.chat.edit_blocks.retry import MOST_RETRIES, retry_message, to_redo
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.selection_updates import (
    MOST_ADDED,
    Identities,
    SelectionChange,
    added_notice,
    announcement,
)
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, wellformed
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.recorded.player import CHANGED
from jupyter_ac.chat.records import GAP
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.chat.writing_turns import WRITING_MODES
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.models.client import CompletedAnswer
from jupyter_ac.workers.wire import MAX_ANSWER_CHARS, TOO_LONG

log = logging.getLogger(__name__)

_CUT: Final = frozenset({"length", TOO_LONG, "content_filter"})
_CALLING: Final = frozenset({"tool_calls", "function_call"})
"""Reasons for which an answer ends before it is complete; without any, it broke off. One that ends
with calls is complete if it has some."""

ASIDE_NOTICE: Final = (
    "This answer has edits, and was asked for outside the panel: nothing is changed until you open "
    "the conversation in the panel and accept them."
)

RUN_NOTICE: Final = (
    "A run in another conversation is changing files of this working tree, so these edits wait: "
    "accept them when it has ended."
)


async def edit(turn: Turn, ports: TurnPorts) -> bool:
    """Apply the edits of the last answer; say whether the turn is complete.

    It isn't when edits failed that the model is to be asked for again; what to ask is in
    `turn.next`. At the end of the turn edits in other formats are suggested.
    """
    try:
        if not turn.next.failure:
            await _apply_last(turn, ports)
            await _decide_waiting(turn, ports)
            if _prepare_retry(turn, ports):
                return False
    except BaseException:
        _announce_unsent(turn)
        raise
    _announce_unsent(turn)
    await _suggest(turn, ports)
    return True


@contextmanager
def retrying(turn: Turn) -> Iterator[None]:
    """Make a failure of a repeated request a notice: the first answer stands."""
    try:
        yield
    except AcError as error:
        if not turn.next.is_retry:
            raise
        log.info("failed edits could not be asked for again: %s", error)
        turn.next.failure = "Not applied: this answer failed before it was complete."
        turn.context.notices.append(
            f"The model was asked again for the edits that failed, without success: {error.message}"
        )
    except BaseException:
        if turn.next.is_retry:
            _announce_unsent(turn)
        raise


def announce_added(turn: Turn) -> None:
    """Say which files go out that nobody ticked; `stream` tells the pages before the request."""
    sending, following = {block.path for block in turn.request.sent}, turn.next
    added = [path for path in following.added if path in sending]
    if added:
        turn.context.notices.append(announcement(added))
    following.added = [path for path in following.added if path not in sending]


async def _apply_last(turn: Turn, ports: TurnPorts) -> None:
    """Apply the edits of the last answer; once begun, this is not cancelled.

    The whole answer is stored first, so that the changes to files can always be explained.
    """
    tracker, edits = turn.answers.tracker, ports.edits
    if edits.applier is None or not tracker.answers or not tracker.answers[-1].parser.blocks:
        return
    reply = tracker.answers[-1].reply
    if reply is None or _is_cut(reply):
        tracker.skip("Not applied: the answer was cut off before its end.")
        return
    if turn.run is not None and not turn.run.may_edit:
        tracker.skip("Not applied: this run only reads (mode plan).")
        return
    async with turn.stored.heartbeat(ports.history):
        is_reviewing, options, _ = await asyncio.gather(
            asyncio.to_thread(edits.is_reviewing),
            _options(turn, ports),
            turn.stored.checkpoint(ports.history),
        )
        if is_reviewing:
            tracker.skip("Not applied: a review is under way, and its files stay as they are.")
            return
        try:
            apply = partial(_apply, turn, ports, edits.applier, options)
            await _to_completion(turn.run.edited(apply) if turn.run is not None else apply())
        except AcError as error:
            log.warning("edits could not be applied: %s", error)
            tracker.skip(f"Not applied: {error.message}")


async def _options(turn: Turn, ports: TurnPorts) -> ApplyOptions:
    conversation, edits = turn.context.conversation, ports.edits
    settings = edits.settings()
    seen = await turn.run.in_context() if turn.run is not None else ()
    return ApplyOptions(
        tuple(dict.fromkeys((*conversation.selection, *seen))),
        settings.max_file_bytes,
        await edits.unsaved(conversation.conversation_key),
        apply_shifted=settings.apply_shifted,
        open_notebooks=edits.open_in(conversation.conversation_key),
        views=conversation.notebook_views,
    )


async def _apply(turn: Turn, ports: TurnPorts, applier: Applier, options: ApplyOptions) -> None:
    tracker, conversation = turn.answers.tracker, turn.context.conversation
    before = await applier.selecting.look(conversation.selection)
    is_aside = bool(conversation.conversation_key.aside)
    only_looks = is_aside and turn.run is None  # a run was asked to change files
    if only_looks or ports.edits.settings().review:
        applied = Applied(outcomes=await applier.look(tracker.fresh, options))
    else:
        options = replace(options, waiting=tracker.waiting)
        async with _writing(turn, ports) as may_write:
            if may_write:
                applied = await applier.apply(tracker.fresh, options, turn.record.turn_id)
            else:
                turn.context.notices.append(RUN_NOTICE)
                applied = Applied(outcomes=await applier.look(tracker.fresh, options))
    await _note_applied(turn, ports, applier, before, applied)


def _writing(turn: Turn, ports: TurnPorts) -> AbstractAsyncContextManager[bool]:
    """Let the turn alone with the files; gives whether its edits may be applied now."""
    # A run that may write is alone already.
    if turn.context.question.agent in WRITING_MODES:
        return nullcontext(enter_result=True)
    return ports.edits.writing.edits()


async def _note_applied(
    turn: Turn, ports: TurnPorts, applier: Applier, before: Identities, applied: Applied
) -> None:
    """Note what became of blocks, and select the files that they are about.

    Args:
        turn: whose blocks.
        ports: what the stages work with.
        applier: has applied them.
        before: what was selected.
        applied: the result.
    """
    tracker, conversation = turn.answers.tracker, turn.context.conversation
    change = await _selection_after(turn, applier, before, applied)
    tracker.take(change.outcomes)
    tracker.files.take(applied, change)
    turn.context.notices.extend(change.notices)
    turn.next.added += change.added
    if change.paths != conversation.selection:
        marked = change.by_program(conversation.selection, conversation.by_program)
        await ports.edits.select(conversation.conversation_key, change.paths, marked)


async def _decide_waiting(turn: Turn, ports: TurnPorts) -> None:
    """Have the user decide on the edits that wait, one after another; those of a run only.

    Each is made at once when it is accepted, as the files are then. The wait isn't between the
    run's checkpoints, and a Stop ends it.
    """
    tracker, run, stream = turn.answers.tracker, turn.run, turn.context.stream
    if run is not None and run.has_steps and ports.edits.applier is not None:
        text_end = utf16_length(stream.text)
        for outcome in _pending(turn):
            if stream.stopped or stream.interrupted:
                raise asyncio.CancelledError
            apply = partial(_apply_accepted, turn, ports, ports.edits.applier, outcome)
            async with turn.stored.heartbeat(ports.history):
                tracker.take([await run.decide(outcome, text_end, apply)])
    if turn.context.conversation.conversation_key.aside and _pending(turn):
        turn.context.notices.append(ASIDE_NOTICE)


def _pending(turn: Turn) -> list[BlockOutcome]:
    answers = turn.answers.tracker.answers
    outcomes = sorted(answers[-1].outcomes.items()) if answers else []
    return [outcome for _, outcome in outcomes if outcome.status is BlockStatus.PENDING]


async def _apply_accepted(
    turn: Turn, ports: TurnPorts, applier: Applier, outcome: BlockOutcome
) -> BlockOutcome:
    """Make an edit that the user has accepted; once begun, this is not cancelled."""
    options = replace(
        await _options(turn, ports),
        selection=None,
        accepted={outcome.block.index: outcome.protected} if outcome.protected else {},
    )

    async def apply() -> None:
        before = await applier.selecting.look(turn.context.conversation.selection)
        applied = await applier.apply([outcome.block], options, turn.record.turn_id)
        await _note_applied(turn, ports, applier, before, applied)

    try:
        if await asyncio.to_thread(ports.edits.is_reviewing):
            raise Conflict("A review is under way, and its files stay as they are.")
        await _to_completion(turn.run.edited(apply) if turn.run is not None else apply())
    except AcError as error:
        log.warning("an accepted edit could not be applied: %s", error)
        return replace(outcome, status=BlockStatus.SKIPPED, message=error.message)
    return turn.answers.tracker.answers[-1].outcomes[outcome.block.index]


async def _selection_after(
    turn: Turn, applier: Applier, before: Identities, applied: Applied
) -> SelectionChange:
    """Return the selection after the edits of an answer; a run ticks nothing."""
    selection, selecting = turn.context.conversation.selection, applier.selecting
    if turn.run is None or not turn.run.has_steps:
        room = MOST_ADDED - len(turn.answers.tracker.files.added)
        return await selecting.after_answer(selection, before, applied, room)
    change = await selecting.after_decision(selection, before, applied)
    stays = (path for path in change.paths if path in selection or path in change.renamed)
    return replace(change, paths=tuple(stays), notices=())


def _prepare_retry(turn: Turn, ports: TurnPorts) -> bool:
    """Make what failed the next question, behind the answer so far; False when nothing is asked.

    It is asked for as often as the settings say, at most twice.
    """
    stream, answers, following = turn.context.stream, turn.answers.tracker.answers, turn.next
    most = min(ports.edits.settings().retries, MOST_RETRIES)
    failed = to_redo(answers[-1].outcomes.values()) if answers else []
    is_ended = stream.stopped or stream.interrupted
    # All answers of a turn are one message.
    is_long = stream.answer.length > MAX_ANSWER_CHARS // 2
    reply = answers[-1].reply if answers else None
    if turn.run is not None and (turn.run.has_steps or reply is None or reply.calls):
        return False
    if turn.context.question.recorded is not None:
        turn.context.notices.extend([CHANGED] if failed else [])
        return False
    if len(following.answered) >= most or not failed or is_ended or is_long:
        return False
    text = stream.text[answers[-1].start : answers[-1].end]
    if turn.run is not None and reply is not None:
        turn.run.retried(reply)
    stream.progress("waiting", _failure_notice(failed))
    following.answered.append(Exchange(turn.request.prompt.ask, answer_block(text)))
    following.blocks = (Block(Category.RETRY, wellformed(retry_message(failed))),)
    following.is_retry = True
    turn.answers.gap = GAP
    return True


def _announce_unsent(turn: Turn) -> None:
    """Say which files were added that no request has carried yet."""
    if turn.next.added:
        turn.context.notices.append(added_notice(turn.next.added))


async def _suggest(turn: Turn, ports: TurnPorts) -> None:
    """Offer what the answers have of edits in other formats, where it fits the files.

    Nothing is applied or retried, and the model isn't informed of it.
    """
    tracker, edits = turn.answers.tracker, ports.edits
    reply = tracker.answers[-1].reply if tracker.answers else None
    if edits.applier is None or reply is None or _is_cut(reply) or reply.calls:
        return
    text = turn.context.stream.text
    found = await asyncio.to_thread(suggestions, text, tracker.blocks, edits.exists)
    if not found:
        return
    key = turn.context.conversation.conversation_key
    options = ApplyOptions(
        selection=None,
        max_file_bytes=edits.settings().max_file_bytes,
        open_notebooks=edits.open_in(key),
        views=turn.context.conversation.notebook_views,
    )
    try:
        async with turn.stored.heartbeat(ports.history):
            blocks = [block for one in found for block in one.blocks]
            looked = await edits.applier.look(blocks, options)
    except AcError as error:
        log.info("suggested edits could not be looked at: %s", error)
        return
    tracker.suggested = suggested(found, looked)


def _is_cut(reply: CompletedAnswer) -> bool:
    if reply.finish_reason in _CALLING:
        return not reply.calls
    return reply.finish_reason in {None, *_CUT}


def _failure_notice(failed: Sequence[BlockOutcome]) -> str:
    count = len(failed)
    edits = "One edit" if count == 1 else f"{count} edits"
    return f"{edits} could not be applied; asking the model again …"


async def _to_completion(work: Awaitable[None]) -> None:
    """Await something that must not be left half done; a Stop meanwhile comes too late."""
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None:
                current.uncancel()
    task.result()
