"""Shared by all kinds of commits: one runs at a time, one result event, the cost of messages."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.answer_rows import CommitOutcome
from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.commit_message import MessageWriter
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.errors import AcError, Busy
from jupyter_ac.events import CommitResult
from jupyter_ac.git.whole_commit import MadeCommit
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.services.subscribers import Subscribers

log = logging.getLogger(__name__)

_CLOSE_TIMEOUT_S: Final = 5.0
_SUBJECT_CHARS: Final = 120
_FAILED: Final = "Something went wrong inside jupyter_ac; the host's log says what."

Make: TypeAlias = Callable[[CommitOutcome], Awaitable[CommitOutcome]]
"""Makes a commit. If it fails, the outcome that it has filled so far is sent with the error."""


Spent: TypeAlias = Callable[[ConversationKey, SessionId, str, SideTaskResult], Awaitable[None]]
"""Stores the cost of a side task of some purpose; never raises because of the disk."""


Recorded: TypeAlias = Callable[[Iterable[str]], Awaitable[str]]
"""Returns the message that is recorded for a commit of files; "" for none."""


async def _none_recorded(_paths: Iterable[str]) -> str:
    return ""


class CommitMessages:
    """Writes commit messages, and stores their cost beside the session.

    Args:
        book: the conversations.
        writer: writes the messages.
        spent: stores the cost of a message.
        recorded: returns the message that is recorded for a commit of files; "" for none.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        writer: MessageWriter,
        spent: Spent,
        recorded: Recorded | None = None,
    ) -> None:
        self._conversations = book
        self._writer = writer
        self._spent = spent
        self._recorded = recorded or _none_recorded

    def require_model(self) -> None:
        """Check that there is a model for it; raises what `MessageWriter.require_model` does."""
        self._writer.require_model()

    async def recorded(self, paths: Iterable[str]) -> str:
        """Return the recorded message for a commit of these files, where no model can write one.

        Returns:
            "" where a model can, or none is recorded.
        """
        try:
            self.require_model()
        except AcError:
            return await self._recorded(paths)
        return ""

    async def write(
        self,
        conversation_key: ConversationKey,
        session_id: SessionId,
        diff: str,
        untracked: Collection[str] = (),
        on_text: Callable[[str], None] | None = None,
    ) -> str:
        """Write the message of the commit that makes a diff; raises what `MessageWriter` does."""
        answers: list[SideTaskResult] = []
        try:
            return await self._writer.write(diff, answers, untracked, on_text)
        finally:
            session = (await self._conversations.open(conversation_key)).session
            if session.session_id == session_id:
                session.side += [answer.usage for answer in answers]
            for answer in answers:
                await self._spent(conversation_key, session_id, "commit", answer)


@dataclass(slots=True)
class RunningCommit:
    """A running commit.

    Attributes:
        task: returns the outcome; never fails.
        answers_failure: the caller gets a failure as its answer, so it needs no event.
    """

    task: "asyncio.Task[CommitOutcome]"
    answers_failure: bool = False


class CommitWork:
    """Runs at most one commit at a time. Belongs to one event loop.

    Args:
        audience: notified of its outcome.
        events: the log in which a commit is recorded.
    """

    def __init__(self, audience: Subscribers, events: SystemEventRecorder) -> None:
        self._subscribers = audience
        self._events = events
        self._running: RunningCommit | None = None
        self._kept: set[asyncio.Task[None]] = set()

    def refuse(self, conversation: Conversation, doing: str = "a commit") -> None:
        """Refuse a commit that can't start at the moment.

        Raises:
            Busy: a commit or an answer is being made.
        """
        if self._running is not None:
            raise Busy("A commit is being made already; wait for its end.")
        conversation.require_idle(doing)

    def begin(
        self, conversation_key: ConversationKey, session_id: SessionId, make: Make
    ) -> RunningCommit:
        """Start a commit in the background; call `refuse` first."""
        task = asyncio.create_task(self._see_through(conversation_key, session_id, make))
        self._running = RunningCommit(task)
        return self._running

    def keep(self, work: Coroutine[object, object, None]) -> "asyncio.Task[None]":
        """Run something in the background beside this, until `aclose` at the latest."""
        task = asyncio.create_task(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return task

    async def aclose(self) -> None:
        """End the running commit; git's part of it still runs to its end."""
        tasks: set[asyncio.Task[object]] = {*self._kept}
        if self._running is not None:
            tasks.add(self._running.task)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_CLOSE_TIMEOUT_S)

    async def _see_through(
        self, conversation_key: ConversationKey, session_id: SessionId, make: Make
    ) -> CommitOutcome:
        outcome: CommitOutcome = {"status": "failed", "error": _FAILED}
        try:
            outcome = await make(outcome)
        except AcError as error:
            outcome["error"] = error.message
            secrets = error.details.get("secrets")
            if isinstance(secrets, list):
                outcome["secrets"] = secrets
        except Exception:
            log.exception("a commit failed")
        finally:
            running, self._running = self._running, None
            is_answered = running is not None and running.answers_failure
            if outcome["status"] == "committed" or not is_answered:
                self._subscribers.publish(CommitResult(outcome))
        if text := outcome.get("system_event_message"):
            await self._events.note(conversation_key, session_id, "commit", text)
        return outcome


def committed(made: MadeCommit) -> CommitOutcome:
    """Return the outcome of a commit that was made."""
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
