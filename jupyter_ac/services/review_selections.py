"""The ticked files of all persons before a review, which come back at its end."""

import logging

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import Ticks
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.errors import AcError
from jupyter_ac.events import FilesChanged
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.services.subscribers import Subscribers

log = logging.getLogger(__name__)


class ReviewSelections:
    """Unticks all files when a review begins, and ticks them again when it has ended.

    What a person ticks meanwhile is about the review. The files of before are kept on disk, so that
    the host that ends the review knows them, too.

    Args:
        book: the conversations.
        history: keeps the files of before.
        audience: told of the changes.
        review: begins to read what is sent about the review.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        history: HistoryStore,
        audience: Subscribers,
        review: ReviewContext,
    ) -> None:
        self._conversations, self._history = book, history
        self._subscribers, self._review = audience, review
        self._before = dict[ConversationKey, Ticks]()

    async def put_aside(self, state: ReviewState) -> None:
        """Untick all files of the persons who are connected, and keep them for the review's end."""
        await self._review.prepare()
        for key in self._persons():
            conversation = await self._conversations.open(key)
            ticks = Ticks(conversation.selection, conversation.by_program)
            self._before[key] = ticks
            await self._keep(_stored_name(key, state), ticks)
            await self._select(conversation, Ticks())

    async def bring_back(self, state: ReviewState) -> None:
        """Tick the files of before the review that has ended, as far as they are there.

        Args:
            state: of the review, before it was ended. One whose branch was never shown has put no
                ticks aside.
        """
        await self._review.prepare()
        if state["phase"] == "at_parent":
            return
        for key in self._persons() | self._before.keys():
            conversation, name = await self._conversations.open(key), _stored_name(key, state)
            await self._select(conversation, self._before.get(key) or await self._kept(name))
            await self._keep(name, Ticks())
        self._before.clear()

    def _persons(self) -> set[ConversationKey]:
        return {key for key in self._subscribers.conversation_keys() if not key.aside}

    async def _select(self, conversation: Conversation, ticks: Ticks) -> None:
        kept = await self._conversations.select(conversation, ticks.paths, ticks.by_program)
        key, marked = conversation.conversation_key, conversation.by_program
        self._subscribers.publish(
            FilesChanged(kept, [each for each in kept if each in marked]), key
        )

    async def _keep(self, name: Identity, ticks: Ticks) -> None:
        try:
            await self._history.keep_selection(name, ticks)
        except AcError as error:
            log.warning("the ticks of before a review aren't kept: %s", error)

    async def _kept(self, name: Identity) -> Ticks:
        try:
            return await self._history.selection(name)
        except AcError as error:
            log.warning("the ticks of before a review can't be read: %s", error)
            return Ticks()


def _stored_name(key: ConversationKey, state: ReviewState) -> Identity:
    """Return the name under which the ticks of a person before a review are stored."""
    return Identity(f"{key.holder}\nbefore {state['branch_tip']} {state['since']}")
