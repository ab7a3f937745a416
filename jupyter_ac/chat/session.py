"""A session in memory: what was asked and answered in it, as this host knows it."""

from collections.abc import Sequence

from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.records import INTERRUPTED, SessionRecord, State, SystemEvent, TurnRecord
from jupyter_ac.chat.session_log import CompactionState, SessionLog
from jupyter_ac.events import ChatMessage, SessionSnapshot


class Session:
    """The turns of one session, in the order in which they were asked.

    Args:
        kept: the session as it is on disk.

    Attributes:
        session_id: its name.
        revision: of what is known here; other hosts raise it on disk.
        log: what goes to the model again with each question.
        compaction: whether that is being shortened; a turn waits for it.
        side: what side tasks have used, beside turns and compactions.
    """

    def __init__(self, kept: SessionRecord) -> None:
        self.session_id = kept.session_id
        self.revision = kept.revision
        self.compaction = CompactionState()
        self.side = list(kept.side)
        self._turns = list(kept.turns)
        self.log = SessionLog(kept, self._turns)
        self._events = {event.event_id: event for event in kept.events}

    def rejoin(self, kept: SessionRecord) -> None:
        """Take over what other hosts have added; what only we know of it stays in its place.

        A running turn that the disk doesn't know is left out: whoever makes it puts it back.
        """
        mine = {turn.turn_id: turn for turn in self._turns}
        unkept = self._unkept(kept)
        self._turns[:] = unkept.pop("", [])
        for turn in kept.turns:
            self._turns.append(_fuller(mine.get(turn.turn_id, turn), turn))
            self._turns += unkept.pop(turn.turn_id, [])
        self.revision = kept.revision
        self.side = list(kept.side)
        self.log.rejoin(kept)
        self._events |= {event.event_id: event for event in kept.events}

    def _unkept(self, kept: SessionRecord) -> dict[str, list[TurnRecord]]:
        """Gather the turns that are over and not on disk, by the kept one that they follow."""
        found: dict[str, list[TurnRecord]] = {}
        known = {turn.turn_id for turn in kept.turns}
        before = ""
        for turn in self._turns:
            if turn.turn_id in known:
                before = turn.turn_id
            elif turn.state is not State.RUNNING:
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
        for index, known in enumerate(self._turns):
            if known.turn_id == turn.turn_id:
                self._turns[index] = turn
                return
        self._turns.append(turn)

    def turn(self, request_id: str) -> TurnRecord | None:
        """Find a turn by the front end's name for it."""
        return next((turn for turn in self._turns if turn.request_id == request_id), None)

    def messages(self) -> list[ChatMessage]:
        """Give the talk as a front end shows it, without the answer that is being made."""
        behind: dict[str, list[ChatMessage]] = {}
        for event in self._events.values():
            behind.setdefault(event.after_turn, []).append(event.message())
        found = behind.pop("", [])
        for turn in self._turns:
            found += (*turn.messages(), *behind.pop(turn.turn_id, ()))
        return found

    def add_event(self, event: SystemEvent) -> None:
        """Show something that has happened beside the talk."""
        self._events[event.event_id] = event

    def snapshot(self) -> SessionSnapshot:
        """Give the session as `sessionChanged` carries it."""
        return {"session_id": self.session_id, "messages": self.messages()}


def _fuller(mine: TurnRecord, theirs: TurnRecord) -> TurnRecord:
    """Choose between a turn as we know it and as the disk has it, which may have failed us."""
    is_lost = theirs.state is State.RUNNING or theirs.failure == INTERRUPTED
    is_known_better = is_lost and not theirs.edits.results
    return mine if is_known_better and mine.state is not State.RUNNING else theirs
