"""The feeds of a workspace, one for each conversation that is followed.

They hear what the pages are told, and then read the state anew: at most 20 times a second, and
only for conversations that somebody follows. A feed that nobody follows stays, so that a client
that comes back gets only what has changed meanwhile.
"""

import asyncio
import logging
from typing import Final

from jupyter_ac.chat.chat_events import TurnEnded, TurnStarted
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.events import Event, FilesModified, ReviewEnded, ReviewStarted
from jupyter_ac.ids import ConversationKey
from jupyter_ac.services.state_feed.feed import StateFeed
from jupyter_ac.services.state_feed.source import StateSource

log = logging.getLogger(__name__)

INTERVAL_S: Final = 0.05
"""The least time between two revisions; changes meanwhile are told together."""

MOST_FEEDS: Final = 64
"""Feeds that are kept; of more, those are forgotten that nobody has followed for longest."""

_ABOUT_FILES: Final = (FilesModified, ReviewStarted, ReviewEnded)


class ConversationFeeds:
    """Makes feeds and keeps them up to date. Belongs to one event loop.

    Args:
        book: the conversations.
        source: reads their state.
    """

    def __init__(self, book: ConversationRegistry, source: StateSource) -> None:
        self._conversations = book
        self._source = source
        self._feeds: dict[ConversationKey, StateFeed] = {}
        self._dirty: set[ConversationKey] = set()
        self._refreshing: asyncio.Task[None] | None = None
        self._is_closed = False

    async def feed(self, conversation_key: ConversationKey) -> StateFeed:
        """Return a conversation's feed, with its present state.

        Raises:
            NotReady: the workspace is being closed.
        """
        conversation = await self._conversations.open(conversation_key)
        await self._source.prepare()
        if self._is_closed:
            raise NotReady("the server is stopping; reconnect when it runs again")
        # No await from here on: a change would otherwise find no follower, and be passed over.
        fields = self._source.read(conversation)
        feed = self._feeds.pop(conversation_key, None)
        if feed is None:
            feed = StateFeed(fields)
            self._make_room()
        else:
            feed.update(fields)
        self._feeds[conversation_key] = feed
        return feed

    def notice(self, event: Event, conversation_key: ConversationKey | None = None) -> None:
        """Hear what pages are told.

        Args:
            event: what happened.
            conversation_key: in which conversation; None for all of them.
        """
        if isinstance(event, _ABOUT_FILES):
            self._source.note_files()
        self.changed(conversation_key)

    def turn(self, event: TurnStarted | TurnEnded) -> None:
        """Hear that an answer begins to be made, or is complete."""
        self.changed(event.conversation.conversation_key)

    def changed(self, conversation_key: ConversationKey | None = None) -> None:
        """Read the state of a conversation, or of all, again soon."""
        if self._is_closed:
            return
        for key, feed in self._feeds.items():
            if conversation_key in {None, key} and feed.followers:
                self._dirty.add(key)
        if self._dirty and self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh(), name="state feeds")

    async def aclose(self) -> None:
        """End all feeds."""
        self._is_closed = True
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.wait({self._refreshing})
        for feed in self._feeds.values():
            feed.close()
        self._feeds.clear()

    async def _refresh(self) -> None:
        """Read what is due, at once, and what comes meanwhile after the interval."""
        try:
            # The other events of the same change come within this turn of the loop.
            await asyncio.sleep(0)
            while self._dirty:
                due, self._dirty = self._dirty, set()
                for conversation_key in due:
                    await self._read(conversation_key)
                await asyncio.sleep(INTERVAL_S)
        finally:
            self._refreshing = None

    async def _read(self, conversation_key: ConversationKey) -> None:
        try:
            conversation = await self._conversations.open(conversation_key)
            await self._source.prepare()
            feed = self._feeds.get(conversation_key)
            if feed is not None:
                feed.update(self._source.read(conversation))
        except AcError as error:
            log.warning("the state of a conversation can't be read: %s", error)
        except Exception:
            log.exception("the state of a conversation can't be read")

    def _make_room(self) -> None:
        idle = [key for key, feed in self._feeds.items() if not feed.followers]
        for key in idle[: max(0, len(self._feeds) + 1 - MOST_FEEDS)]:
            self._feeds.pop(key)
