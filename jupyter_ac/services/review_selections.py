"""The ticked files of all persons before a review, which come back at its end."""

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.events import FilesChanged
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.services.subscribers import Subscribers


class ReviewSelections:
    """Unticks all files when a review begins, and ticks them again when it has ended.

    What a person ticks meanwhile is about the review. The files of before are known to this host
    only: after a crash nothing is ticked.

    Args:
        book: the conversations.
        audience: told of the changes.
        review: begins to read what is sent about the review.
    """

    def __init__(
        self, book: ConversationRegistry, audience: Subscribers, review: ReviewContext
    ) -> None:
        self._conversations, self._subscribers = book, audience
        self._review = review
        self._before = dict[ConversationKey, tuple[RepoPath, ...]]()

    async def put_aside(self) -> None:
        """Untick all files of the persons who are connected, and remember them."""
        await self._review.prepare()
        for key in self._persons():
            conversation = await self._conversations.open(key)
            self._before[key] = conversation.selection
            await self._conversations.select(conversation, (), ())
            self._subscribers.publish(FilesChanged([], []), key)

    async def bring_back(self) -> None:
        """Tick the files of before, as far as they are there, and no others."""
        await self._review.prepare()
        for key in self._persons() | self._before.keys():
            conversation = await self._conversations.open(key)
            kept = await self._conversations.select(conversation, self._before.get(key, ()), ())
            self._subscribers.publish(FilesChanged(kept, []), key)
        self._before.clear()

    def _persons(self) -> set[ConversationKey]:
        return {key for key in self._subscribers.conversation_keys() if not key.aside}
