"""Decides when a compaction is due: the limits, the measured talk, and the rules over both.

Talk that is longer than the trigger is compacted. The newest exchanges don't change: as many as fit
the verbatim window, and never fewer than the settings say. The steps of an agent's run stay or go
together; a run goes, even the newest, if with it the talk fills half of what the model takes, since
otherwise no question would fit any more. When the provider's cache has expired, prices decide.
Pinned turns stay in any case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.context_fitting import input_limit
from jupyter_ac.chat.prompt.counts import Scale, scale_for
from jupyter_ac.chat.prompt.log import talk
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.models.client import ModelInfo
from jupyter_ac.settings.app import CompactionSettings

LEAST_SUMMARY: Final = 32
"""Tokens; a small trigger makes summaries no shorter."""

READ: Final = 0.1
WRITE: Final = 1.25
OUTPUT: Final = 5
"""Usual prices of a token, where one that no cache is asked for costs 1."""

_WINDOW_SHARE: Final = 2
_SUMMARY_SHARE: Final = 4


@dataclass(frozen=True, slots=True)
class CompactionLimits:
    """When talk is compacted and what then stays; all in tokens but the last.

    Attributes:
        trigger: talk may have as many.
        window: of the newest talk that stays.
        summary: the longest summary.
        least_exchanges: that stay, whatever their length.
        room: runs stay while the talk has no more; 0 if it isn't known how much the model takes.
    """

    trigger: int
    window: int
    summary: int
    least_exchanges: int
    room: int = 0

    @classmethod
    def of(cls, settings: CompactionSettings, input_limit: int) -> "CompactionLimits":
        """Take the limits from the settings, so small that a compaction is sure to help.

        Args:
            settings: the user's.
            input_limit: how long a request may be, 0 when it isn't known; talk gets half of it.
        """
        trigger = settings.compaction_trigger_tokens
        if settings.log_trigger_tokens > 0:
            trigger = min(trigger, settings.log_trigger_tokens)
        if input_limit > 0:
            trigger = min(trigger, input_limit // 2)
        return cls(
            trigger=trigger,
            window=min(settings.verbatim_window_tokens, trigger // _WINDOW_SHARE),
            summary=min(
                settings.summary_budget_tokens, max(LEAST_SUMMARY, trigger // _SUMMARY_SHARE)
            ),
            least_exchanges=settings.min_verbatim_exchanges,
            room=max(0, input_limit // 2),
        )


@dataclass(frozen=True, slots=True)
class TalkExchange:
    """One exchange of the talk.

    Attributes:
        turn_id: "" for the summary of an earlier compaction.
        question: what the user wrote.
        answer: what came back.
        tokens: of both.
        is_pinned: it stays whatever goes around it.
    """

    turn_id: str
    question: str
    answer: str
    tokens: int
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """The talk of a session as it is measured.

    Attributes:
        said: its exchanges, files aside.
        tokens: of all of them.
        start: the first that stays.
        limits: as the settings have them for the model.
        scale: what weighed.
        through: the last turn that is over.
    """

    said: list[TalkExchange]
    tokens: int
    start: int
    limits: CompactionLimits
    scale: Scale
    through: str

    def is_due(self, failed_tokens: int, *, is_cold: bool = False) -> bool:
        """Tell whether the talk is to be compacted.

        Args:
            failed_tokens: the minimum length of the talk after a failure; 0 without a failure.
            is_cold: the provider's cache has expired, so that prices decide.
        """
        if is_cold:
            is_new = self.tokens > failed_tokens
            return is_new and pays_when_cold(self.said, self.start, self.limits)
        is_long = self.tokens > max(self.limits.trigger, failed_tokens)
        return is_long and is_worth_it(self.said, self.start, self.limits)


def may_be_due(
    session: Session,
    settings: CompactionSettings,
    info: ModelInfo | None,
    *,
    is_cold: bool = False,
) -> bool:
    """Tell without counting whether the talk could be too long: a token is at least one byte."""
    limits = CompactionLimits.of(settings, input_limit(info) if info is not None else 0)
    least = limits.summary if is_cold else limits.trigger
    return sum(block.size_bytes for block in talk(session.exchanges)) > least


async def look(session: Session, ports: TurnPorts, *, to_least: bool) -> Talk:
    """Measure the talk of a session.

    Args:
        session: whose.
        ports: what the stages work with.
        to_least: only the least number of exchanges is to stay.
    """
    choice = ports.models.choice()
    info = await ports.models.info(choice) if choice is not None else None
    settings = ports.log.settings().history_compaction
    limits = CompactionLimits.of(settings, input_limit(info) if info is not None else 0)
    scale = scale_for(ports.counts, choice)
    entries = session.log.entries()
    sizes = await sizes_of(entries, scale)
    marks = session.log.marks
    said = [
        replace(said_in(entry, size), is_pinned=marks.get(entry.turn_id) == "pin")
        for entry, size in zip(entries, sizes, strict=True)
    ]
    least = max(0, len(said) - limits.least_exchanges)
    return Talk(
        said=said,
        tokens=sum(sizes),
        start=without_long_runs(said, least if to_least else verbatim_start(said, limits), limits),
        limits=limits,
        scale=scale,
        through=next((turn.turn_id for turn in session.turns[::-1] if _is_over(turn)), ""),
    )


async def sizes_of(entries: Sequence[CompactedEntry], scale: Scale) -> list[int]:
    """Count the tokens of the talk in each exchange, files aside."""
    return [await scale.total(talk([entry.exchange])) for entry in entries]


def said_in(entry: CompactedEntry, tokens: int) -> TalkExchange:
    """Return an exchange as the model for side tasks reads it."""
    asked = "\n".join(block.text for block in entry.exchange.questions)
    answered = "\n".join(block.text for block in entry.exchange.reply)
    return TalkExchange(entry.turn_id, asked, answered, tokens)


def verbatim_start(said: Sequence[TalkExchange], limits: CompactionLimits) -> int:
    """Say from which exchange on the talk stays; its length when none does."""
    start = max(0, len(said) - limits.least_exchanges)
    tokens = sum(one.tokens for one in said[start:])
    while start > 0 and tokens + said[start - 1].tokens <= limits.window:
        start -= 1
        tokens += said[start].tokens
    return start


def is_worth_it(said: Sequence[TalkExchange], start: int, limits: CompactionLimits) -> bool:
    """Tell whether what would go is longer than a summary of it might be."""
    return _going(said, start) > limits.summary


def is_enough(said: Sequence[TalkExchange], start: int, limits: CompactionLimits) -> bool:
    """Tell whether what would go is long enough for a summary of it to say anything."""
    return _going(said, start) > min(limits.summary, 2 * LEAST_SUMMARY)


def longest_summary(said: Sequence[TalkExchange], start: int, limits: CompactionLimits) -> int:
    """Say how many tokens a summary may have: no more than half of what it stands for."""
    return min(limits.summary, _going(said, start) // 2)


def pays_when_cold(said: Sequence[TalkExchange], start: int, limits: CompactionLimits) -> bool:
    """Tell whether a compaction pays when the provider's cache has expired.

    Removed text needn't be written to the cache again. The conversation is assumed to continue for
    as long as it has lasted: as many requests, which would read the removed text, and one more
    pause, after which it would be written again. This saving must be more than the summary costs:
    the model for side tasks reads the whole talk and writes the summary.
    """
    saved = _going(said, start) - limits.summary
    price = sum(one.tokens for one in said) + OUTPUT * limits.summary
    return saved * (2 * WRITE + READ * len(said)) > price


def whole_turn(said: list[TalkExchange], index: int) -> int:
    """Go back to the first exchange of a turn: one that was answered twice stays or goes whole."""
    while 0 < index < len(said) and said[index].turn_id == said[index - 1].turn_id:
        index -= 1
    return index


def without_long_runs(said: list[TalkExchange], index: int, limits: CompactionLimits) -> int:
    """Go back to the first exchange of a turn, or past runs that leave no room for questions."""
    start = whole_turn(said, index)
    for end in _run_ends(said, start):
        if not limits.room or sum(one.tokens for one in said[start:]) <= limits.room:
            break
        start = end
    return start


def _run_ends(said: Sequence[TalkExchange], start: int) -> Iterator[int]:
    """Give the index behind each turn of several exchanges."""
    end = start
    for _, exchanges in groupby(said[start:], lambda one: one.turn_id):
        count = len(list(exchanges))
        end += count
        if count > 1:
            yield end


def _is_over(turn: TurnRecord) -> bool:
    return turn.state is not TurnState.RUNNING


def _going(said: Sequence[TalkExchange], start: int) -> int:
    return sum(one.tokens for one in said[:start] if not one.is_pinned)
