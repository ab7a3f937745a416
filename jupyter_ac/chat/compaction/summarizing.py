"""Measures a session's talk and has the part that must go summarised."""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.compaction.plan import (
    CompactionLimits,
    TalkExchange,
    decide,
    is_worth_it,
    longest_summary,
    pays_when_cold,
    verbatim_start,
)
from jupyter_ac.chat.compaction.summary_prompt import instructions, numbered, read_finding
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import summary_block
from jupyter_ac.chat.prompt.budget import input_limit
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log import Exchange, talk
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnRecord, TurnState, now_ms
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.stages import encoding_of_model
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.models.client import ModelInfo
from jupyter_ac.settings.app import CompactionSettings

_ANSWER_FRAME: Final = 2000
"""Tokens for what stands around the summary in the answer, and for models that think first."""

_ATTEMPTS: Final = 8


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
            failed_tokens: as many it must have after a failure; 0 when there was none.
            is_cold: the provider's cache is gone, so that it is a question of prices.
        """
        if is_cold:
            is_new = self.tokens > failed_tokens
            return is_new and pays_when_cold(self.said, self.start, self.limits)
        is_long = self.tokens > max(self.limits.trigger, failed_tokens)
        return is_long and is_worth_it(self.said, self.start, self.limits)


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction takes out of the log, and how long the talk was before."""

    removal: Removal
    before_tokens: int


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
    scale = Scale(ports.counts, encoding_of_model(choice).name)
    entries = session.log.entries()
    sizes = [await scale.total(talk([entry.exchange])) for entry in entries]
    said = [
        TalkExchange(entry.turn_id, _asked(entry.exchange), entry.exchange.answer.text, size)
        for entry, size in zip(entries, sizes, strict=True)
    ]
    least = max(0, len(said) - limits.least_exchanges)
    return Talk(
        said=said,
        tokens=sum(sizes),
        start=_whole_turn(said, least if to_least else verbatim_start(said, limits)),
        limits=limits,
        scale=scale,
        through=next((turn.turn_id for turn in session.turns[::-1] if _is_over(turn)), ""),
    )


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
    first = _whole_turn(said, found)
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


def _is_over(turn: TurnRecord) -> bool:
    return turn.state is not TurnState.RUNNING


def _asked(exchange: Exchange) -> str:
    return "\n".join(block.text for block in exchange.questions)


def _whole_turn(said: list[TalkExchange], index: int) -> int:
    """Go back to the first exchange of a turn: one that was answered twice stays or goes whole."""
    while 0 < index < len(said) and said[index].turn_id == said[index - 1].turn_id:
        index -= 1
    return index


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
