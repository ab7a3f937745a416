"""Tokens and money: of one answer, and of a session."""

from collections.abc import Iterable

from jupyter_ac.chat.records import TurnRecord, message_usage
from jupyter_ac.chat.shapes import SessionTotals
from jupyter_ac.events import TokenUsage
from jupyter_ac.models.client import Usage


def token_usage(usage: Usage | None) -> TokenUsage:
    """Write an answer's usage under our names and those that other clients read."""
    used = usage or Usage()
    return {
        **message_usage(used),
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "prompt_cached_tokens": used.cache_read_tokens,
    }


def session_totals(turns: Iterable[TurnRecord]) -> SessionTotals:
    """Add up what a session has used; the cost is None while no answer had a price."""
    used = [turn.usage for turn in turns if turn.usage is not None]
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
