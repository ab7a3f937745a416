"""The stage that keeps a run's next request within what is left of its tokens and money.

The answer may have as many tokens as are left behind the request itself. A request that alone would
go beyond a limit isn't sent. What it will cost is estimated: text that went out with the request
before is taken to be read from the provider's cache. It is only counted where its length leaves a
doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.last_request import last_request
from jupyter_ac.chat.ports import AgentRun, RunLimit
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.records import GAP
from jupyter_ac.chat.turn.turn import Gathered, PromptRequest, Turn
from jupyter_ac.chat.turn.turn_price import READ_SHARE, WRITE_SHARE
from jupyter_ac.errors import TooLarge
from jupyter_ac.models.client import ModelInfo
from jupyter_ac.tool_rows import RunRow

LEAST_ANSWER: Final = 500
"""Tokens; in fewer no model sums up anything."""

LEAST_REASONED: Final = 5000
"""The same where the model is told how much to reason, which counts as part of the answer."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What a request would use.

    Attributes:
        tokens: of all that goes out.
        usd: for it; None where no price is known.
        answer_usd: for a token of the answer; likewise.
    """

    tokens: int
    usd: float | None
    answer_usd: float | None

    def room(self, row: RunRow) -> dict[RunLimit, float]:
        """Return how many tokens of an answer each limit of a run has room for."""
        used, limits = row["used"], row["limits"]
        found: dict[RunLimit, float] = {
            "max_tokens": limits["tokens"] - used["tokens"] - self.tokens
        }
        if None not in {used["usd"], limits["usd"], self.usd} and self.answer_usd:
            left_usd = (limits["usd"] or 0.0) - (used["usd"] or 0.0) - (self.usd or 0.0)
            found["max_usd"] = left_usd / self.answer_usd
        return found


async def allow(turn: Turn, run: AgentRun, gathered: Gathered, before: PromptRequest) -> bool:
    """Bound the answer to a run's next request; False: it may not be sent, and the run is over.

    Args:
        turn: with the request.
        run: of the turn.
        gathered: what it is made of.
        before: the request before it in this turn, if there was one.

    Raises:
        TooLarge: it is the turn's first request; the message names the limit.
    """
    info = gathered.model.info
    if not run.has_steps:
        return True
    record, answered = run.record(), turn.answers.tracker.answers
    if record is None:
        return True
    least = LEAST_REASONED if turn.context.question.effort else LEAST_ANSWER
    limits = [gathered.model.profile.answer_tokens, info.max_output_tokens if info else None]
    longest = min((limit for limit in limits if limit), default=0)
    prompt = turn.request.prompt
    size = sum(block.size_bytes for block in prompt.blocks)
    room = _weighed(prompt, gathered, (size, 0), turn).room(record.row)
    if min(room.values()) >= max(longest, least):
        return True
    known = _shared(before.prompt, prompt) if answered else _sent_before(prompt, gathered)
    scale = gathered.model.scale
    sizes = (await scale.total(prompt.blocks), await scale.total(known))
    room = _weighed(prompt, gathered, sizes, turn).room(record.row)
    limit = min(room, key=lambda name: room[name])
    if room[limit] >= least:
        bound = min(longest or room[limit], room[limit])
        turn.request = replace(turn.request, answer_tokens=int(bound))
        return True
    reason = run.refuse(limit)
    if not answered:
        raise TooLarge(reason)
    has_text = bool(turn.context.stream.text.strip())
    turn.answers.add(f"{GAP}{reason}" if has_text else reason)
    return False


def _weighed(prompt: Prompt, gathered: Gathered, sizes: tuple[int, int], turn: Turn) -> _Request:
    """Return what a request would use.

    Args:
        prompt: of the request.
        gathered: what it is made of.
        sizes: tokens of all its blocks, and of those that are likely to be cached.
        turn: that it is of.
    """
    total, cached = sizes
    images = len(turn.next.images if turn.next.blocks else gathered.images)
    tokens = total + MESSAGE_OVERHEAD * prompt.message_count + IMAGE_TOKENS * images
    info = gathered.model.info
    if info is None or info.input_cost is None:
        return _Request(tokens, None, None)
    usd = info.input_cost * (READ_SHARE * cached + _write_share(info) * (tokens - cached))
    return _Request(tokens, usd, info.output_cost)


def _write_share(info: ModelInfo) -> float:
    return WRITE_SHARE if info.takes_cache_marks else 1.0


def _sent_before(prompt: Prompt, gathered: Gathered) -> Sequence[Block]:
    """Return the beginning of a turn's first prompt that the provider's cache is likely to have."""
    log, model = gathered.log, gathered.model
    last = last_request(log.session, model.profile, gathered.tools)
    is_cached = last is not None and last.turn.model == model.name and not log.is_cold
    return last.shared(prompt) if last is not None and is_cached else ()


def _shared(before: Prompt, prompt: Prompt) -> Sequence[Block]:
    """Return the beginning of a prompt that the one before it had, too."""
    pairs = zip(prompt.lasting, before.lasting, strict=False)
    return [one for one, _ in takewhile(lambda pair: pair[0].sha256 == pair[1].sha256, pairs)]
