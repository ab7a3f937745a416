"""The next request as it would be sent, weighed: a turn's own stages on one that never runs."""

from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.log import talk
from jupyter_ac.chat.prompt.report import Weighed, report
from jupyter_ac.chat.shapes import ContextBreakdown, HistoryStatus
from jupyter_ac.chat.stages import assemble, encoding_of, find_model, gather, scale_of
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.usage import provider_cache_rate, session_totals

HISTORY_SHARE: Final = 16
"""Talk may take this part of the window before it should be compacted."""


async def context_breakdown(
    conversation: Conversation, ports: TurnPorts, question: str = ""
) -> ContextBreakdown:
    """Say what the next request would hold and cost.

    Args:
        conversation: its log and selection.
        ports: what the stages work with.
        question: counted as the question when it isn't empty.
    """
    turn = Turn.of(conversation, "preview", question)
    await gather(turn, ports)
    await assemble(turn, ports)
    weighed = await _weigh(turn, ports)
    return {
        "model": turn.choice.model if turn.choice is not None else "",
        "mode": "code",
        "cross_ref_enabled": False,
        "max_input_tokens": turn.info.max_input_tokens if turn.info is not None else 0,
        **report(weighed),
        "notices": turn.notices,
        "provider_cache_rate": provider_cache_rate(conversation.session.turns),
        "cache_hit_rate": 0,
        "session_totals": session_totals(conversation.session.turns),
        "promotions": [],
        "demotions": [],
    }


async def history_status(conversation: Conversation, ports: TurnPorts) -> HistoryStatus:
    """Say how much of its room the talk takes; copies of files don't count."""
    turn = Turn.of(conversation, "preview", "")
    await find_model(turn, ports)
    tokens = await scale_of(turn, ports).total(talk(conversation.session.exchanges))
    window = turn.info.max_input_tokens if turn.info is not None else 0
    most = min(window // HISTORY_SHARE, turn.profile.talk_tokens)
    percent = min(999, 100 * tokens // most) if most else 0
    return {
        "tokens": tokens,
        "max": most,
        "percent": percent,
        "session_id": conversation.session.session_id,
        "message_count": len(conversation.session.messages()),
        "history_tokens": tokens,
        "max_history_tokens": most,
        "remaining": max(0, most - tokens),
        "needs_compaction": False,
        "compaction_enabled": False,
        "compaction_trigger": most,
        "compaction_percent": percent,
        "enabled": False,
        "trigger_tokens": most,
        "current_tokens": tokens,
    }


async def _weigh(turn: Turn, ports: TurnPorts) -> Weighed:
    blocks = turn.prompt.blocks
    counts = await scale_of(turn, ports).each(blocks)
    return Weighed(
        prompt=turn.prompt,
        tokens={block.sha256: count for block, count in zip(blocks, counts, strict=True)},
        encoding=encoding_of(turn),
        input_cost=turn.info.input_cost if turn.info is not None else None,
        warnings={file.path: file.warnings for file in turn.reading.files if file.warnings},
    )
