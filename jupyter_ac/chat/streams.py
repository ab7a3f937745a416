"""The stream of a running answer: its text so far, its subscribers, and its cancellation.

The text only grows. Followers are notified that it grew and read it from here, so that a slow one
gets several increments as one.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.events import CompactionEvent, Stage, StreamComplete, TurnProgress
from jupyter_ac.ids import RequestId
from jupyter_ac.models.client import Retry

if TYPE_CHECKING:
    from jupyter_ac.tool_rows import RunRow


class StreamFollower(Protocol):
    """A subscriber of a running answer; each callback returns at once."""

    def grew(self) -> None:
        """There is more text."""

    def progressed(self, event: CompactionEvent | Retry) -> None:
        """The turn says what it does."""

    def ended(self, completion: StreamComplete) -> None:
        """The turn is over; nothing follows."""

    def dropped(self) -> None:
        """Another follower takes this one's place."""


class GrowingText:
    """A text that is written in pieces.

    Args:
        grew: called after each.

    Attributes:
        length: in code points.
    """

    def __init__(self, grew: Callable[[], None]) -> None:
        self._grew = grew
        self.length = 0
        self._pieces: list[str] = []

    @property
    def text(self) -> str:
        """Everything so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def since(self, start: int) -> str:
        """Return what follows a code point; the work is in proportion to that, not to the text."""
        fresh: list[str] = []
        at = self.length
        for piece in reversed(self._pieces):
            if at <= start:
                break
            at -= len(piece)
            fresh.append(piece[max(0, start - at) :])
        return "".join(reversed(fresh))

    def append(self, piece: str) -> None:
        """Add what was written."""
        if piece:
            self._pieces.append(piece)
            self.length += len(piece)
            self._grew()


@dataclass(frozen=True, slots=True)
class EditsSoFar:
    """The edit blocks of an answer that is being made.

    Attributes:
        blocks: in order.
        version: goes up when pages should know of them.
    """

    blocks: Sequence[EditBlock] = ()
    version: int = 0


class ActiveStream:
    """One answer while it is made. Belongs to one event loop.

    Attributes:
        request_id: the front end's name of the turn.
        stopped: whether the user has asked to stop it.
        interrupted: whether its host has ended it.
        answer: the text of the answer.
        thoughts: what the model writes before it answers.
        edits: the edit blocks so far.
        asked: set when the question is on the disk, or the disk has refused it.
        added: what the user has written since to the agent's run; its next step delivers it.
        run: gives the agent's run that makes it, as it is shown; None for a plain answer.
        is_recorded: whether it is a recorded answer, which no model makes.
    """

    def __init__(self, request_id: RequestId) -> None:
        self.request_id = request_id
        self.stopped = False
        self.interrupted = False
        self.answer = GrowingText(self._publish_growth)
        self.thoughts = GrowingText(self._publish_growth)
        self.edits = EditsSoFar()
        self.asked = asyncio.Event()
        self.added: list[str] = []
        self.run: Callable[[], RunRow] | None = None
        self.is_recorded = False
        self._followers: dict[object, StreamFollower] = {}
        self._work: asyncio.Task[None] | None = None
        self._ended = False

    @property
    def text(self) -> str:
        """The answer so far."""
        return self.answer.text

    @property
    def followers(self) -> Collection[object]:
        """The keys of those who follow."""
        return self._followers.keys()

    def append(self, piece: str) -> None:
        """Add what the model has just written."""
        self.answer.append(piece)

    def follow(self, key: object, follower: StreamFollower) -> None:
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
        self.publish(CompactionEvent(self.request_id, told))

    def publish(self, event: CompactionEvent | Retry) -> None:
        """Tell the followers what the turn does, in an event of its own."""
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
        self.asked.set()
        for follower in list(self._followers.values()):
            follower.ended(completion)

    def _publish_growth(self) -> None:
        for follower in list(self._followers.values()):
            follower.grew()

    def _cancel(self) -> None:
        if self._work is not None:
            self._work.cancel()


def utf16_length(text: str) -> int:
    """Count UTF-16 code units, as a browser does."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
