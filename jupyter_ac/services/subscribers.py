"""Event subscribers: the connected pages of each person, and the delivery of events to them.

`publish` only queues frames for the senders; a slow, silent or disconnected page delays nobody. An
event for a page that hasn't listed its methods yet waits for that list in a bounded queue.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import Final

from jupyter_ac.chat.chat_events import PageEvent
from jupyter_ac.errors import AcError
from jupyter_ac.events import (
    BrowserChanged,
    Event,
    ExcludedFilesChanged,
    FilesChanged,
    StartupProgress,
)
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.rpc.peer import Peer

log = logging.getLogger(__name__)

_KEPT_BEFORE_HANDSHAKE: Final = 64
"""Events queued for one page until its methods are known; the oldest are dropped."""

_NEWEST_WINS: Final = frozenset(
    {BrowserChanged.name, ExcludedFilesChanged.name, FilesChanged.name, StartupProgress.name}
)
"""Events that replace an older one of their kind in the queue."""


def wire_name(remote_methods: Collection[str], event_name: str) -> str | None:
    """Return the method name under which a remote accepts an event; None if it doesn't.

    Args:
        remote_methods: what the remote listed; empty when its profile knows no listing.
        event_name: without `AcApp.`.
    """
    full = f"AcApp.{event_name}"
    if not remote_methods or full in remote_methods:
        return full
    if event_name in remote_methods and not any(m.startswith("AcApp.") for m in remote_methods):
        return event_name
    return None


class _Member:
    """One page, and the events that wait for its handshake."""

    def __init__(self, peer: Peer, conversation_key: ConversationKey) -> None:
        self.peer = peer
        self.conversation_key = conversation_key
        self._waiting: deque[Event] = deque(maxlen=_KEPT_BEFORE_HANDSHAKE)
        self._listing: asyncio.Task[None] | None = asyncio.create_task(self._await_listing())

    def hand(self, event: Event) -> None:
        if self._listing is not None:
            self._waiting.append(event)
            return
        name = wire_name(self.peer.remote_methods, event.name)
        if name is None or self.peer.closed:
            return
        newest_key = name if event.name in _NEWEST_WINS else None
        try:
            self.peer.notify(name, *event.args, newest_key=newest_key)
        except AcError as error:
            log.debug("event %s not sent: %s", event.name, error)

    def leave(self) -> asyncio.Task[None] | None:
        # The cancelled task holds its frame, and that this object.
        listing, self._listing = self._listing, None
        if listing is not None:
            listing.cancel()
        return listing

    async def _await_listing(self) -> None:
        try:
            await self.peer.handshaken()
        except AcError as error:
            log.debug("a page listed no methods: %s", error)
        self._listing = None
        while self._waiting:
            self.hand(self._waiting.popleft())


class Subscribers:
    """The pages connected to one workspace. Belongs to one event loop."""

    def __init__(self) -> None:
        self._members: dict[Peer, _Member] = {}
        self._observers: list[Callable[[Event, ConversationKey | None], None]] = []

    def observe(self, observer: Callable[[Event, ConversationKey | None], None]) -> None:
        """Call a function with each event that is published, whoever is connected.

        It also gets the conversation, None for all of them; it must return at once, and not raise.
        """
        self._observers.append(observer)

    def join(self, peer: Peer, conversation_key: ConversationKey) -> None:
        """Send events to this page from now on."""
        self._members[peer] = _Member(peer, conversation_key)

    def move(self, peer: Peer, conversation_key: ConversationKey) -> None:
        """Send this page the events of another conversation; unknown pages are ignored."""
        if (member := self._members.get(peer)) is not None:
            member.conversation_key = conversation_key

    def leave(self, peer: Peer) -> None:
        """Stop sending to this page; unknown pages are ignored."""
        member = self._members.pop(peer, None)
        if member is not None:
            member.leave()

    def __len__(self) -> int:
        return len(self._members)

    def conversation_keys(self) -> set[ConversationKey]:
        """Return whose pages are connected."""
        return {member.conversation_key for member in self._members.values()}

    def pages_of(self, identity: Identity) -> list[Peer]:
        """Return the pages of a person that are connected, in all their conversations."""
        return [m.peer for m in self._members.values() if m.conversation_key.identity == identity]

    def publish(
        self,
        event: Event,
        conversation_key: ConversationKey | None = None,
        *,
        but: Collection[object] = (),
    ) -> None:
        """Send an event; never waits, never raises because of a page.

        Args:
            event: what happened.
            conversation_key: whose pages get it; None for everybody's.
            but: peers left out.
        """
        for member in self._chosen(conversation_key, but):
            member.hand(event)
        for observer in self._observers:
            observer(event, conversation_key)

    def deliver(self, page_event: PageEvent) -> None:
        """Send an event to the pages that it is for."""
        self.publish(page_event.event, page_event.conversation_key, but=page_event.but)

    async def aclose(self) -> None:
        """Forget all pages; their connections stay the caller's to close."""
        tasks = [task for member in self._members.values() if (task := member.leave())]
        self._members.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _chosen(
        self, conversation_key: ConversationKey | None, but: Collection[object]
    ) -> Iterator[_Member]:
        for member in list(self._members.values()):
            if conversation_key in {None, member.conversation_key} and member.peer not in but:
                yield member
