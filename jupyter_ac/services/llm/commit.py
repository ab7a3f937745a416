"""Commits of everything, with a message that the model writes."""

import asyncio
import logging
from collections.abc import Collection
from typing import Literal, Protocol, TypedDict

from jupyter_ac.answer_rows import CommitOutcome
from jupyter_ac.chat.commit_message import MessageWriter, secrets_in
from jupyter_ac.chat.conversation import Conversation, ConversationBook
from jupyter_ac.chat.desk import Answer
from jupyter_ac.chat.ports import SystemEvents
from jupyter_ac.errors import AcError, Busy
from jupyter_ac.events import CommitResult, CompactionEvent, FilesModified
from jupyter_ac.git.whole_commit import MadeCommit, commit_staged, refuse_commit, stage_everything
from jupyter_ac.ids import Seat, SessionId
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.audience import Audience
from jupyter_ac.services.refusal import Refusal
from jupyter_ac.services.repo.writers import Writers

log = logging.getLogger(__name__)

PROGRESS_ID = "commit"
"""Under which the steps of a commit are told, in the place of a turn's request id."""

_CLOSE_TIMEOUT_S = 5.0
_SUBJECT_CHARS = 120
_FAILED = "Something went wrong inside jupyter_ac; the host's log says what."


class CommitStarted(TypedDict):
    """The commit is being made; `commitResult` follows."""

    status: Literal["started"]


class Spending(Protocol):
    """Where it is kept what side tasks have cost."""

    async def spent(self, seat: Seat, session_id: SessionId, purpose: str, answer: Answer) -> None:
        """Keep it; never raises because of the disk."""


class Commits:
    """Messages of commits, and commits of everything.

    Args:
        book: the conversations.
        writer: writes the messages.
        writers: change the repository.
        audience: told how a commit ended.
        events: where a commit is noted.
        spending: where it is kept what a message has cost.
    """

    def __init__(
        self,
        book: ConversationBook,
        writer: MessageWriter,
        writers: Writers,
        audience: Audience,
        events: SystemEvents,
        spending: Spending,
    ) -> None:
        self._book = book
        self._writer = writer
        self._writers = writers
        self._audience = audience
        self._events = events
        self._spending = spending
        self._work: asyncio.Task[None] | None = None

    @method(Access.WRITE)
    async def generate_commit_message(self, diff: str) -> str | Refusal:
        """Write a message for the commit that makes this diff."""
        seat = current_caller().seat
        session_id = (await self._book.open(seat)).session.session_id
        try:
            return await self._write(seat, session_id, diff)
        except AcError as error:
            return {"error": error.message}

    @method(Access.WRITE)
    async def commit_all(self, message: str = "") -> CommitStarted | Refusal:
        """Stage everything and commit it; `commitResult` follows.

        Refused during a review, with files in conflict, and while an answer is made.

        Args:
            message: of the commit; the model writes one when it is blank.
        """
        seat = current_caller().seat
        conversation = await self._book.open(seat)
        try:
            self._refuse(conversation, message)
            await self._writers.changer.change(refuse_commit)
            self._refuse(conversation, message)
        except AcError as error:
            return {"error": error.message}
        work = self._see_through(seat, conversation.session.session_id, message)
        self._work = asyncio.create_task(work)
        return {"status": "started"}

    async def aclose(self) -> None:
        """End the commit that is being made; git's part of it goes on to its end."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work}, timeout=_CLOSE_TIMEOUT_S)

    def _refuse(self, conversation: Conversation, message: str) -> None:
        """Refuse a commit that can't be made now.

        Raises:
            AcError: why.
        """
        if self._work is not None:
            raise Busy("A commit is being made already; wait for its end.")
        conversation.require_idle("a commit")
        if not message.strip():
            self._writer.require_model()

    async def _see_through(self, seat: Seat, session_id: SessionId, message: str) -> None:
        outcome: CommitOutcome = {"status": "failed", "error": _FAILED}
        try:
            outcome = await self._commit_all(seat, session_id, message, outcome)
        except AcError as error:
            outcome["error"] = error.message
        except Exception:
            log.exception("a commit failed")
        finally:
            self._work = None
            self._audience.publish(CommitResult(outcome))
        if text := outcome.get("system_event_message"):
            await self._events.note(seat, session_id, "commit", text)

    async def _commit_all(
        self, seat: Seat, session_id: SessionId, message: str, outcome: CommitOutcome
    ) -> CommitOutcome:
        self._tell("Staging everything …")
        staged = await self._writers.changer.change(stage_everything)
        self._writers.audience.publish(FilesModified([]))
        outcome["notices"] = await asyncio.to_thread(secrets_in, staged.diff)
        for notice in outcome["notices"]:
            self._tell(notice, "notice")
        if not message.strip():
            self._tell("Writing the commit message …")
            message = await self._write(seat, session_id, staged.diff, staged.untracked)
        outcome["message"] = message
        self._tell("Committing; hooks may take a while …")
        try:
            made = await self._writers.changer.change(lambda git: commit_staged(git, message))
        finally:
            # A hook may have changed files, also one that refuses.
            self._writers.audience.publish(FilesModified([]))
        return {**_outcome(made), "notices": outcome["notices"]}

    async def _write(
        self, seat: Seat, session_id: SessionId, diff: str, untracked: Collection[str] = ()
    ) -> str:
        answers: list[Answer] = []
        try:
            return await self._writer.write(diff, answers, untracked)
        finally:
            session = (await self._book.open(seat)).session
            if session.session_id == session_id:
                session.side += [answer.usage for answer in answers]
            for answer in answers:
                await self._spending.spent(seat, session_id, "commit", answer)

    def _tell(self, message: str, stage: Literal["waiting", "notice"] = "waiting") -> None:
        event = CompactionEvent(PROGRESS_ID, {"stage": stage, "message": message})
        self._audience.publish(event)


def _outcome(made: MadeCommit) -> CommitOutcome:
    subject = made.message.partition("\n")[0]
    if len(subject) > _SUBJECT_CHARS:
        subject = f"{subject[:_SUBJECT_CHARS]} …"
    return {
        "status": "committed",
        "sha": made.sha,
        "short_sha": made.short_sha,
        "message": made.message,
        "files": made.files,
        "hooks": made.ran.hooks,
        "system_event_message": f"Committed {made.short_sha}: {subject}",
    }
