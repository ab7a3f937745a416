"""Prices a turn: the next request before it is sent, and what its answers used.

Answers are priced by what the provider reports (`worker/usage.py`); here they are added up, and an
answer that was interrupted before its usage was known is estimated.

Of the next request, the part that was sent last time as well is taken to be read from the
provider's cache, the rest to be written to it. Providers differ; these are the shares of the plain
price that most of those with cache marks ask.
"""

from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.last_request import LastRequest
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Usage

_CHARS_PER_TOKEN: Final = 4
READ_SHARE: Final = 0.1
WRITE_SHARE: Final = 1.25

_SMALL_USD: Final = 0.1


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The estimated cost of a request's input.

    Attributes:
        cached_tokens: likely to be served by the provider's cache.
        uncached_tokens: all others.
        usd: what they cost; None when the price isn't known.
    """

    cached_tokens: int
    uncached_tokens: int
    usd: float | None

    @property
    def cached_share(self) -> float:
        """The part that the cache is likely to serve."""
        return self.cached_tokens / max(1, self.cached_tokens + self.uncached_tokens)

    def warning(self, limit_usd: float) -> str:
        """Say that this is dear; "" when it isn't, or 0 says that nobody wants to know."""
        if self.usd is None or limit_usd <= 0 or self.usd <= limit_usd:
            return ""
        total = self.cached_tokens + self.uncached_tokens
        return (
            f"This request is likely to cost about {_dollars(self.usd)} "
            f"({total:,} tokens, {self.cached_tokens:,} of them cached), "
            f"more than {_dollars(limit_usd)} (prompt.warn_usd in app.json)."
        )


def _dollars(amount: float) -> str:
    """Write an amount with two digits that mean something, however small it is."""
    return f"${amount:.2f}" if amount >= _SMALL_USD else f"${amount:.2g}"


async def expect(
    prompt: Prompt, last: LastRequest | None, model: str, info: ModelInfo | None, scale: Scale
) -> CostEstimate:
    """Weigh a prompt against the one that went out last.

    Args:
        prompt: what would go out.
        last: what went out.
        model: who would answer; another one has a cache of its own.
        info: what is known of it.
        scale: weighs for it.
    """
    total = await scale.total(prompt.blocks) + MESSAGE_OVERHEAD * prompt.message_count
    cached = 0
    if last is not None and last.turn.model == model:
        cached = await scale.total(last.shared(prompt))
    if info is None or cached < info.cache_minimum_tokens:
        cached = 0
    fresh = total - cached
    if info is None or info.input_cost is None:
        return CostEstimate(cached, fresh, None)
    share = WRITE_SHARE if info.takes_cache_marks else 1.0
    return CostEstimate(cached, fresh, info.input_cost * (READ_SHARE * cached + share * fresh))


def may_be_dear(prompt: Prompt, info: ModelInfo | None, limit_usd: float) -> bool:
    """Tell whether a prompt is long enough to need weighing: a token is at least one byte."""
    if limit_usd <= 0 or info is None or info.input_cost is None:
        return False
    size = sum(block.size_bytes for block in prompt.blocks)
    return WRITE_SHARE * info.input_cost * size > limit_usd


def joined(first: CompletedAnswer, second: CompletedAnswer) -> CompletedAnswer:
    """Take two answers of one turn for one: what they used is added up."""
    one, two = first.usage, second.usage
    costs = [cost for cost in (one.cost_usd, two.cost_usd) if cost is not None]
    usage = Usage(
        estimated=one.estimated or two.estimated,
        input_tokens=one.input_tokens + two.input_tokens,
        output_tokens=one.output_tokens + two.output_tokens,
        cache_read_tokens=one.cache_read_tokens + two.cache_read_tokens,
        cache_write_tokens=one.cache_write_tokens + two.cache_write_tokens,
        cost_usd=sum(costs) if costs else None,
        reasoning_tokens=one.reasoning_tokens + two.reasoning_tokens,
    )
    return replace(second, text=first.text + second.text, usage=usage)


def guessed(prompt: Prompt, answer: str, info: ModelInfo | None) -> Usage | None:
    """Guess what an answer used that was broken off before the provider could count it.

    Args:
        prompt: what went out.
        answer: what came, reasoning included; None is returned when that is nothing.
        info: has the prices, when the model is known.
    """
    if not answer:
        return None
    read = max(1, sum(len(block.text) for block in prompt.blocks) // _CHARS_PER_TOKEN)
    written = max(1, len(answer) // _CHARS_PER_TOKEN)
    cost = None
    if info is not None and info.input_cost is not None and info.output_cost is not None:
        cost = read * info.input_cost + written * info.output_cost
    return Usage(read, written, cost_usd=cost, estimated=True)
