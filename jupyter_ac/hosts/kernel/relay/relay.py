"""Carries the frames of a widget's pages to the kernel's own host and back.

One thread owns all state and sends everything that goes over the comm: what the kernel's handlers
(on the main shell or on a subshell) and the host's thread send is only queued for it.
"""

import logging
import time
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.child.links import Ends
from jupyter_ac.hosts.kernel.relay.endpoint import ANSWER_S, NEVER, End
from jupyter_ac.hosts.kernel.relay.envelopes import (
    Carrying,
    Closing,
    FromPage,
    OpenLink,
    carrying,
    closed,
    read_message,
)
from jupyter_ac.hosts.kernel.relay.pump import Message, Pump

logger = logging.getLogger(__name__)

MAX_LINKS: Final = 32
SILENT_PINGS: Final = 6
"""Unanswered pings after which a page counts as disconnected, while the kernel can receive."""

_GONE: Final = 1001
_LOST: Final = 1006
_TOO_LARGE: Final = 1009
_FAILED: Final = 1011
_OVERLOADED: Final = 1013
_ENDED_KEPT: Final = 256


class Sender(Protocol):
    """A connection to the host, as far as the relay uses it; for any thread."""

    def send(self, frame: str) -> None:
        """Send a frame; never blocks."""

    def close(self) -> None:
        """Close the connection."""


class Host(Protocol):
    """The kernel's own host (`hosts/kernel/child`), as far as the relay uses it."""

    def open(self, link: str, ends: Ends, *, client: str = "") -> Sender:
        """Open a connection for any thread; `ends` is called on a thread of the host's.

        Raises:
            AcError: there is no host.
        """


@dataclass(slots=True, eq=False)
class _Link:
    """An open link.

    Attributes:
        host: its connection, None until there is one.
        silent: questions without an answer.
        turns: how often the kernel had a turn when the last question went out.
        heard_at: when the page last said something.
    """

    name: str
    heard_at: float
    end: End = field(default_factory=End)
    host: Sender | None = None
    silent: int = 0
    turns: int = -1


class Relay:
    """All links of one widget.

    Args:
        find_host: gives the host, for each link that opens; on the relay's thread.
        send: sends one message to all pages; on the relay's thread.
        loop: the kernel's main loop; while it is busy, a silent page doesn't count as disconnected.
    """

    def __init__(
        self,
        find_host: Callable[[], Host],
        send: Callable[[Message], None],
        loop: AbstractEventLoop | None = None,
    ) -> None:
        self._find_host = find_host
        self._loop = loop
        self._turns = 0
        self._links: dict[str, _Link] = {}
        self._ended: deque[str] = deque(maxlen=_ENDED_KEPT)
        self._pump = Pump(self, send)

    def receive(self, content: object) -> None:
        """Take in a message of the relay's from a page; never blocks, from any thread."""
        message = read_message(content)
        if message is None:
            logger.debug("a message of the relay's could not be read")
            return
        self._pump.do(lambda: self._receive(message))

    def post(self, message: Message) -> None:
        """Send any other message to the pages, in its turn; never blocks, from any thread."""
        self._pump.post(message)

    def waiting_chars(self, name: str) -> int:
        """Return how much text of a link waits to be sent to its page; from any thread."""
        link = self._links.get(name)
        return 0 if link is None else link.end.outgoing.waiting_chars

    def close(self) -> None:
        """Close all links; what was posted is still sent."""
        self._pump.close()

    def due(self) -> float:
        """Return when a link has something to send."""
        return min((link.end.due() for link in self._links.values()), default=NEVER)

    def next(self, now: float) -> Message | None:
        """Give the message of the link whose turn it is."""
        for link in list(self._links.values()):
            envelope = link.end.poll(now)
            if envelope is None:
                continue
            # To the end of the row, so that no link keeps the others waiting.
            self._links[link.name] = self._links.pop(link.name)
            if envelope.ping and self._is_gone(link):
                self._drop(link, _GONE, "The page did not answer.")
                continue
            return carrying(link.name, envelope)
        return None

    def end(self) -> None:
        """Close all links without a message to their pages, since the whole widget is closed."""
        for link in list(self._links.values()):
            self._forget(link)

    def _is_gone(self, link: _Link) -> bool:
        """Count a question, but not while the kernel is too busy to hear an answer."""
        if self._loop is None:
            self._turns += 1
        else:
            with suppress(RuntimeError):  # it is closed: the kernel is going down
                self._loop.call_soon_threadsafe(self._note_turn)
        if self._turns > link.turns:
            link.silent += 1
        link.turns = self._turns
        return link.silent > SILENT_PINGS

    def _note_turn(self) -> None:
        self._turns += 1

    def _receive(self, message: FromPage) -> None:
        now = time.monotonic()
        link = self._links.get(message.link)
        if link is not None:
            link.heard_at, link.silent = now, 0
        match message:
            case OpenLink():
                self._open(message, link, now)
            case Carrying():
                self._carry(message, link, now)
            case Closing() if link is not None:
                self._forget(link)
            case Closing():
                self._ended.append(message.link)

    def _open(self, message: OpenLink, link: _Link | None, now: float) -> None:
        if link is not None:
            link.end.answer(now + ANSWER_S)
            return
        if message.link in self._ended:  # the page asked again before it heard the answer
            self._pump.post(closed(message.link, _GONE, "This link is closed."))
            return
        # Whoever vanished without a word is found out now at the latest.
        for other in self._links.values():
            other.end.question(now)
        self._make_room()
        link = self._links[message.link] = _Link(message.link, now)
        try:
            link.host = self._connect(message)
        except AcError as error:
            self._drop(link, _FAILED, str(error))
            return
        link.end.answer(now + ANSWER_S)

    def _connect(self, message: OpenLink) -> Sender:
        name = message.link
        ends = Ends(
            lambda frame: self._pump.do(lambda: self._from_host(name, frame)),
            lambda code, reason: self._pump.do(lambda: self._host_closed(name, code, reason)),
        )
        return self._find_host().open(name, ends, client=message.client)

    def _make_room(self) -> None:
        if len(self._links) >= MAX_LINKS:
            oldest = min(self._links.values(), key=lambda link: link.heard_at)
            self._drop(oldest, _OVERLOADED, "Too many views of this panel are open.")

    def _carry(self, message: Carrying, link: _Link | None, now: float) -> None:
        if link is None:
            self._pump.post(closed(message.link, _GONE, "The kernel has closed this link."))
            return
        frames = link.end.receive(message.envelope, now)
        if link.host is not None:
            for frame in frames:
                link.host.send(frame)
        if link.end.is_gone:
            self._drop(link, _OVERLOADED, "Too much was lost on the way to the page.")
        elif link.end.incoming.is_too_long:
            self._drop(link, _TOO_LARGE, "A message was too large for the kernel.")

    def _from_host(self, name: str, frame: str) -> None:
        link = self._links.get(name)
        if link is None:
            return
        link.end.push(frame)
        if link.end.outgoing.is_full:
            self._drop(link, _OVERLOADED, "Too much is waiting to be sent to the page.")

    def _host_closed(self, name: str, code: int, reason: str) -> None:
        link = self._links.get(name)
        if link is not None:
            link.host = None
            # 1006 says that nobody knows why; the host's end has a reason.
            self._drop(link, _FAILED if code == _LOST else code, reason)

    def _drop(self, link: _Link, code: int, reason: str) -> None:
        self._forget(link)
        self._pump.post(closed(link.name, code, reason))

    def _forget(self, link: _Link) -> None:
        del self._links[link.name]
        self._ended.append(link.name)
        if link.host is not None:
            link.host.close()
