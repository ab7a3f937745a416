"""Rows with additional field names, for clients that read other names than ours."""

from jupyter_ac.answer_rows import RetryRow
from jupyter_ac.chat.shapes import HistoryStatus
from jupyter_ac.chat.turn.preview import HistoryRoom
from jupyter_ac.models.client import Retry


def retry_row(retry: Retry) -> RetryRow:
    """Serialize a retry under our names and those that other clients read."""
    return {
        "attempt": retry.attempt,
        "attempts": retry.attempts,
        "max_attempts": retry.attempts,
        "wait_s": retry.wait_s,
        "wait_seconds": retry.wait_s,
        "reason": retry.reason,
        "error_type": retry.error_type,
    }


def history_status(room: HistoryRoom) -> HistoryStatus:
    """Serialize the size of the conversation under our names and those of other clients."""
    tokens, limit = room.tokens, room.limit
    percent = min(999, 100 * tokens // limit) if limit else 0
    status: HistoryStatus = {
        "tokens": tokens,
        "max": limit,
        "percent": percent,
        "session_id": room.session_id,
        "message_count": room.messages,
        "history_tokens": tokens,
        "max_history_tokens": limit,
        "remaining": max(0, limit - tokens),
        "needs_compaction": room.is_compacted and tokens > limit,
        "compaction_enabled": room.is_compacted,
        "compaction_trigger": limit,
        "compaction_percent": percent,
        "enabled": room.is_compacted,
        "trigger_tokens": limit,
        "current_tokens": tokens,
        "is_compacting": room.is_compacting,
        "compactions": room.compactions,
    }
    if room.failure:
        status["failure"], status["retry_tokens"] = room.failure, room.retry_tokens
    return status
