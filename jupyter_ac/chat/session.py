"""A session in memory as this host knows it: its turns, and the log of blocks that they sent."""

import asyncio
from collections.abc import Mapping, Sequence

from jupyter_ac.chat.pagination import PAGE_MESSAGES, page_of
from jupyter_ac.chat.prompt.blocks import Block, rules_of
from jupyter_ac.chat.prompt.log import MAPS, Exchange
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal, shorten
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.chat.prompt.turn_marks import Mark, marks_of, without_excluded
from jupyter_ac.chat.records import (
    INTERRUPTED,
    UNTRUSTED,
    SessionRecord,
    SystemEvent,
    TurnRecord,
    TurnState,
)
from jupyter_ac.errors import AccessDenied, Busy, NotFound
from jupyter_ac.message_rows import ChatMessage, ContextStanding, SessionSnapshot


class SessionLog:
    """The log of the turns in `turns`, which their session changes.

    Args:
        kept: the stored session.
        turns: the session's own list of them.

    Attributes:
        removals: from the log, in order.
        sent_ms: when this host sent something of it last, milliseconds since 1970; 0 for never.
        sent_profile: whose head this host sent last; None when it has sent nothing.
    """

    def __init__(self, kept: SessionRecord, turns: Sequence[TurnRecord]) -> None:
        self.removals: Sequence[Removal] = kept.removals
        self.sent_ms = 0
        self.sent_profile: PromptProfile | None = None
        self._turns = turns
        self._known: dict[str, tuple[TurnRecord, list[CompactedEntry]]] = {}
        self._heads: Mapping[str, tuple[Block, ...]] = kept.heads
        self._frozen: dict[str, tuple[Block, ...]] = {}

    def rejoin(self, kept: SessionRecord) -> None:
        """Take over what other hosts have taken out and sent first."""
        self.removals = kept.removals
        self._heads = {**self._heads, **kept.heads}

    def entries(self, removals: Sequence[Removal] | None = None) -> list[CompactedEntry]:
        """Give the exchanges that go out again, with the turns that they are of.

        Args:
            removals: those to apply in place of all that were made.
        """
        applied = self.removals if removals is None else removals
        return without_excluded(self.compacted(applied), applied)

    def compacted(self, removals: Sequence[Removal] | None = None) -> list[CompactedEntry]:
        """Give the exchanges that go out again and those that the user has excluded.

        Args:
            removals: as of `entries`.
        """
        found = [entry for turn in self._turns for entry in self._of(turn)]
        applied = self.removals if removals is None else removals
        return shorten(found, [turn.turn_id for turn in self._turns], applied)

    @property
    def marks(self) -> Mapping[str, Mark]:
        """What the user has excluded and pinned, by turn."""
        return marks_of(self.removals)

    def standings(self) -> Mapping[str, ContextStanding]:
        """Say of turns whether they are excluded, pinned, or taken out by a compaction."""
        marks, left = self.marks, {entry.turn_id for entry in self.compacted()}
        return {
            turn.turn_id: standing
            for turn in self._turns
            if self._of(turn)
            and (standing := _standing(marks.get(turn.turn_id), is_left=turn.turn_id in left))
        }

    def _of(self, turn: TurnRecord) -> list[CompactedEntry]:
        """Give a turn's own exchanges, made once for each state of its record."""
        known = self._known.get(turn.turn_id)
        if known is None or known[0] is not turn:
            known = (turn, [CompactedEntry(turn.turn_id, one) for one in turn.exchanges()])
            self._known[turn.turn_id] = known
        return known[1]

    def remove(self, removal: Removal) -> None:
        """Take something out."""
        self.removals = (*self.removals, removal)

    def head_name(self, profile: PromptProfile, removals: Sequence[Removal] | None = None) -> str:
        """Name the system blocks of a profile; a compaction that keeps no copies renews them."""
        made = self.removals if removals is None else removals
        compactions = sum(removal.renews_head for removal in made)
        return f"{profile.name}@{compactions}" if compactions else profile.name

    def frozen_head(
        self, profile: PromptProfile, removals: Sequence[Removal] | None = None
    ) -> tuple[Block, ...]:
        """Return the system blocks that were sent; none before that.

        They stay the same until a compaction that keeps no copies. Those that are on disk are sent
        as far as they are what this program would send now: the rules are always the present ones,
        only the map, which shows the repository as it was, comes from there.

        Args:
            profile: whose.
            removals: those that had been made, in place of all.
        """
        name = self.head_name(profile, removals)
        if name in self._frozen:
            return self._frozen[name]
        kept = self._heads.get(name, ())
        rules = profile.head()
        if not kept or rules_of(kept) == rules:
            return kept
        return (*rules, *(block for block in kept if block.category in MAPS))

    def heads(self) -> list[Block]:
        """Return the blocks of the heads that were sent and still are."""
        made = sum(removal.renews_head for removal in self.removals)
        known = {**self._heads, **self._frozen}
        return [
            block
            for name, head in known.items()
            if int(name.partition("@")[2] or 0) == made
            for block in head
        ]

    def freeze_head(self, profile: PromptProfile, head: tuple[Block, ...]) -> None:
        """Keep the system blocks that were sent first."""
        self._frozen.setdefault(self.head_name(profile), head)


def _standing(mark: Mark | None, *, is_left: bool) -> ContextStanding | None:
    if mark == "exclude":
        return "excluded"
    if not is_left:
        return "compacted"
    return "pinned" if mark == "pin" else None


class CompactionState:
    """Whether a session is being compacted.

    Attributes:
        task: does it; None when it was never done.
        failed_tokens: the talk must be longer before it is tried again after a failure.
        failure: why the last attempt failed; "" if it didn't.
    """

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.failed_tokens = 0
        self.failure = ""

    @property
    def is_running(self) -> bool:
        """Whether the log is being shortened."""
        return self.task is not None and not self.task.done()

    def require_over(self, doing: str) -> None:
        """Refuse something while the log is being shortened.

        Raises:
            Busy: it is.
        """
        if self.is_running:
            raise Busy(f"The conversation is being compacted; {doing} has to wait for that.")

    async def over(self) -> None:
        """Return when it isn't, however that ended."""
        if self.task is not None:
            await asyncio.wait({self.task})


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
        standings = self.log.standings()
        page = page_of(items, lambda item: _messages(item, standings), most)
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


def _messages(
    item: TurnRecord | SystemEvent, standings: Mapping[str, ContextStanding]
) -> list[ChatMessage]:
    if not isinstance(item, TurnRecord):
        return [item.message()]
    messages = item.messages()
    if item.turn_id in standings:
        for message in messages:
            message["context"] = standings[item.turn_id]
    return messages


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
