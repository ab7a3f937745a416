"""The next request as it would be sent, weighed: a turn's own stages on one that never runs."""

from pathlib import Path

from jupyter_ac.chat.assembling import assemble
from jupyter_ac.chat.cache_report import CachePicture, cache_picture
from jupyter_ac.chat.compaction.summarizing import look
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.cost import CostEstimate, expect
from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.last_request import LastRequest, last_request
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Category
from jupyter_ac.chat.prompt.log import MAPS
from jupyter_ac.chat.prompt.report import Weighed, report
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.shapes import (
    ContextBreakdown,
    HistoryStatus,
    SessionTotals,
)
from jupyter_ac.chat.stages import encoding_of, find_model, gather, scale_of
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.usage import provider_cache_rate, session_totals


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
    turn = Turn.of(conversation, "preview", question)
    turn.pictures = (Path(),) * images
    await gather(turn, ports)
    await assemble(turn, ports)
    session = conversation.session
    # Each mode has a head of its own: what of it was sent is likely to be cached still, though the
    # last request may have had another.
    expected = await _expected(turn, ports, last_request(session, turn.profile))
    last = last_request(session, session.log.sent_profile or turn.profile)
    picture = await cache_picture(turn, ports, last)
    weighed = await _weigh(turn, ports, picture)
    return {
        "model": turn.choice.model if turn.choice is not None else "",
        "mode": conversation.focus.mode,
        "cross_ref_enabled": conversation.focus.cross_ref,
        "max_input_tokens": turn.info.max_input_tokens if turn.info is not None else 0,
        **report(weighed),
        "image_tokens": IMAGE_TOKENS * images,
        "notices": turn.notices,
        "shed_files": list(turn.left_out),
        "warning": expected.warning(ports.log.settings().prompt.warn_usd),
        "cached_tokens": expected.cached_tokens,
        "uncached_tokens": expected.uncached_tokens,
        "expected_cost_usd": expected.usd,
        "last_request": picture.last,
        "provider_cache_rate": provider_cache_rate(conversation.session.turns),
        "cache_hit_rate": expected.cached_share,
        "session_totals": _totals(conversation.session),
        "promotions": picture.promotions,
        "demotions": picture.demotions,
    }


def _totals(session: Session) -> SessionTotals:
    compactions = (removal.usage for removal in session.log.removals)
    return session_totals(session.turns, (*compactions, *session.side))


async def sent_map(conversation: Conversation, ports: TurnPorts, question: str = "") -> str:
    """Return what the next request would say of the repository's structure; "" for nothing."""
    turn = Turn.of(conversation, "preview", question)
    await gather(turn, ports)
    await assemble(turn, ports)
    kinds = {*MAPS, Category.RANKED}
    return "\n".join(block.text for block in turn.prompt.blocks if block.category in kinds)


async def history_status(conversation: Conversation, ports: TurnPorts) -> HistoryStatus:
    """Say how much of its room the talk takes; copies of files don't count."""
    session = conversation.session
    turn = Turn.of(conversation, "preview", "")
    await find_model(turn, ports)
    talk = await look(session, ports, to_least=False)
    tokens, most = talk.tokens, min(talk.limits.trigger, turn.profile.talk_tokens)
    is_on = ports.log.settings().history_compaction.enabled and turn.profile.is_full
    percent = min(999, 100 * tokens // most) if most else 0
    return {
        "tokens": tokens,
        "max": most,
        "percent": percent,
        "session_id": session.session_id,
        "message_count": session.message_count,
        "history_tokens": tokens,
        "max_history_tokens": most,
        "remaining": max(0, most - tokens),
        "needs_compaction": is_on and tokens > most,
        "compaction_enabled": is_on,
        "compaction_trigger": most,
        "compaction_percent": percent,
        "enabled": is_on,
        "trigger_tokens": most,
        "current_tokens": tokens,
        "is_compacting": session.compaction.is_running,
        "compactions": sum(removal.is_compaction for removal in session.log.removals),
    }


async def _expected(turn: Turn, ports: TurnPorts, last: LastRequest | None) -> CostEstimate:
    model = turn.choice.model if turn.choice is not None else ""
    return await expect(turn.prompt, last, model, turn.info, scale_of(turn, ports))


async def _weigh(turn: Turn, ports: TurnPorts, picture: CachePicture) -> Weighed:
    blocks = turn.prompt.blocks
    counts = await scale_of(turn, ports).each(blocks)
    return Weighed(
        prompt=turn.prompt,
        tokens={block.sha256: count for block, count in zip(blocks, counts, strict=True)},
        encoding=encoding_of(turn),
        input_cost=turn.info.input_cost if turn.info is not None else None,
        warnings={file.path: file.warnings for file in turn.reading.files if file.warnings},
        selected=frozenset(turn.conversation.selection),
        ages=picture.ages,
        read_blocks=picture.read_blocks,
    )
