"""What the model's side says of an answer: tokens, money, repetitions, and why it ended."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from jupyter_ac.answer_rows import RetryRow
from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.records import TurnRecord, message_usage
from jupyter_ac.chat.shapes import SessionTotals
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Retry, Usage
from jupyter_ac.usage_rows import TokenUsage
from jupyter_ac.workers.wire import MAX_ANSWER_CHARS, TOO_LONG

_CUT: Final[Mapping[str, str]] = {
    "length": "The answer was cut at the model's output limit.",
    TOO_LONG: f"The answer was stopped: it has more than {MAX_ANSWER_CHARS:,} characters.",
    "content_filter": "The answer was cut: the provider's content filter stopped it.",
    "": "The answer was cut: it ended before the provider said that it is complete. Ask again.",
}
"""Finish reason → what to tell the user; "" is none at all."""

_CHARS_PER_TOKEN: Final = 4

EMPTY: Final = "The model ended its answer without a word. Ask again, or choose another model."


def cut_notice(finish_reason: str | None, text: str = "…") -> str:
    """Say that an answer is not whole, or empty; "" when nothing speaks for it."""
    return _CUT.get(finish_reason or "", "" if text.strip() else EMPTY)


def retry_row(retry: Retry) -> RetryRow:
    """Write a repetition under our names and those that other clients read."""
    return {
        "attempt": retry.attempt,
        "attempts": retry.attempts,
        "max_attempts": retry.attempts,
        "wait_s": retry.wait_s,
        "wait_seconds": retry.wait_s,
        "reason": retry.reason,
        "error_type": retry.error_type,
    }


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


def token_usage(usage: Usage | None) -> TokenUsage:
    """Write an answer's usage under our names and those that other clients read."""
    used = usage or Usage()
    return {
        **message_usage(used),
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "prompt_cached_tokens": used.cache_read_tokens,
    }


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
