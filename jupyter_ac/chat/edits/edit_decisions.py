"""Carries out the user's decisions on edits that wait, were misindented, or were applied."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.retry import retry_prompt
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, placed, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits, blocks_of
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.edits.undoing.undoing import Undone
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.edit_rows import (
    BlockStatus,
    EditResult,
    EditsChange,
    EditsStanding,
    EditStanding,
    UndoOffer,
)
from jupyter_ac.errors import AcError, Conflict, InvalidParams, NotFound, Unsupported
from jupyter_ac.ids import ConversationKey, RepoPath

log = logging.getLogger(__name__)


class Decider:
    """Accepts, rejects and takes back, one after another. Belongs to one event loop.

    Args:
        ports: what applies edits, and keeps what became of them.
    """

    def __init__(self, ports: EditPorts) -> None:
        self._ports = ports
        self._deciding = asyncio.Lock()

    async def accept(
        self, conversation: Conversation, request_id: str, indices: Collection[int]
    ) -> TurnRecord:
        """Apply pending blocks as the files are at this moment.

        Without indices all of them, but for those of protected files: these must be named, and
        wait once more when they are protected for another reason than the one that was shown. A
        block that failed by its indentation alone is applied shifted, when it is named, and one
        that was suggested as it is.

        Raises:
            NotFound: there is no such turn, or block.
            Conflict: none of the blocks waits, or only for a word of its own; or a review is under
                way.
            AcError: nothing can be written.
        """
        async with self._deciding:
            turn = _turn(conversation, request_id)
            chosen = _chosen(turn, indices, _is_acceptable, _is_unprotected)
            await self._require_no_review()
            selecting = self._applier().selecting
            before = await selecting.look(conversation.selection)
            applied = await self._apply(conversation.conversation_key, turn, chosen)
            change = await selecting.after_decision(conversation.selection, before, applied)
            units = Utf16Offsets(turn.answer, [outcome.block for outcome in applied.outcomes])
            rows = {row["index"]: row for row in chosen}
            left = [row for row in filter(_is_pending, turn.edits.results) if row not in chosen]
            decided = [
                placed(result_row(_held_back(outcome, left), units, row["attempt"]), row)
                for outcome in applied.outcomes
                if (row := rows[outcome.block.index])
            ]
            edits = turn.edits.with_results(decided)
            edits = replace(
                edits,
                modified=_union(edits.modified, applied.modified),
                created=_union(edits.created, applied.created),
                unticked=_union(edits.unticked, change.removed),
            )
            marked = change.by_program(conversation.selection, conversation.by_program)
            await self._select(conversation, change.paths, marked)
            return await self._keep(conversation, replace(turn, edits=_prompted(edits)))

    async def reject(
        self, conversation: Conversation, request_id: str, indices: Collection[int]
    ) -> TurnRecord:
        """Reject pending blocks; without indices, all of them.

        Raises:
            NotFound: there is no such turn, or block.
            Conflict: none of the blocks waits.
        """
        async with self._deciding:
            turn = _turn(conversation, request_id)
            chosen = _chosen(turn, indices, _is_pending, _is_pending)
            edits = turn.edits.with_results(_all(chosen, "Rejected."))
            return await self._keep(conversation, replace(turn, edits=edits))

    async def undo(
        self,
        conversation: Conversation,
        request_id: str,
        indices: Collection[int] = (),
        confirmed: Collection[str] = (),
    ) -> tuple[TurnRecord, Undone]:
        """Take back edits of a turn; returns the turn and what came of it.

        Args:
            conversation: with an idle stream.
            request_id: of the turn.
            indices: of the blocks; none for all that stand.
            confirmed: protected files that the user knows to be among those that change; nothing
                is done when others are.

        Raises:
            Busy: an answer is being made.
            NotFound: there is no such turn, or block.
            Conflict: none of the blocks was applied, or a review is under way.
        """
        async with self._deciding:
            conversation.require_idle("taking back edits")
            await self._require_no_review()
            turn = _turn(conversation, request_id)
            chosen = _applied(turn, indices)
            applier = self._applier()
            before = await applier.selecting.look(conversation.selection)
            blocks = {row["index"] for row in chosen}
            is_all = blocks == {row["index"] for row in _applied(turn, ())}
            undone = await applier.undoing.undo(turn.turn_id, None if is_all else blocks, confirmed)
            if undone.reason or undone.protected:
                return turn, undone
            rows: list[EditResult] = [
                {**row, "status": BlockStatus.UNDONE, "message": "Taken back."} for row in chosen
            ]
            edits = turn.edits.with_results(rows).without_files(undone.clean, is_all=is_all)
            ticked = _still_ticked(turn.edits, conversation.selection)
            selected = await applier.selecting.after_undo(
                conversation.selection, before, undone.back, ticked
            )
            await self._select(conversation, selected, conversation.by_program)
            return await self._keep(conversation, replace(turn, edits=edits)), undone

    async def standings(
        self, conversation: Conversation, request_ids: Iterable[str]
    ) -> list[EditsStanding]:
        """Say how the applied edits of turns stand in the files at this moment.

        Turns that aren't there, and edits of which nothing is known, are left out.
        """
        applier = self._ports.applier
        session = conversation.session
        found: list[EditsStanding] = []
        if applier is None or not session.is_own:
            return found
        for request_id in dict.fromkeys(request_ids):
            turn = session.turn(request_id)
            applied = [row["index"] for row in turn.edits.results if _stands(row)] if turn else []
            if turn is None or not applied:
                continue
            standing = await applier.undoing.standings(turn.turn_id, applied)
            rows: list[EditStanding] = [
                {"index": index, "standing": word.value, "can_undo": can_undo}
                for index, (word, can_undo) in standing.items()
            ]
            found.append({"request_id": request_id, "edits": rows})
        return found

    def change(self, conversation: Conversation, turn: TurnRecord) -> EditsChange:
        """Say how a turn's edits stand."""
        offer = undo_offer(conversation.session)
        return {
            "edit_results": list(turn.edits.results),
            "files_modified": list(turn.edits.modified),
            "can_undo": offer is not None and offer["request_id"] == turn.request_id,
        }

    async def _apply(
        self, conversation_key: ConversationKey, turn: TurnRecord, chosen: Sequence[EditResult]
    ) -> Applied:
        applier, ports = self._applier(), self._ports
        settings = ports.settings()
        terms = ApplyOptions(
            selection=None,
            max_file_bytes=settings.max_file_bytes,
            apply_shifted=settings.apply_shifted,
            unsaved=await ports.unsaved(conversation_key),
            accepted={row["index"]: row["protected"] for row in chosen if row["protected"]},
        )
        known = {(block.index, block.path): block for block in blocks_of(turn.answer, turn.edits)}
        found = (known.get((row["index"], row["file"])) for row in chosen)
        blocks = [block for block in found if block is not None]
        shifted = {row["index"] for row in chosen if row["correctable"]}
        blocks = [
            await _corrected(applier, block, terms) if block.index in shifted else block
            for block in blocks
        ]
        return await applier.apply(blocks, terms, turn.turn_id)

    async def _require_no_review(self) -> None:
        if await asyncio.to_thread(self._ports.is_reviewing):
            raise Conflict("A review is under way, and its files stay as they are; end it first.")

    def _applier(self) -> Applier:
        applier = self._ports.applier
        if applier is None:
            raise Unsupported("There is nothing here that applies edits.")
        return applier

    async def _select(
        self,
        conversation: Conversation,
        paths: tuple[RepoPath, ...],
        by_program: frozenset[RepoPath],
    ) -> None:
        if paths != conversation.selection:
            await self._ports.select(conversation.conversation_key, paths, by_program)

    async def _keep(self, conversation: Conversation, turn: TurnRecord) -> TurnRecord:
        session = conversation.session
        session.put(turn)
        try:
            await self._ports.keep(session.session_id, turn)
        except AcError as error:
            log.warning("what was decided on edits is not kept: %s", error)
        else:
            session.revision += 1
        return turn


def undo_offer(session: Session) -> UndoOffer | None:
    """Name the last turn whose edits stand in the files; none of a session of somebody else's."""
    if not session.is_own:
        return None
    for turn in reversed(session.turns):
        if turn.edits.is_applied:
            return {"request_id": turn.request_id, "files": list(turn.edits.modified)}
    return None


def last_undoable(session: Session, request_id: str = "") -> str:
    """Return the request id of the last turn whose edits stand in the files.

    Args:
        session: whose turns.
        request_id: of the turn that is meant; "" for whichever is the last.

    Raises:
        NotFound: there are no such edits.
        Conflict: other edits are the last.
    """
    offer = undo_offer(session)
    if offer is None:
        raise NotFound("There are no edits in this conversation to take back.")
    if request_id not in {"", offer["request_id"]}:
        raise Conflict("Other edits are the last; reload the page to see them.")
    return offer["request_id"]


def _applied(turn: TurnRecord, indices: Collection[int]) -> list[EditResult]:
    """Return the rows that are named and applied; without names, all that are.

    Raises:
        InvalidParams: there is no such block.
        Conflict: one of them, or none, is applied.
    """
    if not indices:
        chosen = list(filter(_stands, turn.edits.results))
    else:
        chosen = _chosen(turn, indices, _is_known, _is_known)
    if not chosen or not all(map(_stands, chosen)):
        raise Conflict("These edits are not applied any more; reload the page to see them.")
    return chosen


def _is_known(_row: EditResult) -> bool:
    return True


def _stands(row: EditResult) -> bool:
    return row["status"] == "applied"


def _still_ticked(edits: TurnEdits, selection: Collection[str]) -> set[str]:
    """Return the files that were ticked before the edits, and not unticked under another name."""
    renamed = {row["file"]: row["new_path"] for row in edits.results if row["kind"] == "rename"}
    return {path for path in edits.unticked if not (new := renamed.get(path)) or new in selection}


def _turn(conversation: Conversation, request_id: str) -> TurnRecord:
    conversation.session.require_own()
    turn = conversation.session.turn(request_id)
    if turn is None:
        raise NotFound(f"There is no answer {request_id[:64]!r} in this conversation.")
    return turn


def _chosen(
    turn: TurnRecord,
    indices: Collection[int],
    is_open: Callable[[EditResult], bool],
    is_meant: Callable[[EditResult], bool],
) -> list[EditResult]:
    """Return the rows that are named and open; without names, all that are meant then."""
    known = {row["index"]: row for row in turn.edits.results}
    unknown = [index for index in indices if index not in known]
    if unknown:
        raise InvalidParams(f"That answer has no edit block {unknown[0]}.")
    named = [known[index] for index in sorted(set(indices))]
    found = list(filter(is_open, named)) if indices else list(filter(is_meant, known.values()))
    if not found and not indices and any(map(_is_pending, known.values())):
        raise Conflict(
            "What waits here are edits of files that run by themselves; accept each by itself."
        )
    if not found:
        raise Conflict("None of these edits waits any more; reload the page to see them.")
    return found


def _held_back(outcome: BlockOutcome, left: Iterable[EditResult]) -> BlockOutcome:
    """Let a block that fails wait as long as earlier ones for its file do: it may be built on them.

    Args:
        outcome: what became of the block.
        left: the rows that wait for another word.
    """
    block = outcome.block
    if outcome.status not in {BlockStatus.FAILED, BlockStatus.SKIPPED} or not any(
        row["index"] < block.index and _builds_on(outcome, row) for row in left
    ):
        return outcome
    message = f"Accept or reject the edits of {block.path!r} before it first; it doesn't fit alone."
    return BlockOutcome(
        block,
        BlockStatus.PENDING,
        message,
        is_create=outcome.is_create,
        protected=outcome.protected,
    )


def _builds_on(outcome: BlockOutcome, row: EditResult) -> bool:
    """Tell whether a block that doesn't fit may do so after another one has been carried out."""
    path = outcome.block.path
    if path in {row["file"], row["new_path"]}:
        return outcome.status is BlockStatus.FAILED
    return path.startswith(f"{row['file']}/") or row["file"].startswith(f"{path}/")


def _is_pending(row: EditResult) -> bool:
    return row["status"] == "pending"


def _is_unprotected(row: EditResult) -> bool:
    return _is_pending(row) and not row["protected"]


def _is_acceptable(row: EditResult) -> bool:
    if row["status"] == "suggested":
        return row["error_type"] == ""
    return _is_pending(row) or (row["status"] == "failed" and row["correctable"])


def _all(rows: Iterable[EditResult], message: str) -> list[EditResult]:
    return [{**row, "status": BlockStatus.REJECTED, "message": message} for row in rows]


async def _corrected(applier: Applier, block: EditBlock, terms: ApplyOptions) -> EditBlock:
    """Return the block shifted as the file wants it at this moment, or itself."""
    correction = (await applier.look([block], terms))[0].correction
    return block if correction is None else replace(correction, index=block.index)


def _union(known: Iterable[str], further: Iterable[RepoPath]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain(known, further)))


def _prompted(edits: TurnEdits) -> TurnEdits:
    return replace(edits, retry_prompt=retry_prompt(edits.results, edits.auto_added))
