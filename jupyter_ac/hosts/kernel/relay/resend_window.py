"""Send and receive windows for one direction of a link: acknowledgements and gaps; pure.

Each frame, or piece of a long one, is a *part* with a number of its own, counted from 1. A message
carries a run of parts and the number of the first, so that what was lost can be sent again in other
runs. Unacknowledged parts are buffered up to a limit; if the other end needs a discarded part, the
link is closed. `js/packages/link/src/resend-window.ts` is the same on the page's side.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final

MESSAGE_CHARS: Final = 1 << 20
"""Text in one message at most; in UTF-8 it stays below the 10 MB that close a kernel's socket."""

KEPT_CHARS: Final = 32 << 20
WAITING_CHARS: Final = 64 << 20
FRAME_CHARS: Final = 64 << 20
KEPT_PARTS: Final = 1 << 16
"""Parts that came early, and pieces of one frame: empty ones take room as well."""


@dataclass(frozen=True, slots=True)
class FramePart:
    """A frame, or a piece of one.

    Attributes:
        text: the piece.
        continues: whether the next part belongs to the same frame.
    """

    text: str
    continues: bool = False


@dataclass(frozen=True, slots=True)
class FrameRun:
    """Parts in order.

    Attributes:
        first: the number of the first; of the next one to come when there is none.
        parts: what it carries.
    """

    first: int
    parts: tuple[FramePart, ...] = ()


class Outgoing:
    """The send window: parts that wait, and sent parts that may have to be sent again.

    Args:
        kept_chars: limit of sent and unacknowledged text; the oldest is discarded first.
        waiting_chars: text that may wait to be sent.
        message_chars: text in one run.

    Attributes:
        acknowledged: the other end has all parts up to this one.
    """

    def __init__(
        self,
        kept_chars: int = KEPT_CHARS,
        waiting_chars: int = WAITING_CHARS,
        message_chars: int = MESSAGE_CHARS,
    ) -> None:
        self.acknowledged = 0
        self._kept_chars = kept_chars
        self._waiting_chars = waiting_chars
        self._message_chars = message_chars
        self._parts: deque[FramePart] = deque()
        self._first = 1  # the number of the oldest part that is kept
        self._next = 1  # the number of the next part to be sent, for the first time or again
        self._sent = 0  # the highest number that was ever sent
        self._waiting = 0  # characters from `_next` on
        self._behind = 0  # characters before it

    @property
    def last(self) -> int:
        """The number of the newest part."""
        return self._first + len(self._parts) - 1

    @property
    def sent(self) -> int:
        """The highest number that was ever sent."""
        return self._sent

    @property
    def is_pending(self) -> bool:
        """Whether parts wait to be sent."""
        return self._next <= self.last

    @property
    def is_unacknowledged(self) -> bool:
        """Whether sent parts are unacknowledged."""
        return self._sent > self.acknowledged

    @property
    def waiting_chars(self) -> int:
        """The text that waits to be sent."""
        return self._waiting

    @property
    def is_full(self) -> bool:
        """Whether the waiting text exceeds its limit."""
        return self._waiting > self._waiting_chars

    def push(self, frame: str) -> None:
        """Queue a frame, in pieces when it is long."""
        size = self._message_chars
        for at in range(0, len(frame) or 1, size):
            self._parts.append(FramePart(frame[at : at + size], continues=at + size < len(frame)))
        self._waiting += len(frame)

    def take(self) -> FrameRun:
        """Give the next run to send; without parts when nothing waits."""
        parts: list[FramePart] = []
        first, chars = self._next, 0
        for part in islice(self._parts, self._next - self._first, None):
            if parts and chars + len(part.text) > self._message_chars:
                break
            parts.append(part)
            chars += len(part.text)
        self._next += len(parts)
        self._sent = max(self._sent, self._next - 1)
        self._waiting -= chars
        self._behind += chars
        self._forget()
        return FrameRun(first, tuple(parts))

    def acknowledge(self, number: int) -> bool:
        """Let go of all parts up to a number; numbers that were never sent are ignored.

        Returns:
            Whether this is news.
        """
        if not self.acknowledged < number <= self._sent:
            return False
        self.acknowledged = number
        while self._first <= number:
            self._drop()
        return True

    def rewind(self, number: int) -> bool:
        """Send again from a number on; one that was never sent changes nothing.

        Returns:
            False when the part was discarded.
        """
        if number > self._sent or number <= self.acknowledged:
            return True
        if number < self._first:
            return False
        while self._next > number:
            self._next -= 1
            size = len(self._parts[self._next - self._first].text)
            self._waiting += size
            self._behind -= size
        return True

    def _forget(self) -> None:
        while self._behind > self._kept_chars and self._first < self._next - 1:
            self._drop()

    def _drop(self) -> None:
        size = len(self._parts.popleft().text)
        if self._first < self._next:
            self._behind -= size
        else:  # it was to be sent again, and has arrived after all
            self._waiting -= size
            self._next += 1
        self._first += 1


class Incoming:
    """The receive window: returns whole frames in order and once each, for any order of runs.

    Args:
        kept_chars: limit of buffered early text; more must be sent again.
        frame_chars: length of the longest frame.

    Attributes:
        received: all parts up to this one have come.
        is_too_long: a frame was longer than allowed; nothing more is given.
        repeated: parts that came again.
    """

    def __init__(self, kept_chars: int = KEPT_CHARS, frame_chars: int = FRAME_CHARS) -> None:
        self.received = 0
        self.is_too_long = False
        self.repeated = 0
        self._kept_chars = kept_chars
        self._frame_chars = frame_chars
        self._known = 0  # the other end has sent this many
        self._early: dict[int, FramePart] = {}
        self._early_chars = 0
        self._pieces: list[str] = []
        self._pieces_chars = 0

    @property
    def has_gap(self) -> bool:
        """Whether parts that the other end has sent are missing."""
        return self._known > self.received

    def take(self, run: FrameRun) -> list[str]:
        """Take a run in; return the frames that are complete and next in order."""
        frames: list[str] = []
        self._known = max(self._known, run.first + len(run.parts) - 1)
        for number, part in enumerate(run.parts, run.first):
            if number == self.received + 1:
                self._accept(part, frames)
                self._accept_early(frames)
            elif number <= self.received or number in self._early:
                self.repeated += 1
            elif (
                self._early_chars + len(part.text) <= self._kept_chars
                and len(self._early) < KEPT_PARTS
            ):
                self._early[number] = part
                self._early_chars += len(part.text)
        return [] if self.is_too_long else frames

    def _accept_early(self, frames: list[str]) -> None:
        while (part := self._early.pop(self.received + 1, None)) is not None:
            self._early_chars -= len(part.text)
            self._accept(part, frames)

    def _accept(self, part: FramePart, frames: list[str]) -> None:
        self.received += 1
        self._pieces.append(part.text)
        self._pieces_chars += len(part.text)
        if self._pieces_chars > self._frame_chars or len(self._pieces) > KEPT_PARTS:
            self.is_too_long = True
        if part.continues and not self.is_too_long:
            return
        frames.append("".join(self._pieces))
        self._pieces, self._pieces_chars = [], 0


def spell_parts(parts: Iterable[FramePart]) -> list[str | list[str]]:
    """Write parts as they travel: a whole frame or the end of one is a text, a piece is a list."""
    return [[part.text] if part.continues else part.text for part in parts]


def read_parts(values: Iterable[object]) -> tuple[FramePart, ...] | None:
    """Read what `spell_parts` wrote; None when it is something else."""
    parts = []
    for value in values:
        match value:
            case str(text):
                parts.append(FramePart(text))
            case [str(text)]:
                parts.append(FramePart(text, continues=True))
            case _:
                return None
    return tuple(parts)
