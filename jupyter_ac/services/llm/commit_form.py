"""The commit form: the changes to commit, a message for them, the commit, and its undo."""

import asyncio
import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from jupyter_ac.answer_rows import CommitOutcome
from jupyter_ac.chat.commit_message import secrets_in
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import AcError, AlreadyExists, Busy, Conflict, InvalidParams
from jupyter_ac.events import StreamComplete
from jupyter_ac.git.commit_advice import advise
from jupyter_ac.git.commit_candidates import list_candidates
from jupyter_ac.git.made_commit import undo_commit, undoable
from jupyter_ac.git.partial_commit import commit_chosen, preview_diff
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.temporary_index import Choice, whole_only
from jupyter_ac.ids import ConversationKey, RequestId
from jupyter_ac.models.choice import RECORDED
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import BILLED, Access, Refusal, method
from jupyter_ac.services.llm.commit import CommitRefusal, CommitStarted
from jupyter_ac.services.llm.commit_rows import (
    CommitCandidates,
    CommitChoice,
    CommitUndone,
    MessageStarted,
    candidate_row,
    choices_of,
    message_result,
    undo_row,
)
from jupyter_ac.services.llm.commit_work import CommitMessages, CommitWork, committed
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.repo.write_context import Writers

log = logging.getLogger(__name__)

ANSWER_S: Final = 20.0
"""The longest time a caller waits for a commit; its hooks may take minutes."""

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_FAILED: Final = "Something went wrong inside jupyter_ac; the host's log says what."


class CommitFormMethods:
    """RPC methods that commit selected changes.

    Args:
        repository: whose changes.
        book: the conversations.
        messages: written by the model.
        work: sees the commit through.
        writers: change the repository.
        deliveries: send the messages while they are written.
    """

    def __init__(
        self,
        repository: Repository,
        book: ConversationRegistry,
        messages: CommitMessages,
        work: CommitWork,
        writers: Writers,
        deliveries: Deliveries,
    ) -> None:
        self._repository = repository
        self._conversations = book
        self._messages = messages
        self._work = work
        self._writers = writers
        self._deliveries = deliveries

    @method(Access.READ)
    async def list_commit_candidates(self) -> CommitCandidates:
        """Return the files that a commit could take, what it takes by default, and why not all.

        Not ticked are new files that look like secrets, are over 1 MB, or lie in folders that
        tools make; of such a folder's untracked files there is one row.
        """
        candidates = await list_candidates(self._repository)
        operation = await asyncio.to_thread(whole_only, self._repository)
        rows, left_out = await asyncio.to_thread(
            advise, self._repository, candidates, is_whole=operation is not None
        )
        told = CommitCandidates(
            files=[candidate_row(row) for row in rows],
            left_out=left_out,
            operation=operation,
            refusal="",
            no_model="",
            undo=None,
        )
        if any(one.kind == "conflicted" for one in candidates):
            told["refusal"] = "Files are in conflict; resolve and stage them before the commit."
        try:
            await asyncio.to_thread(refuse_while_open, self._repository, "a commit")
        except Conflict as conflict:
            told["refusal"] = conflict.message
        try:
            self._messages.require_model()
        except AcError as error:
            taken = [row["path"] for row in told["files"] if row["ticked"]]
            told["no_model"] = "" if await self._messages.recorded(taken) else error.message
        with suppress(Conflict):
            told["undo"] = undo_row(await undoable(self._repository))
        return told

    @method(Access.WRITE, refusal=Refusal, rules=BILLED)
    async def write_commit_message(
        self, request_id: str, paths: Sequence[str | CommitChoice]
    ) -> MessageStarted:
        """Have the model write the message of the commit that would take these paths.

        It streams to this connection under `request_id`, as an answer does; `cancel_streaming`
        stops it. Of what isn't among the paths nothing is sent, of what looks like a secret the
        name only.

        Args:
            request_id: of the caller's making, used once.
            paths: files, as they were listed.
        """
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        _require_new(conversation, request_id)
        choices = choices_of(paths)
        recorded = await self._messages.recorded([choice.path for choice in choices])
        if not recorded:
            self._messages.require_model()
        diff = await self._writers.changer.change(partial(preview_diff, choices=choices))
        _require_new(conversation, request_id)
        stream = ActiveStream(RequestId(request_id))
        conversation.side_streams[stream.request_id] = stream
        self._deliveries.follow(caller.peer, stream)
        stream.runs_in(self._work.keep(self._write(conversation, stream, diff, recorded)))
        return {"status": "started"}

    @method(Access.WRITE, refusal=CommitRefusal)
    async def commit_files(
        self, paths: Sequence[str | CommitChoice], message: str, include_secrets: bool = False
    ) -> CommitOutcome | CommitStarted:
        """Commit these paths and nothing else, with the user's hooks.

        What else is staged stays staged. Answers how it ended, or `started` when that takes long;
        `commitResult` follows in both cases when a commit was made.

        Args:
            paths: files, as they were listed; in the middle of a merge all that git tracks.
            message: of the commit.
            include_secrets: new files that look like secrets are committed, too.
        """
        conversation_key = current_caller().conversation_key
        conversation = await self._conversations.open(conversation_key)
        choices = choices_of(paths)
        self._work.refuse(conversation)
        running = self._work.begin(
            conversation_key,
            conversation.session.session_id,
            partial(self._commit, choices, message, include_secrets),
        )
        running.answers_failure = True
        await asyncio.wait({running.task}, timeout=ANSWER_S)
        if running.task.done() and not running.task.cancelled():
            return running.task.result()
        running.answers_failure = False
        return {"status": "started"}

    @method(Access.WRITE, refusal=Refusal)
    async def undo_commit(self) -> CommitUndone:
        """Take back the last commit, if it was made here and isn't pushed; its changes stay."""
        note = await self._writers.open_note()
        conversation = await self._conversations.open(current_caller().conversation_key)
        self._work.refuse(conversation, "undoing a commit")
        found = await self._writers.changer.change(undo_commit)
        self._writers.tell([])
        await note("commit", f"Undid the commit {found.short_sha}: {found.subject[:120]}")
        return {
            "status": "undone",
            "sha": found.sha,
            "short_sha": found.short_sha,
            "message": found.message,
            "parent": found.parent,
        }

    async def _commit(
        self,
        choices: Sequence[Choice],
        message: str,
        include_secrets: bool,
        outcome: CommitOutcome,
    ) -> CommitOutcome:
        outcome["message"] = message
        try:
            made = await self._writers.changer.change(
                lambda git: commit_chosen(git, choices, message, include_secrets=include_secrets)
            )
        finally:
            # A hook may have changed files, also one that refuses.
            self._writers.tell([])
        notices = await asyncio.to_thread(secrets_in, made.diff)
        if made.notice:
            notices.append(made.notice)
        return {**committed(made.made), "notices": notices}

    async def _write(
        self, conversation: Conversation, stream: ActiveStream, diff: str, recorded: str
    ) -> None:
        """Write a message into a stream, and end the stream also on errors."""
        conversation_key: ConversationKey = conversation.conversation_key
        message, error, is_cancelled = recorded, "", False
        try:
            message = recorded or await self._messages.write(
                conversation_key, conversation.session.session_id, diff, (), stream.append
            )
        except asyncio.CancelledError:
            message, is_cancelled = stream.text, True
        except AcError as failed:
            message, error = stream.text, failed.message
        except Exception:
            log.exception("a commit message could not be written")
            message, error = stream.text, _FAILED
        finally:
            conversation.side_streams.pop(stream.request_id, None)
            result = message_result(message, is_cancelled=is_cancelled, error=error)
            result["model"] = RECORDED if recorded else ""
            stream.end(StreamComplete(stream.request_id, result))


def _require_new(conversation: Conversation, request_id: str) -> None:
    """Refuse a request id that can't be used.

    Raises:
        InvalidParams: it is no such id.
        AlreadyExists: an answer has it.
        Busy: another message is being written.
    """
    if not _REQUEST_ID.fullmatch(request_id):
        raise InvalidParams(
            "request_id must be 1 to 64 letters, digits, dots, dashes or underscores."
        )
    known = conversation.running(request_id) or conversation.session.turn(request_id)
    if known is not None:
        raise AlreadyExists(f"The request id {request_id} was used before.")
    if conversation.side_streams:
        raise Busy("A commit message is being written already; stop it or wait for its end.")
