"""A running answer: its text so far, who follows it, and how it is stopped.

The text only grows. Followers are told that it grew and read it from here, so that a slow one
skips what it missed.
"""

import asyncio
from collections.abc import Collection
from typing import Protocol

from jupyter_ac.events import CompactionEvent, Stage, StreamComplete, TurnProgress
from jupyter_ac.ids import RequestId


class Follower(Protocol):
    """What is told of a running answer; each call returns at once."""

    def grew(self) -> None:
        """There is more text."""

    def progressed(self, event: CompactionEvent) -> None:
        """The turn says what it does."""

    def ended(self, completion: StreamComplete) -> None:
        """The turn is over; nothing follows."""

    def dropped(self) -> None:
        """Another follower takes this one's place."""


class ActiveStream:
    """One answer while it is made. Belongs to one event loop.

    Attributes:
        request_id: the front end's name of the turn.
        stopped: whether the user has asked to stop it.
        interrupted: whether its host has ended it.
        length: of the text, in code points.
    """

    def __init__(self, request_id: RequestId) -> None:
        self.request_id = request_id
        self.stopped = False
        self.interrupted = False
        self.length = 0
        self._pieces: list[str] = []
        self._followers: dict[object, Follower] = {}
        self._work: asyncio.Task[None] | None = None
        self._ended = False

    @property
    def text(self) -> str:
        """Everything so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    @property
    def followers(self) -> Collection[object]:
        """The keys of those who follow."""
        return self._followers.keys()

    def append(self, piece: str) -> None:
        """Add what the model has just written."""
        if piece:
            self._pieces.append(piece)
            self.length += len(piece)
            for follower in list(self._followers.values()):
                follower.grew()

    def follow(self, key: object, follower: Follower) -> None:
        """Tell `follower` from now on, in place of an older one under the same key."""
        older = self._followers.get(key)
        self._followers[key] = follower
        if older is not None:
            older.dropped()

    def progress(self, stage: Stage, message: str, percent: int | None = None) -> None:
        """Tell the followers what the turn does, and how far it is if that is known."""
        told = TurnProgress(stage=stage, message=message)
        if percent is not None:
            told["percent"] = percent
        event = CompactionEvent(self.request_id, told)
        for follower in list(self._followers.values()):
            follower.progressed(event)

    def runs_in(self, work: asyncio.Task[None]) -> None:
        """Name the task that `stop` cancels."""
        self._work = work

    def stop(self) -> None:
        """Stop the turn, whatever it waits for; it still ends with its completion."""
        self.stopped = True
        self._cancel()

    def interrupt(self) -> None:
        """End the turn because its host ends; it still ends with its completion."""
        self.interrupted = True
        self._cancel()

    def end(self, completion: StreamComplete) -> None:
        """Tell the followers that it is over; only the first time counts."""
        if self._ended:
            return
        self._ended = True
        for follower in list(self._followers.values()):
            follower.ended(completion)

    def _cancel(self) -> None:
        if self._work is not None:
            self._work.cancel()


def utf16_length(text: str) -> int:
    """Count UTF-16 code units, as a browser does."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
