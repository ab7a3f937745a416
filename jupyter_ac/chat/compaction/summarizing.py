"""Summarises the old part of the talk, with the model for side tasks.

The model reads the whole talk, numbered, and says where the present subject begins. If that place
is in the part that stays anyway, everything before the place is about something else and is dropped
(`truncate`); if it is earlier or isn't known, everything before the part that stays is replaced by
a summary (`summarize`).
"""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.compaction.due import Talk, longest_summary, whole_turn
from jupyter_ac.chat.compaction.summary_prompt import (
    SummaryFinding,
    instructions,
    numbered,
    read_finding,
)
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import summary_block
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log_removals import Case, Removal
from jupyter_ac.chat.records import now_ms
from jupyter_ac.errors import ProviderUnavailable

SURE: Final = 0.5
"""The least confidence at which the place of a change of subject counts."""

_ANSWER_FRAME: Final = 2000
"""Tokens for what stands around the summary in the answer, and for models that think first."""

_ATTEMPTS: Final = 8


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result of a compaction: the removal from the log, and the talk's length before it."""

    removal: Removal
    before_tokens: int


async def summarize(measured: Talk, ports: TurnPorts) -> Compacted:
    """Have the model for side tasks look at the talk, and say what goes.

    Raises:
        NotReady: there is no model.
        ProviderError: one of its subclasses; also when the answer is of no use.
    """
    said, limits = measured.said, measured.limits
    most = longest_summary(said, measured.start, limits)
    answer = await ports.models.ask(
        instructions(ports.log.instructions(), most),
        numbered(said),
        2 * most + _ANSWER_FRAME,
    )
    finding = read_finding(answer.text, 2 * len(said))
    decision = decide(finding, measured.start, len(said), limits.least_exchanges)
    if decision is None:
        raise ProviderUnavailable(f"{answer.model} gave no summary.")
    case, found = decision
    first = whole_turn(said, found)
    removal = Removal(
        case=case,
        through=measured.through,
        first_kept=said[first].turn_id if first < len(said) else "",
        summary=(
            await _shortened(finding.summary, most, measured.scale) if case == "summarize" else ""
        ),
        model=answer.model,
        usage=answer.usage,
        created_ms=now_ms(),
    )
    return Compacted(removal, measured.tokens)


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


async def _shortened(summary: str, limit: int, scale: Scale) -> str:
    """Cut a summary that is longer than it may be, between words."""
    text = summary
    for _ in range(_ATTEMPTS):
        size = await scale.total([summary_block(text)])
        if size <= limit:
            return text
        most = min(len(text) - 1, len(text) * limit // size)
        text = text[:most].rpartition(" ")[0] or text[:most]
        text = f"{text.rstrip()} …"
    return text[:limit]
