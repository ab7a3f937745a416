"""Reports the part of the last request that the provider's cache served, and what has moved since.

The provider reports only how much its cache has served, never which part. A cache serves the
beginning of a request, so the part follows from the order of the blocks.
"""

from dataclasses import dataclass, field

from jupyter_ac.chat.last_request import LastRequest, ages_before
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.prompt.tiers import RequestAges, demotions, placed, promotions, read_blocks
from jupyter_ac.chat.shapes import LastRequestTokens
from jupyter_ac.chat.turn.turn import Gathered
from jupyter_ac.models.client import Usage


@dataclass(frozen=True, slots=True)
class CacheReport:
    """The last request beside the next one.

    Attributes:
        ages: requests sent before the next one.
        read_blocks: how many blocks at the beginning of the next request were read last time.
        last: what went out last, as the provider counted it; None before that.
        promotions: what has grown into an older tier.
        demotions: what is sent again, and what isn't sent any more.
    """

    ages: RequestAges
    read_blocks: int = 0
    last: LastRequestTokens | None = None
    promotions: list[str] = field(default_factory=list)
    demotions: list[str] = field(default_factory=list)


async def cache_report(gathered: Gathered, prompt: Prompt, last: LastRequest | None) -> CacheReport:
    """Compare the request that is about to go out with the last one.

    Args:
        gathered: the model, and the session's log.
        prompt: of the next request.
        last: what went out last; None when that isn't known as a whole.
    """
    ages = ages_before(gathered.log.session)
    if last is None or last.turn.usage is None:
        return CacheReport(ages)
    scale, counted = gathered.model.scale, 0
    for one in last.prompts:
        counted += await scale.total(one.blocks) + MESSAGE_OVERHEAD * one.message_count
    before = placed(last.prompts[-1], last.ages)
    after = placed(prompt, ages)
    served = 0
    if gathered.model.choice is not None and gathered.model.name == last.turn.model:
        sizes = await scale.each([one.block for one in before])
        served = read_blocks(before, sizes, _read_of_last(last, counted))
    return CacheReport(
        ages=ages,
        read_blocks=min(served, len(last.shared(prompt))),
        last=_tokens(last.turn.usage, counted),
        promotions=promotions(after),
        demotions=demotions(before, after),
    )


def _read_of_last(last: LastRequest, counted: int) -> float:
    """Give the tokens that the last request read, in our measure.

    The provider's figures are of all requests of the turn together; each is taken for equal.
    """
    usage = last.turn.usage
    if usage is None or not usage.input_tokens:
        return 0
    share = usage.cache_read_tokens / usage.input_tokens
    return share * counted / len(last.prompts)


def _tokens(usage: Usage, counted: int) -> LastRequestTokens:
    read, sent = usage.cache_read_tokens, usage.input_tokens
    return {
        "input_tokens": sent,
        "cache_read_tokens": read,
        "cache_write_tokens": usage.cache_write_tokens,
        "counted": counted,
        "cache": ("hit" if read else "miss") if sent else None,
        "cached_share": read / sent if sent else 0.0,
    }
