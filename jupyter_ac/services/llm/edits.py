"""RPC methods for the user's decisions on edits: accept, reject, undo, review before apply."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.edits.edit_decisions import Decider, last_undoable, undo_offer
from jupyter_ac.chat.edits.undoing.undoing import Undone
from jupyter_ac.chat.pagination import json_bytes
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.edit_rows import EditResult, EditsChange, EditsStanding, ProtectedFile
from jupyter_ac.errors import AcError
from jupyter_ac.events import EditsChanged
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.shapes import (
    EditsDecided,
    EditsReview,
    EditsUndone,
    NotebookSaved,
    PendingEdits,
)
from jupyter_ac.services.subscribers import Subscribers

MOST_PENDING_BYTES: Final = 4 << 20
MOST_STANDINGS: Final = 100

KeepReview = Callable[[bool], Awaitable[None]]
"""Saves whether edits wait for the user's decision; raises `AcError`."""


class EditMethods:
    """RPC methods for the edits of a person's conversation.

    Args:
        book: the conversations.
        decider: carries out the user's decisions.
        audience: notified of the results.
        keep_review: saves whether edits wait.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        decider: Decider,
        audience: Subscribers,
        keep_review: KeepReview,
    ) -> None:
        self._conversations = book
        self._decider = decider
        self._subscribers = audience
        self._keep_review = keep_review

    @method(Access.READ)
    async def list_pending_edits(self) -> list[PendingEdits]:
        """List the blocks that wait for the user, by turn, oldest first.

        When they are very many, those of the newest turns; others follow once these are decided.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        found: list[PendingEdits] = []
        room = MOST_PENDING_BYTES
        for turn in reversed(conversation.session.turns if conversation.session.is_own else ()):
            pending = [row for row in turn.edits.results if row["status"] == "pending"]
            if not pending:
                continue
            room -= json_bytes(pending)
            if found and room < 0:
                break
            found.append({"request_id": turn.request_id, "results": pending})
        return found[::-1]

    @method(Access.WRITE, refusal=Refusal)
    async def apply_edits(
        self, request_id: str, indices: Sequence[int] | None = None
    ) -> EditsDecided:
        """Apply pending blocks as the files are at this moment; without indices, all of the turn's.

        A `protected` or `suggested` block is applied only when its index is given. The index of a
        `correctable` block that failed applies it with its indentation shifted.
        """
        conversation = await self._current()
        turn = await self._decider.accept(conversation, request_id, indices or ())
        decided = _decided(self._publish(conversation, turn))
        if not indices and any(map(_wants_own_word, turn.edits.results)):
            decided["note"] = (
                "Edits of files that run by themselves still wait; accept each by itself."
            )
        return decided

    @method(Access.WRITE, refusal=Refusal)
    async def reject_edits(
        self, request_id: str, indices: Sequence[int] | None = None
    ) -> EditsDecided:
        """Reject pending blocks; without indices, all of the turn's."""
        conversation = await self._current()
        turn = await self._decider.reject(conversation, request_id, indices or ())
        return _decided(self._publish(conversation, turn))

    @method(Access.WRITE)
    async def undo_edits(
        self,
        request_id: str,
        indices: Sequence[int] | None = None,
        confirmed_files: Sequence[str] | None = None,
    ) -> EditsUndone:
        """Take back edits of any turn, byte for byte; without indices, all that stand.

        An edit can be taken back as long as its lines are as it left them; what others have changed
        around them stays. All of what is asked for is done or nothing; a refusal names the reason
        and what can be taken back all the same. When files that run by themselves would change, it
        has to be called again with their paths.
        """
        conversation = await self._current()
        return await self._undo(conversation, request_id, indices or (), confirmed_files or ())

    @method(Access.WRITE)
    async def undo_last_edits(
        self, request_id: str = "", confirmed_files: Sequence[str] | None = None
    ) -> EditsUndone:
        """Take back all edits of the last turn that has any, as `undo_edits` does.

        Refused also, with `request_id`, when another turn's edits are the last.
        """
        conversation = await self._current()
        try:
            last = last_undoable(conversation.session, request_id)
        except AcError as error:
            return _refused(error.message)
        return await self._undo(conversation, last, (), confirmed_files or ())

    @method(Access.READ)
    async def get_edit_standings(self, request_ids: Sequence[str]) -> list[EditsStanding]:
        """Say how the applied edits of turns stand in the files at this moment.

        Others may have changed or reset the files since. Of at most 100 turns; those without
        applied edits, and those of which nothing is kept any more, are left out.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        return await self._decider.standings(conversation, request_ids[:MOST_STANDINGS])

    @method(Access.WRITE)
    async def save_notebook_edit(self, path: str) -> NotebookSaved:
        """Stage a notebook that was saved after edits were made in its open document.

        A page calls it with the `file` that `AcApp.applyNotebookEdit` has named. Nothing is staged
        when the notebook has no such edits, or when they were undone before it was saved.
        """
        conversation = await self._current()
        for turn in await self._decider.saved(conversation, RepoPath(path)):
            self._publish(conversation, turn)
        return {"status": "ok"}

    @method(Access.WRITE, refusal=Refusal)
    async def set_edits_review(self, on: bool) -> EditsReview:
        """Say whether edits wait for the user's word; kept in `app.json`."""
        await self._keep_review(on)
        return {"status": "ok", "edits_review": on}

    async def _undo(
        self,
        conversation: Conversation,
        request_id: str,
        indices: Sequence[int],
        confirmed: Sequence[str],
    ) -> EditsUndone:
        try:
            turn, undone = await self._decider.undo(conversation, request_id, indices, confirmed)
        except AcError as error:
            return _refused(error.message)
        if undone.reason:
            return _refused(undone.reason, undone.possible)
        if undone.protected:
            return _to_confirm(undone)
        self._publish(conversation, turn)
        offer = undo_offer(conversation.session)
        earlier = conversation.session.turn(offer["request_id"]) if offer is not None else None
        if earlier is not None and earlier is not turn:
            self._publish(conversation, earlier)
        return {"status": "undone", "files_restored": list(undone.files)}

    async def _current(self) -> Conversation:
        """Return the caller's conversation, including changes by other hosts."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        await self._conversations.refresh(conversation)
        return conversation

    def _publish(self, conversation: Conversation, turn: TurnRecord) -> EditsChange:
        change = self._decider.change(conversation, turn)
        self._subscribers.publish(
            EditsChanged(turn.request_id, change), conversation.conversation_key
        )
        return change


def _decided(change: EditsChange) -> EditsDecided:
    return {
        "status": "ok",
        "edit_results": change["edit_results"],
        "files_modified": change["files_modified"],
        "can_undo": change["can_undo"],
    }


def _wants_own_word(row: EditResult) -> bool:
    return row["status"] == "pending" and row["protected"] != ""


def _refused(reason: str, possible: Sequence[int] = ()) -> EditsUndone:
    refused: EditsUndone = {"status": "refused", "files_restored": [], "reason": reason}
    if possible:
        refused["indices"] = list(possible)
    return refused


def _to_confirm(undone: Undone) -> EditsUndone:
    rows: list[ProtectedFile] = [
        {"file": path, "reason": reason} for path, reason in undone.protected.items()
    ]
    names = ", ".join(repr(row["file"]) for row in rows)
    reason = f"This changes files that run by themselves; confirm it for {names}."
    return {"status": "confirm", "files_restored": [], "reason": reason, "protected": rows}
