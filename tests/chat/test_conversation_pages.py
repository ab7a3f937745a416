"""Web pages of conversations, kept or not."""

import logging

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.errors import Unsupported
from jupyter_ac.ids import ConversationKey
from jupyter_ac.web.url_content import UrlContent
from tests.chat.memory import ADA, MemoryPages

PAGES = (WebPage(UrlContent("https://a.org/", "generic", "a.org")),)


async def test_pages_are_kept_but_not_those_of_a_conversation_aside() -> None:
    store = MemoryPages()
    for aside in ("", "cell"):
        conversation = Conversation(ConversationKey(ADA, aside))
        await ConversationPages(store).replace(conversation, PAGES[: len(aside) or 1])
        assert conversation.pages == PAGES
    assert store.pages == {ADA: PAGES}


async def test_a_disk_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Full(MemoryPages):
        async def keep(self, *_: object) -> None:
            raise Unsupported("the disk is full")

    conversation = Conversation(ConversationKey(ADA))
    with caplog.at_level(logging.WARNING):
        await ConversationPages(Full()).replace(conversation, PAGES)
    assert conversation.pages == PAGES
    assert not conversation.are_pages_kept
    assert "the disk is full" in caplog.text
    await ConversationPages(MemoryPages()).replace(conversation, PAGES)
    assert conversation.are_pages_kept
