"""Which part of the talk stays when it is compacted: pure rules.

The newest exchanges stay as they are: as many as fit the verbatim window, and never fewer than the
settings say. A model for side tasks reads the whole talk, numbered, and says where the present
subject begins. When that place lies in the part that stays anyway, everything before the place is
about something else and is dropped (`truncate`); when it lies earlier or isn't known, everything
before the part that stays gives way to a summary (`summarize`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.prompt.log_removals import Case
from jupyter_ac.settings.app import CompactionSettings

SURE: Final = 0.5
"""The least confidence at which the place of a change of subject counts."""

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
    """

    trigger: int
    window: int
    summary: int
    least_exchanges: int

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
        )


@dataclass(frozen=True, slots=True)
class TalkExchange:
    """One exchange of the talk.

    Attributes:
        turn_id: "" for the summary of an earlier compaction.
        question: what the user wrote.
        answer: what came back.
        tokens: of both.
    """

    turn_id: str
    question: str
    answer: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SummaryFinding:
    """What the model for side tasks made of the talk.

    Attributes:
        boundary: index of the first message of the present subject, None when it has not changed.
        confidence: 0 to 1.
        summary: of the talk before; "" when there is none.
    """

    boundary: int | None = None
    confidence: float = 0.0
    summary: str = ""


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

    What goes needn't be written to the cache anew. The conversation is taken to go on for as long
    as it has: with as many requests, which read what goes, and with one more pause, after which it
    would be written again. That must be worth more than the summary costs: the model for side tasks
    reads the whole talk and writes the summary.
    """
    saved = _going(said, start) - limits.summary
    price = sum(one.tokens for one in said) + OUTPUT * limits.summary
    return saved * (2 * WRITE + READ * len(said)) > price


def decide(
    finding: SummaryFinding, start: int, exchanges: int, least_exchanges: int
) -> tuple[Case, int] | None:
    """Say what happens and which exchange is the first that stays; None when it can't be done.

    Args:
        finding: of the whole talk; a message of exchange n has index 2n or 2n + 1.
        start: first exchange of the part that stays.
        exchanges: how many there are.
        least_exchanges: how many of them stay in any case.
    """
    if finding.boundary is not None and finding.confidence >= SURE:
        first = finding.boundary // 2
        if start <= first < exchanges:
            return "truncate", max(start, min(first, exchanges - least_exchanges))
    return ("summarize", start) if finding.summary else None


def _going(said: Sequence[TalkExchange], start: int) -> int:
    return sum(one.tokens for one in said[:start])
