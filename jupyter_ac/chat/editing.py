"""The stages of a turn behind the answer: apply its edits, ask once more for those that failed."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.answering import stream
from jupyter_ac.chat.assembling import assemble
from jupyter_ac.chat.edit_blocks.outcomes import BlockOutcome, BlockStatus
from jupyter_ac.chat.edit_blocks.reading.suggestions import suggestions
from jupyter_ac.chat.edit_blocks.retry import MOST_RETRIES, retry_message, to_redo
from jupyter_ac.chat.edit_blocks.suggested_edits import suggested
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.edits.selection_updates import MOST_ADDED, added_notice, announcement
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, wellformed
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.stages import fit, read_files
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.turn_heartbeat import kept_alive
from jupyter_ac.errors import AcError
from jupyter_ac.workers.wire import MAX_ANSWER_CHARS, TOO_LONG

log = logging.getLogger(__name__)

_CUT: Final = frozenset({"length", TOO_LONG, "content_filter", "tool_calls", "function_call"})
"""Reasons for which an answer ends before it is complete; without any, it broke off."""

_GAP: Final = "\n\n"
_ASIDE: Final = (
    "This answer has edits, and was asked for outside the panel: nothing is changed until you open "
    "the conversation in the panel and accept them."
)


async def apply(turn: Turn, ports: TurnPorts) -> None:
    """Apply the edits of the last answer; what has begun is not stopped any more.

    The whole answer is kept first, so that what was done to the files can always be explained.
    """
    ledger, edits = turn.ledger, ports.edits
    if edits.applier is None or not ledger.answers or not ledger.answers[-1].parser.blocks:
        return
    reply = ledger.answers[-1].reply
    if reply is None or reply.finish_reason is None or reply.finish_reason in _CUT:
        ledger.skip("Not applied: the answer was cut off before its end.")
        return
    async with kept_alive(turn, ports):
        is_reviewing, unsaved, _ = await asyncio.gather(
            asyncio.to_thread(edits.is_reviewing),
            edits.unsaved(turn.conversation.seat),
            _checkpoint(turn, ports),
        )
        if is_reviewing:
            ledger.skip("Not applied: a review is under way, and its files stay as they are.")
            return
        selection = turn.conversation.selection
        settings = edits.settings()
        terms = ApplyOptions(
            selection,
            settings.max_file_bytes,
            unsaved,
            apply_shifted=settings.apply_shifted,
        )
        try:
            await _seen_through(_apply(turn, edits, edits.applier, terms))
        except AcError as error:
            log.warning("edits could not be applied: %s", error)
            ledger.skip(f"Not applied: {error.message}")


async def retry(turn: Turn, ports: TurnPorts) -> None:
    """Ask again for the edits that failed, as often as the settings say; never more than twice."""
    try:
        await _retry(turn, ports)
    finally:
        if turn.added:  # no request has carried them yet
            turn.notices.append(added_notice(turn.added))


async def suggest(turn: Turn, ports: TurnPorts) -> None:
    """Offer what the answers have of edits in other formats, where it fits the files.

    Nothing is applied, nothing is asked for again, and the model isn't told of it.
    """
    ledger, edits = turn.ledger, ports.edits
    reply = ledger.answers[-1].reply if ledger.answers else None
    if edits.applier is None or reply is None or reply.finish_reason in {None, *_CUT}:
        return
    text = turn.stream.text
    found = await asyncio.to_thread(suggestions, text, ledger.blocks, edits.exists)
    if not found:
        return
    terms = ApplyOptions(selection=None, max_file_bytes=edits.settings().max_file_bytes)
    try:
        async with kept_alive(turn, ports):
            blocks = [block for one in found for block in one.blocks]
            looked = await edits.applier.look(blocks, terms)
    except AcError as error:
        log.info("suggested edits could not be looked at: %s", error)
        return
    ledger.suggested = suggested(found, looked)


async def _retry(turn: Turn, ports: TurnPorts) -> None:
    for _ in range(min(ports.edits.settings().retries, MOST_RETRIES)):
        failed = to_redo(turn.ledger.answers[-1].outcomes.values()) if turn.ledger.answers else []
        if not failed or turn.stream.stopped or turn.stream.interrupted:
            return
        if turn.stream.answer.length > MAX_ANSWER_CHARS // 2:
            return  # all answers of a turn are one message
        try:
            await _ask_again(turn, ports, failed)
        except AcError as error:
            log.info("failed edits could not be asked for again: %s", error)
            turn.wanting = "Not applied: this answer failed before it was complete."
            turn.notices.append(
                "The model was asked again for the edits that failed, without success: "
                f"{error.message}"
            )
            return
        await apply(turn, ports)


async def _apply(turn: Turn, edits: EditPorts, applier: Applier, terms: ApplyOptions) -> None:
    ledger, conversation = turn.ledger, turn.conversation
    before = await applier.selecting.look(conversation.selection)
    is_aside = bool(conversation.seat.aside)
    if is_aside or edits.settings().review:
        applied = Applied(outcomes=await applier.look(ledger.fresh, terms))
    else:
        terms = replace(terms, waiting=ledger.waiting)
        applied = await applier.apply(ledger.fresh, terms, turn.record.turn_id)
    room = MOST_ADDED - len(ledger.files.added)
    change = await applier.selecting.after_answer(conversation.selection, before, applied, room)
    ledger.take(change.outcomes)
    ledger.files.take(applied, change)
    turn.notices += change.notices
    turn.added += change.added
    if is_aside and any(one.status is BlockStatus.PENDING for one in change.outcomes):
        turn.notices.append(_ASIDE)
    if change.paths != conversation.selection:
        marked = change.by_program(conversation.selection, conversation.by_program)
        await edits.select(conversation.seat, change.paths, marked)


async def _ask_again(turn: Turn, ports: TurnPorts, failed: Sequence[BlockOutcome]) -> None:
    """Send the news about the files and what failed, and stream the answer behind the first one."""
    answer = turn.ledger.answers[-1]
    text = turn.stream.text[answer.start : answer.end]
    turn.stream.progress("waiting", _said(failed))
    turn.answered.append(Exchange(turn.prompt.ask, answer_block(text)))
    turn.again = Block(Category.RETRY, wellformed(retry_message(failed)))
    await read_files(turn, ports)
    await assemble(turn, ports)
    await fit(turn, ports)
    _announce(turn)
    turn.gap = _GAP
    await stream(turn, ports)


def _announce(turn: Turn) -> None:
    """Say which files go out that nobody ticked; `stream` tells the pages before the request."""
    sending = {block.path for block in turn.sent}
    added = [path for path in turn.added if path in sending]
    if added:
        turn.notices.append(announcement(added))
    turn.added = [path for path in turn.added if path not in sending]


def _said(failed: Sequence[BlockOutcome]) -> str:
    count = len(failed)
    edits = "One edit" if count == 1 else f"{count} edits"
    return f"{edits} could not be applied; asking the model again …"


async def _checkpoint(turn: Turn, ports: TurnPorts) -> None:
    if not turn.is_kept:
        return
    try:
        await ports.history.checkpoint(turn.record.turn_id, wellformed(turn.stream.text))
    except AcError as error:
        log.warning("the answer is not kept before its edits: %s", error)


async def _seen_through(work: Awaitable[None]) -> None:
    """Wait for something that must not be left half done; a Stop meanwhile comes too late."""
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None:
                current.uncancel()
    task.result()
