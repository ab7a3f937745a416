"""Parses the token usage and the cost of a request from the providers' field names."""

from collections.abc import Iterable, Mapping, Sequence

import litellm

from jupyter_ac.workers.wire import Usage

_CHARACTERS_PER_TOKEN = 4


def read_usage(model: str, reported: object) -> Usage:
    """Parse a usage object from litellm.

    Args:
        model: for the price.
        reported: an object or a mapping with any of the usual field names.
    """
    details = _member(reported, "prompt_tokens_details")
    spent = _member(reported, "completion_tokens_details")
    return Usage(
        input_tokens=_first([(reported, "prompt_tokens"), (reported, "input_tokens")]),
        output_tokens=_first([(reported, "completion_tokens"), (reported, "output_tokens")]),
        cache_read_tokens=_first(
            [
                (reported, "cache_read_input_tokens"),
                (reported, "cache_read_tokens"),
                (details, "cached_tokens"),
            ]
        ),
        cache_write_tokens=_first(
            [
                (reported, "cache_creation_input_tokens"),
                (reported, "cache_creation_tokens"),
                (details, "cache_creation_tokens"),
            ]
        ),
        reasoning_tokens=_first([(spent, "reasoning_tokens")]),
        cost_usd=_cost(model, reported),
    )


def estimate_usage(prompt_characters: int, answer_characters: int) -> Usage:
    """Estimate the usage, for a provider that reports none."""
    return Usage(
        input_tokens=max(1, prompt_characters // _CHARACTERS_PER_TOKEN),
        output_tokens=max(1, answer_characters // _CHARACTERS_PER_TOKEN),
    )


def prompt_size(messages: Iterable[Mapping[str, object]]) -> int:
    """Count the characters of a prompt's texts."""
    contents = (message.get("content", "") for message in messages)
    return sum(
        sum(len(str(part.get("text", ""))) for part in content)
        if isinstance(content, list)
        else len(str(content))
        for content in contents
    )


def _cost(model: str, reported: object) -> float | None:
    try:
        prompt, answer = litellm.cost_per_token(model=model, usage_object=reported)
    except Exception:  # noqa: BLE001 - litellm raises plain exceptions for a model without a price
        return None
    return (prompt + answer) or None


def _first(places: Sequence[tuple[object, str]]) -> int:
    """Return the largest value: providers fill one of several fields and leave 0 in the others."""
    values = (_member(source, name) for source, name in places)
    return max((int(value) for value in values if isinstance(value, int | float)), default=0)


def _member(source: object, name: str) -> object:
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)
