"""A session in memory: its turns and its log, as this host knows them."""

from collections.abc import Sequence

from jupyter_ac.chat.pagination import PAGE_MESSAGES, page_of
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.records import (
    INTERRUPTED,
    UNTRUSTED,
    SessionRecord,
    SystemEvent,
    TurnRecord,
    TurnState,
)
from jupyter_ac.chat.session_log import CompactionState, SessionLog
from jupyter_ac.errors import AccessDenied, NotFound
from jupyter_ac.events import ChatMessage, SessionSnapshot


class Session:
    """The turns of one session, in the order in which they were asked.

    Args:
        kept: the stored session.

    Attributes:
        session_id: its name.
        revision: of what is known here; other hosts raise it on disk.
        log: what goes to the model again with each question.
        compaction: whether the log is being compacted; a turn waits for it.
        side: what side tasks have used, beside turns and compactions.
        version: raised by each change that a front end shows.
        is_own: whether this user has stored it here; one that isn't is only shown.
    """

    def __init__(self, kept: SessionRecord) -> None:
        self.session_id = kept.session_id
        self.revision = kept.revision
        self.compaction = CompactionState()
        self.side = list(kept.side)
        self.version = 0
        self.is_own = kept.is_own
        self._turns = list(kept.turns)
        self.log = SessionLog(kept, self._turns)
        self._events = {event.event_id: event for event in kept.events}

    def rejoin(self, kept: SessionRecord) -> None:
        """Take over what other hosts have added; what only we know of it stays in its place.

        A running turn that the disk doesn't know is left out: whoever makes it puts it back.
        """
        self.version += 1
        mine = {turn.turn_id: turn for turn in self._turns}
        unkept = self._unkept(kept)
        self._turns[:] = unkept.pop("", [])
        for turn in kept.turns:
            self._turns.append(_fuller(mine.get(turn.turn_id, turn), turn))
            self._turns += unkept.pop(turn.turn_id, [])
        self.revision = kept.revision
        self.side = list(kept.side)
        self.is_own = kept.is_own
        self.log.rejoin(kept)
        self._events |= {event.event_id: event for event in kept.events}

    def require_own(self) -> None:
        """Refuse to continue a session that this user has not stored here.

        Raises:
            AccessDenied: the session isn't the user's own.
        """
        if not self.is_own:
            raise AccessDenied(UNTRUSTED)

    def _unkept(self, kept: SessionRecord) -> dict[str, list[TurnRecord]]:
        """Group the turns that have ended and are not on disk, by the stored turn before them."""
        found: dict[str, list[TurnRecord]] = {}
        known = {turn.turn_id for turn in kept.turns}
        before = ""
        for turn in self._turns:
            if turn.turn_id in known:
                before = turn.turn_id
            elif turn.state is not TurnState.RUNNING:
                found.setdefault(before, []).append(turn)
        return found

    @property
    def turns(self) -> Sequence[TurnRecord]:
        """All turns, oldest first; the last one may still run."""
        return self._turns

    @property
    def exchanges(self) -> list[Exchange]:
        """The prompt log, without what was taken out of it."""
        return [entry.exchange for entry in self.log.entries()]

    def put(self, turn: TurnRecord) -> None:
        """Add a turn, or replace what is known of it."""
        self.version += 1
        for index, known in enumerate(self._turns):
            if known.turn_id == turn.turn_id:
                self._turns[index] = turn
                return
        self._turns.append(turn)

    def turn(self, request_id: str) -> TurnRecord | None:
        """Find a turn by the front end's name for it."""
        return next((turn for turn in self._turns if turn.request_id == request_id), None)

    @property
    def message_count(self) -> int:
        """How many messages a front end shows, without the answer that is being made."""
        return sum(map(_count, self._shown()))

    def add_event(self, event: SystemEvent) -> None:
        """Show something that has happened beside the talk."""
        self.version += 1
        self._events[event.event_id] = event

    def snapshot(self, before: str = "", most: int = PAGE_MESSAGES) -> SessionSnapshot:
        """Give the newest messages, as `sessionChanged` carries them.

        Args:
            before: the request id of a message; those before it are meant. "" for the newest.
            most: how many messages there may be.

        Raises:
            NotFound: there is no such message.
        """
        items = self._shown()
        if before:
            items = items[: _place_of(items, before)]
        page = page_of(items, _messages, most)
        earlier = sum(map(_count, items[: page.begin]))
        return {"session_id": self.session_id, "messages": page.messages, "earlier": earlier}

    def _shown(self) -> list[TurnRecord | SystemEvent]:
        """List the turns, each with what has happened behind it."""
        behind: dict[str, list[SystemEvent]] = {}
        for event in self._events.values():
            behind.setdefault(event.after_turn, []).append(event)
        found: list[TurnRecord | SystemEvent] = [*behind.pop("", ())]
        for turn in self._turns:
            found += (turn, *behind.pop(turn.turn_id, ()))
        return found


def _messages(item: TurnRecord | SystemEvent) -> list[ChatMessage]:
    return item.messages() if isinstance(item, TurnRecord) else [item.message()]


def _count(item: TurnRecord | SystemEvent) -> int:
    return item.message_count if isinstance(item, TurnRecord) else 1


def _place_of(items: Sequence[TurnRecord | SystemEvent], name: str) -> int:
    for place, item in enumerate(items):
        if name == (item.request_id if isinstance(item, TurnRecord) else item.event_id):
            return place
    raise NotFound(f"There is no message {name[:64]!r} in this conversation; reload the page.")


def _fuller(mine: TurnRecord, theirs: TurnRecord) -> TurnRecord:
    """Choose between a turn as we know it and as the disk has it, which may have failed us."""
    is_lost = theirs.state is TurnState.RUNNING or theirs.failure == INTERRUPTED
    is_known_better = is_lost and not theirs.edits.results
    return mine if is_known_better and mine.state is not TurnState.RUNNING else theirs
