"""Carries out the user's decisions on edits that wait, were misindented, or were applied."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.retry import retry_prompt
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, placed, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits, blocks_of
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.document_edits import DocumentEdits
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.edits.row_choice import (
    applied_rows,
    awaits_saving,
    chosen_rows,
    held_back,
    is_acceptable,
    is_pending,
    is_unprotected,
    stands,
)
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
from jupyter_ac.errors import AcError, Conflict, NotFound, Unsupported
from jupyter_ac.ids import RepoPath

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
            chosen = chosen_rows(turn, indices, is_acceptable, is_unprotected)
            await self._require_no_review()
            selecting = self._applier().selecting
            before = await selecting.look(conversation.selection)
            applied = await self._apply(conversation, turn, chosen)
            change = await selecting.after_decision(conversation.selection, before, applied)
            units = Utf16Offsets(turn.answer, [outcome.block for outcome in applied.outcomes])
            rows = {row["index"]: row for row in chosen}
            left = [row for row in filter(is_pending, turn.edits.results) if row not in chosen]
            decided = [
                placed(result_row(held_back(outcome, left), units, row["attempt"]), row)
                for outcome in applied.outcomes
                if (row := rows[outcome.block.index])
            ]
            edits = turn.edits.with_results(decided)
            edits = replace(
                edits,
                modified=_union(edits.modified, applied.modified),
                created=_union(edits.created, applied.created),
                unticked=_union(edits.unticked, change.removed),
                documents=(*edits.documents, *applied.documents),
            )
            marked = change.by_program(conversation.selection, conversation.by_program)
            await self._select(conversation, change.paths, marked)
            return await self._keep(conversation.session, replace(turn, edits=_prompted(edits)))

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
            chosen = chosen_rows(turn, indices, is_pending, is_pending)
            edits = turn.edits.with_results(_all(chosen, "Rejected."))
            return await self._keep(conversation.session, replace(turn, edits=edits))

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
            chosen = applied_rows(turn, indices)
            applier = self._applier()
            before = await applier.selecting.look(conversation.selection)
            is_all = len(chosen) == len(applied_rows(turn, ()))
            undone, rows = await self._undo(conversation, turn, chosen, confirmed)
            if undone.reason or undone.protected:
                return turn, undone
            edits = turn.edits.with_results(rows).without_files(undone.clean, is_all=is_all)
            ticked = _still_ticked(turn.edits, conversation.selection)
            selected = await applier.selecting.after_undo(
                conversation.selection, before, undone.back, ticked
            )
            await self._select(conversation, selected, conversation.by_program)
            return await self._keep(conversation.session, replace(turn, edits=edits)), undone

    async def saved(self, conversation: Conversation, path: RepoPath) -> list[TurnRecord]:
        """Stage a notebook that was saved after it was edited in its page; returns the turns.

        Args:
            conversation: in which the edits were made.
            path: of the notebook's file; another is none.
        """
        async with self._deciding:
            changed: list[TurnRecord] = []
            for session in conversation.recent_sessions:
                for turn in list(session.turns if session.is_own else ()):
                    rows = list(filter(awaits_saving, turn.edits.results))
                    if rows:
                        rows = await self._in_documents(conversation, turn, rows).saved(path)
                    if rows:
                        edits = turn.edits.with_results(rows)
                        changed.append(await self._keep(session, replace(turn, edits=edits)))
            return changed

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
            rows = turn.edits.results if turn else ()
            applied = [row["index"] for row in rows if stands(row) and not row["document"]]
            if turn is None or not applied:
                continue
            standing = await applier.undoing.standings(turn.turn_id, applied)
            standings: list[EditStanding] = [
                {"index": index, "standing": word.value, "can_undo": can_undo}
                for index, (word, can_undo) in standing.items()
            ]
            found.append({"request_id": request_id, "edits": standings})
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
        self, conversation: Conversation, turn: TurnRecord, chosen: Sequence[EditResult]
    ) -> Applied:
        conversation_key = conversation.conversation_key
        applier, ports = self._applier(), self._ports
        settings = ports.settings()
        terms = ApplyOptions(
            selection=None,
            max_file_bytes=settings.max_file_bytes,
            apply_shifted=settings.apply_shifted,
            unsaved=await ports.unsaved(conversation_key),
            open_notebooks=ports.open_in(conversation_key),
            views=conversation.notebook_views,
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

    async def _undo(
        self,
        conversation: Conversation,
        turn: TurnRecord,
        chosen: Sequence[EditResult],
        confirmed: Collection[str],
    ) -> tuple[Undone, list[EditResult]]:
        """Take edits back, on disk and in open notebooks; returns the rows of those that are."""
        on_disk = [row for row in chosen if not row["document"]]
        documents = self._in_documents(
            conversation, turn, [row for row in chosen if row["document"]]
        )
        reason = await documents.undo_problem() if documents.rows else ""
        if reason:
            return Undone(reason=reason), []
        undone, undoing = Undone(), self._applier().undoing
        reason = await self._unsaved_reason(conversation, on_disk)
        if reason:
            return Undone(reason=reason), []
        if on_disk:
            blocks = {row["index"] for row in on_disk}
            all_of_disk = {row["index"] for row in applied_rows(turn, ()) if not row["document"]}
            undone = await undoing.undo(
                turn.turn_id, None if blocks == all_of_disk else blocks, confirmed
            )
            if undone.reason or undone.protected:
                return undone, []
        rows: list[EditResult] = [
            {**row, "status": BlockStatus.UNDONE, "message": "Taken back."} for row in on_disk
        ]
        return undone, rows + (await documents.undo() if documents.rows else [])

    async def _unsaved_reason(
        self, conversation: Conversation, on_disk: Sequence[EditResult]
    ) -> str:
        """Return why files may not be written now: a page shows one with unsaved changes."""
        unsaved = await self._ports.unsaved(conversation.conversation_key) if on_disk else ()
        shown = [row["file"] for row in on_disk if row["file"] in unsaved]
        if not shown:
            return ""
        return f"{shown[0]!r} is open with unsaved changes; save or revert it, then undo."

    def _in_documents(
        self, conversation: Conversation, turn: TurnRecord, rows: Sequence[EditResult]
    ) -> DocumentEdits:
        notebooks = self._ports.open_in(conversation.conversation_key)
        return DocumentEdits(self._applier(), notebooks, turn, rows)

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

    async def _keep(self, session: Session, turn: TurnRecord) -> TurnRecord:
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
