"""Stores a running turn: its question first, then a heartbeat with the answer so far.

If the history can't be written, the turn continues with a notice.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.prompt.blocks import Block, wellformed
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.run_record import RunRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import AcError, AlreadyExists, Conflict, NotFound

log = logging.getLogger(__name__)

CHECKPOINT_S: Final = 1.0
"""How much of a running answer a killed host may lose."""

TURN_UNKEPT: Final = "This turn is not kept in the history"
PROMPT_UNKEPT: Final = "This prompt is not kept in the history"

EARLIER_LOST: Final = (
    "The history was deleted while it was open: what was said here before is only on this page, "
    "until the server ends. Copy what you need."
)

_UNKEPT: Final = (TURN_UNKEPT, PROMPT_UNKEPT)
_ATTEMPTS: Final = 10


class StoredTurn:
    """The record of one turn, and its copy on disk. Belongs to one event loop.

    Args:
        conversation: where the question was asked.
        stream: the answer as it is made.
        notices: of the turn; failures to store it are added.
        record: of the turn before its first stage.

    Attributes:
        record: the stored record of the turn; the stages replace it.
        is_kept: whether the history has the question.
    """

    def __init__(
        self,
        conversation: Conversation,
        stream: ActiveStream,
        notices: list[str],
        record: TurnRecord,
    ) -> None:
        self.record = record
        self.is_kept = False
        self._conversation = conversation
        self._stream = stream
        self._notices = notices
        self._keeping: asyncio.Task[None] | None = None
        self._sent: tuple[PromptProfile, Prompt] | None = None

    @property
    def session(self) -> Session:
        """The session that the turn is part of."""
        return self._conversation.session

    async def keep_question(self, history: HistoryStore) -> None:
        """Store the user's text once, however often this is asked for and the wait is cancelled.

        Raises:
            AlreadyExists: the request id was used before.
        """
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._store(history))
        await asyncio.shield(self._keeping)

    async def keep_sent(
        self, history: HistoryStore, profile: PromptProfile, prompt: Prompt
    ) -> None:
        """Store the blocks that go out, before they do."""
        self._sent = profile, prompt
        if not self.is_kept or not self.record.sent:
            return
        name = self.session.log.head_name(profile)
        try:
            await history.keep_sent(self.record.turn_id, name, prompt.head, self.record.sent)
        except AcError as error:
            log.warning("the prompt is not kept: %s", error)
            self._notices.append(f"{PROMPT_UNKEPT}: {error}")

    async def checkpoint(self, history: HistoryStore) -> None:
        """Store the answer so far, such as before its edits are applied."""
        if not self.is_kept:
            return
        try:
            await history.checkpoint(self.record.turn_id, wellformed(self._stream.text))
        except AcError as error:
            log.warning("the answer is not kept before its edits: %s", error)

    async def keep_run(self, history: HistoryStore, run: RunRecord | None) -> None:
        """Store how the turn's run stands: it can be shown and undone if its process dies."""
        if run is None or not self.is_kept:
            return
        try:
            text = wellformed(self._stream.text)
            await history.checkpoint(self.record.turn_id, text, run=run)
        except AcError as error:
            log.warning("a step of a run is not kept: %s", error)
        else:
            self.session.revision += 1

    @asynccontextmanager
    async def heartbeat(self, history: HistoryStore) -> AsyncIterator[None]:
        """Store the answer so far about once a second while the body runs.

        Other hosts take a turn without a sign of life for lost.
        """
        if not self.is_kept:
            yield
            return
        task = asyncio.create_task(self._beat(history))
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def finish(self, history: HistoryStore) -> None:
        """Store how the turn ended; a disk that fails is a notice, not an error.

        A turn that the disk refused at first, or lost since, gets one more chance.
        """
        was_tried = self._keeping is not None
        try:
            await self.keep_question(history)  # which a Stop may have come before
            if not await self._is_finished(history) and was_tried:
                await self._keep_again(history)
                self.record = replace(self.record, notices=tuple(self._notices))
                await self._is_finished(history)
        except AlreadyExists:
            log.info("a request id was used before")  # then that is how the turn ended
        self.session.put(self.record)

    def put(self, model: str, sent: tuple[Block, ...]) -> None:
        """Note in the record what goes out, and to which model."""
        self.record = replace(self.record, sent=(*self.record.sent, *sent), model=model)
        self.session.put(self.record)

    async def _keep_again(self, history: HistoryStore) -> None:
        """Store a turn that the disk doesn't have, and take back what was said about that."""
        self._keeping = None
        self.is_kept = False
        self._notices[:] = [one for one in self._notices if not one.startswith(_UNKEPT)]
        await self.keep_question(history)
        if self._sent is not None:
            await self.keep_sent(history, *self._sent)

    async def _store(self, history: HistoryStore) -> None:
        try:
            for _ in range(_ATTEMPTS):
                try:
                    await history.begin(self._conversation.place, self.record)
                except Conflict:
                    await self._join(history)
                else:
                    self.session.revision += 1
                    self.is_kept = True
                    return
            raise Conflict("Another Jupyter server keeps writing to this conversation.")
        except AlreadyExists:
            raise
        except AcError as error:
            log.warning("the turn is not kept: %s", error)
            self._notices.append(f"{TURN_UNKEPT}: {error}")
        finally:
            self._stream.asked.set()

    async def _join(self, history: HistoryStore) -> None:
        """Join the session as other hosts have left it meanwhile."""
        session = self.session
        kept = await history.session(session.session_id)
        if kept is None:
            session.revision = 0
            if any(each.turn_id != self.record.turn_id for each in session.turns):
                self._notices.append(EARLIER_LOST)
        else:
            session.rejoin(kept)
            session.put(self.record)

    async def _is_finished(self, history: HistoryStore) -> bool:
        """Store how the turn ended; False when the history doesn't have the turn."""
        if not self.is_kept:
            return False
        try:
            await history.finish(self.record)
        except NotFound:
            return False
        except AcError as error:
            log.warning("the answer is not kept: %s", error)
            notice = f"This answer is not kept in the history: {error}"
            self.record = replace(self.record, notices=(*self.record.notices, notice))
        else:
            self.session.revision += 1
        return True

    async def _beat(self, history: HistoryStore) -> None:
        kept = 0
        while True:
            await asyncio.sleep(CHECKPOINT_S)
            text, thoughts = self._stream.text, self._stream.thoughts
            fresh = wellformed(thoughts.text) if thoughts.length > kept else ""
            try:
                await history.checkpoint(self.record.turn_id, wellformed(text), fresh)
                kept = max(kept, len(fresh))
            except AcError as error:
                log.warning("the answer so far is not kept: %s", error)
