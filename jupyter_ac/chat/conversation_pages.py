"""Changes the web pages of conversations, and keeps them on disk."""

import logging
from collections.abc import Sequence

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.errors import AcError

log = logging.getLogger(__name__)


class ConversationPages:
    """The web pages of all conversations of one workspace.

    Args:
        store: keeps them.
    """

    def __init__(self, store: PageStore) -> None:
        self._store = store

    async def replace(self, conversation: Conversation, pages: Sequence[WebPage]) -> None:
        """Replace the pages of a conversation; one aside isn't kept."""
        conversation.pages = tuple(pages)
        if conversation.conversation_key.aside:
            return
        try:
            await self._store.keep(conversation.kept_as, conversation.pages)
        except AcError as error:
            conversation.are_pages_kept = False
            log.warning("the web pages are not kept: %s", error)
        else:
            conversation.are_pages_kept = True
