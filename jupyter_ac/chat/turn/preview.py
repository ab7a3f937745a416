"""Previews the next request without sending it, and reports what the provider's cache would serve.

The provider reports only how much its cache has served, never which part. A cache serves the
beginning of a request, so the part follows from the order of the blocks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jupyter_ac.chat.compaction.due import CompactionLimits, look
from jupyter_ac.chat.compaction.marking import marked_totals
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.last_request import LastRequest, ages_before, last_request
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.context_fitting import input_limit
from jupyter_ac.chat.prompt.counts import encoding_of
from jupyter_ac.chat.prompt.log import MAPS
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.prompt.report import Weighed, report
from jupyter_ac.chat.prompt.request_changes import SizedBlocks, request_changes
from jupyter_ac.chat.prompt.tiers import RequestAges, demotions, placed, promotions, read_blocks
from jupyter_ac.chat.recorded.player import RecordedAnswer
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.shapes import ContextBreakdown, SessionTotals
from jupyter_ac.chat.turn.assemble import assemble
from jupyter_ac.chat.turn.gather import find_model, gather
from jupyter_ac.chat.turn.turn import Findings, Gathered, NextRequest, Question, TurnContext
from jupyter_ac.chat.turn.turn_price import CostEstimate, expect
from jupyter_ac.context_rows import LastRequestTokens, RequestChanges
from jupyter_ac.models.choice import RECORDED
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
        demotions=demotions(before[: len(last.prompts[-1].lasting)], after),
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


async def context_breakdown(
    conversation: Conversation, ports: TurnPorts, question: str = "", images: int = 0
) -> ContextBreakdown:
    """Say what the next request would hold and cost.

    Args:
        conversation: its log and selection.
        ports: what the stages work with.
        question: counted as the question when it isn't empty.
        images: how many come with it.
    """
    items = conversation.context_items
    recorded = _as_recorded(conversation.session, ports) if not question else None
    asked = Question("preview", question, items=items, recorded=recorded)
    context = TurnContext.of(conversation, asked)
    gathered = await gather(context, ports, images)
    request = await assemble(context, gathered, NextRequest())
    session, model, prompt = conversation.session, gathered.model, request.prompt
    # Each mode has a head of its own: what of it was sent is likely to be cached still, though the
    # last request may have had another.
    newest = last_request(session, model.profile, gathered.tools)
    expected = await _expected(gathered, prompt, newest)
    last = last_request(session, session.log.sent_profile or model.profile, gathered.tools)
    cached = await cache_report(gathered, prompt, last)
    weighed = await _weigh(conversation, gathered, prompt, cached)
    plain = _recorded(session, asked)
    return {
        "model": model.name,
        "mode": conversation.focus.mode,
        "cross_ref_enabled": conversation.focus.cross_ref,
        "max_input_tokens": model.info.max_input_tokens if model.info is not None else 0,
        **report(weighed),
        "image_tokens": IMAGE_TOKENS * len(gathered.images),
        "notices": [*context.notices, *plain],
        "plain_notices": plain,
        "marked": await marked_totals(conversation, ports),
        "shed_files": list(request.left_out),
        "warning": expected.warning(gathered.settings.prompt.warn_usd),
        "cached_tokens": expected.cached_tokens,
        "uncached_tokens": expected.uncached_tokens,
        "expected_cost_usd": expected.usd,
        "last_request": cached.last,
        "provider_cache_rate": provider_cache_rate(conversation.session.turns),
        "cache_hit_rate": expected.cached_share,
        "session_totals": _totals(conversation.session),
        "promotions": cached.promotions,
        "demotions": cached.demotions,
        "changes": await _changes(gathered, prompt, last),
    }


def _as_recorded(session: Session, ports: TurnPorts) -> RecordedAnswer | None:
    """Return what answers next in a recorded conversation, unless there is a real model.

    The demo model's own requests are so short that they show little.
    """
    choice = ports.models.choice()
    ended = [turn.model for turn in session.turns if turn.state is not TurnState.RUNNING]
    is_recorded = bool(ended) and set(ended) == {RECORDED}
    has_model = choice is not None and not choice.demo
    return RecordedAnswer("", 1) if is_recorded and not has_model else None


def _recorded(session: Session, asked: Question) -> list[str]:
    """Say that answers of a session are recorded: nobody is to take them for a model's."""
    count = sum(turn.model == RECORDED for turn in session.turns)
    if not count:
        return []
    recorded = "One answer here is recorded" if count == 1 else f"{count} answers here are recorded"
    origin = "written by the authors of jupyter_ac, not by a model; nothing was sent or paid."
    shown = " Shown is what a model of ordinary size would be sent."
    return [f"{recorded}: {origin}{shown if asked.recorded is not None else ''}"]


async def _changes(
    gathered: Gathered, prompt: Prompt, last: LastRequest | None
) -> RequestChanges | None:
    if last is None:
        return None
    old, scale = last.prompts[-1], gathered.model.scale

    async def sized(blocks: Sequence[Block]) -> SizedBlocks:
        return SizedBlocks(blocks, await scale.each(blocks))

    return request_changes(
        await sized(old.blocks),
        await sized(prompt.blocks),
        await sized(old.lasting),
        len(last.shared(prompt)),
        next((block for block in prompt.ask if block.category is Category.QUESTION), None),
    )


def _totals(session: Session) -> SessionTotals:
    compactions = (removal.usage for removal in session.log.removals)
    return session_totals(session.turns, (*compactions, *session.side))


async def sent_map(conversation: Conversation, ports: TurnPorts, question: str = "") -> str:
    """Return what the next request would say of the repository's structure; "" for nothing."""
    context = TurnContext.of(conversation, Question("preview", question))
    request = await assemble(context, await gather(context, ports), NextRequest())
    kinds = {*MAPS, Category.RANKED}
    return "\n".join(block.text for block in request.prompt.blocks if block.category in kinds)


@dataclass(frozen=True, slots=True)
class HistoryRoom:
    """How much of its room the talk takes; copies of files don't count.

    Attributes:
        session_id: of the conversation.
        tokens: of the talk that is sent.
        limit: the room for it, beyond which it is compacted after the next answer.
        messages: all, those that are no longer sent included.
        is_compacted: compaction is switched on and the model's talk is compacted.
        is_compacting: it is being compacted now.
        compactions: how often it was.
        failure: why the last attempt failed; "" if it didn't.
        retry_tokens: beyond which it is tried again after a failure; 0 without one.
    """

    session_id: str
    tokens: int
    limit: int
    messages: int
    is_compacted: bool
    is_compacting: bool
    compactions: int
    failure: str = ""
    retry_tokens: int = 0


async def history_room(conversation: Conversation, ports: TurnPorts) -> HistoryRoom:
    """Say how much of its room the talk takes."""
    session = conversation.session
    recorded = _as_recorded(session, ports)
    source = recorded or ports.models
    profile = (await find_model(conversation, Findings(), ports, source)).profile
    talk = await look(session, ports, to_least=False)
    settings, trigger = ports.log.settings().history_compaction, talk.limits.trigger
    if recorded is not None:
        info = await recorded.info(recorded.choice())
        trigger = CompactionLimits.of(settings, input_limit(info)).trigger
    return HistoryRoom(
        session_id=session.session_id,
        tokens=talk.tokens,
        limit=min(trigger, profile.talk_tokens),
        messages=session.message_count,
        is_compacted=settings.enabled and profile.is_full and recorded is None,
        is_compacting=session.compaction.is_running,
        failure=session.compaction.failure,
        retry_tokens=session.compaction.failed_tokens,
        compactions=sum(removal.is_compaction for removal in session.log.removals),
    )


async def _expected(gathered: Gathered, prompt: Prompt, last: LastRequest | None) -> CostEstimate:
    model = gathered.model
    return await expect(prompt, last, model.name, model.info, model.scale)


async def _weigh(
    conversation: Conversation, gathered: Gathered, prompt: Prompt, cached: CacheReport
) -> Weighed:
    blocks, model = prompt.blocks, gathered.model
    counts = await model.scale.each(blocks)
    return Weighed(
        prompt=prompt,
        tokens={block.sha256: count for block, count in zip(blocks, counts, strict=True)},
        encoding=encoding_of(model.choice),
        input_cost=model.info.input_cost if model.info is not None else None,
        warnings={file.path: file.warnings for file in gathered.reading.files if file.warnings},
        selected=frozenset(conversation.selection),
        pages={page.url: page.content.title for page in conversation.pages if page.is_sent},
        review=frozenset(part.path for part in (*gathered.review.parts, *gathered.review.diffs)),
        ages=cached.ages,
        read_blocks=cached.read_blocks,
    )


def session_totals(turns: Iterable[TurnRecord], side: Iterable[Usage | None] = ()) -> SessionTotals:
    """Add up what a session has used; the cost is None while no answer had a price.

    Args:
        turns: of the session.
        side: of compactions and other side tasks.
    """
    used = [usage for usage in (*(turn.usage for turn in turns), *side) if usage is not None]
    priced = [usage.cost_usd for usage in used if usage.cost_usd is not None]
    prompt = sum(usage.input_tokens for usage in used)
    completion = sum(usage.output_tokens for usage in used)
    cache_read = sum(usage.cache_read_tokens for usage in used)
    return {
        "prompt": prompt,
        "completion": completion,
        "total": prompt + completion,
        "cache_hit": cache_read,
        "cache_write": sum(usage.cache_write_tokens for usage in used),
        "prompt_cached": cache_read,
        "reasoning": sum(usage.reasoning_tokens for usage in used),
        "cost_usd": sum(priced) if priced else None,
        "priced_request_count": len(priced),
        "unpriced_request_count": len(used) - len(priced),
    }


def provider_cache_rate(turns: Iterable[TurnRecord]) -> float | None:
    """Say which part of a session's input the provider's cache served; None before any input."""
    used = [turn.usage for turn in turns if turn.usage is not None]
    sent = sum(usage.input_tokens for usage in used)
    return sum(usage.cache_read_tokens for usage in used) / sent if sent else None
