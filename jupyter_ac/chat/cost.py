"""What the next request is likely to cost, before it is sent.

The part that went out last time as well is taken to be served by the provider's cache, the rest to
be written to it. Providers differ; these are the shares of the plain price that most of those with
marks ask.
"""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.last_request import LastRequest
from jupyter_ac.chat.prompt.assemble import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.models.client import ModelInfo

READ_SHARE: Final = 0.1
WRITE_SHARE: Final = 1.25

_SMALL_USD: Final = 0.1


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What is expected of a request's input.

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
