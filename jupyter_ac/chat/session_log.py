"""A session's prompt log in memory: the blocks that its turns sent, and the removals from them."""

import asyncio
from collections.abc import Mapping, Sequence

from jupyter_ac.chat.prompt.blocks import Block, rules_of
from jupyter_ac.chat.prompt.log import MAPS
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal, shorten
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.chat.records import SessionRecord, TurnRecord


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
        found = [entry for turn in self._turns for entry in self._of(turn)]
        applied = self.removals if removals is None else removals
        return shorten(found, [turn.turn_id for turn in self._turns], applied)

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

    def freeze_head(self, profile: PromptProfile, head: tuple[Block, ...]) -> None:
        """Keep the system blocks that were sent first."""
        self._frozen.setdefault(self.head_name(profile), head)


class CompactionState:
    """Whether a session is being compacted.

    Attributes:
        task: does it; None when it was never done.
        failed_tokens: the talk must be longer before it is tried again after a failure.
    """

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.failed_tokens = 0

    @property
    def is_running(self) -> bool:
        """Whether the log is being shortened."""
        return self.task is not None and not self.task.done()

    async def over(self) -> None:
        """Return when it isn't, however that ended."""
        if self.task is not None:
            await asyncio.wait({self.task})
