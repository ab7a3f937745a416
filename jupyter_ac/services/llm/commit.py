"""Commits of everything, with a message that the model writes."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Literal, NotRequired, TypedDict

from jupyter_ac.answer_rows import CommitOutcome
from jupyter_ac.chat.commit_message import secrets_in
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.events import CompactionEvent
from jupyter_ac.git.partial_commit import refuse_new_secrets, refuse_secrets
from jupyter_ac.git.whole_commit import commit_staged, refuse_commit, stage_everything
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import BILLED, Access, Refusal, method
from jupyter_ac.services.llm.commit_work import CommitMessages, CommitWork, committed
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.subscribers import Subscribers

PROGRESS_ID = "commit"
"""The request id of a commit's progress events, in place of a turn's request id."""

_NAMED = 3


class CommitStarted(TypedDict):
    """The commit is being made; `commitResult` follows."""

    status: Literal["started"]


class CommitRefusal(Refusal):
    """Nothing was committed.

    Attributes:
        secrets: the new files that look like secrets, where they are why.
    """

    secrets: NotRequired[list[str]]


class CommitMethods:
    """RPC methods that write commit messages and commit all changes.

    Args:
        book: the conversations.
        messages: written by the model.
        work: runs the commit to its end.
        writers: change the repository.
        audience: notified of the steps.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        messages: CommitMessages,
        work: CommitWork,
        writers: Writers,
        audience: Subscribers,
    ) -> None:
        self._conversations = book
        self._messages = messages
        self._work = work
        self._writers = writers
        self._subscribers = audience

    @method(Access.WRITE, refusal=Refusal, rules=BILLED)
    async def generate_commit_message(self, diff: str) -> str:
        """Write a message for the commit that makes this diff."""
        conversation_key = current_caller().conversation_key
        session_id = (await self._conversations.open(conversation_key)).session.session_id
        return await self._messages.write(conversation_key, session_id, diff)

    @method(Access.WRITE, refusal=CommitRefusal, rules=BILLED)
    async def commit_all(self, message: str = "", include_secrets: bool = False) -> CommitStarted:
        """Stage everything and commit it; `commitResult` follows.

        Refused during a review, with files in conflict, while an answer is made, and, unless it
        is said that they are to be committed, while new files look like secrets.

        Args:
            message: of the commit; the model writes one when it is blank.
            include_secrets: new files that look like secrets are committed, too.
        """
        conversation_key = current_caller().conversation_key
        conversation = await self._conversations.open(conversation_key)
        self._work.refuse(conversation)
        if not message.strip():
            self._messages.require_model()
        await self._writers.changer.change(refuse_commit)
        if not include_secrets:
            await self._writers.changer.change(refuse_new_secrets)
        self._work.refuse(conversation)
        session_id = conversation.session.session_id
        make = partial(self._commit_all, conversation_key, session_id, message, include_secrets)
        self._work.begin(conversation_key, session_id, make)
        return {"status": "started"}

    async def _commit_all(
        self,
        conversation_key: ConversationKey,
        session_id: SessionId,
        message: str,
        include_secrets: bool,
        outcome: CommitOutcome,
    ) -> CommitOutcome:
        self._publish("Staging everything …")
        staged = await self._writers.changer.change(stage_everything)
        self._writers.tell([])
        if not include_secrets:
            # One may have appeared since they were looked for.
            await self._writers.changer.change(refuse_secrets)
        secrets = await asyncio.to_thread(secrets_in, staged.diff)
        outcome["notices"] = [*_not_committed(staged.left_out), *secrets]
        for notice in outcome["notices"]:
            self._publish(notice, "notice")
        if not message.strip():
            self._publish("Writing the commit message …")
            message = await self._messages.write(
                conversation_key, session_id, staged.diff, staged.untracked
            )
        outcome["message"] = message
        self._publish("Committing; hooks may take a while …")
        try:
            made = await self._writers.changer.change(lambda git: commit_staged(git, message))
        finally:
            # A hook may have changed files, also one that refuses.
            self._writers.tell([])
        return {**committed(made), "notices": outcome["notices"]}

    def _publish(self, message: str, stage: Literal["waiting", "notice"] = "waiting") -> None:
        event = CompactionEvent(PROGRESS_ID, {"stage": stage, "message": message})
        self._subscribers.publish(event)


def _not_committed(left_out: Sequence[str]) -> list[str]:
    """Return a sentence that names the files that git can't store."""
    if not left_out:
        return []
    more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
    named = ", ".join(map(repr, left_out[:_NAMED]))
    return [f"Left out: {named}{more}; a pipe, a socket or a device stands in the file's place."]
