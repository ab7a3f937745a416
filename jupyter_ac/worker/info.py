"""What litellm's bundled list says of a model, with defaults where it is silent."""

from typing import Final

import litellm
from litellm.exceptions import ModelNotMappedError
from litellm.utils import supports_prompt_caching

from jupyter_ac.workers.wire import EMBEDDED_CONTEXT, EMBEDDED_NAME, InfoWire

DEFAULT_INPUT: Final = 128_000
"""Context window assumed for a model that isn't listed."""

DEFAULT_OUTPUT: Final = 4_096
"""Answer asked for from a model that isn't listed."""

LONGEST_ANSWER: Final = 32_768
"""Asked for at most: some providers reserve it, and count it against the limits of a minute."""

_EMBEDDED_OUTPUT: Final = 1_024

_CACHE_MINIMUM: Final = 1_024

_MARK_FAMILIES: Final = (
    "anthropic",
    "azure_ai",
    "bedrock",
    "databricks",
    "openrouter",
    "vertex_ai",
)
"""Providers through which Claude is served with marks passed on."""


def provider_of(model: str) -> str:
    """Give litellm's word for the provider, or "" when the name has none."""
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return ""


def describe(model: str) -> InfoWire:
    """Say what is known of a model."""
    provider = provider_of(model)
    if model.rpartition("/")[2] == EMBEDDED_NAME:
        return _info(provider, EMBEDDED_CONTEXT, _EMBEDDED_OUTPUT, known=True)
    found = _listed(model)
    if found is None:
        return _info(provider, DEFAULT_INPUT, DEFAULT_OUTPUT, known=False)
    largest = _integer(found.get("max_tokens"), DEFAULT_OUTPUT)
    info = _info(
        provider,
        _integer(found.get("max_input_tokens"), max(largest, DEFAULT_INPUT)),
        _integer(found.get("max_output_tokens"), largest),
        known=True,
    )
    info["input_cost"] = _price(found.get("input_cost_per_token"))
    info["output_cost"] = _price(found.get("output_cost_per_token"))
    info["takes_cache_marks"] = takes_marks(model, provider)
    listed = litellm.model_cost.get(str(found.get("key")), {})
    info["cache_minimum_tokens"] = _integer(listed.get("prompt_cache_min_tokens"), _CACHE_MINIMUM)
    return info


def answer_limit(info: InfoWire) -> int:
    """Give the longest answer worth asking for when the caller doesn't say."""
    quarter = max(DEFAULT_OUTPUT // 4, info["max_input_tokens"] // 4)
    return min(info["max_output_tokens"], LONGEST_ANSWER, quarter)


def takes_marks(model: str, provider: str) -> bool:
    """Tell whether this provider takes marks for this model."""
    if "claude" not in model.lower() or not provider.startswith(_MARK_FAMILIES):
        return False
    return bool(supports_prompt_caching(model))


def _listed(model: str) -> dict[str, object] | None:
    try:
        return dict(litellm.get_model_info(model))
    except (ModelNotMappedError, litellm.BadRequestError):
        return None


def _info(provider: str, max_input: int, max_output: int, *, known: bool) -> InfoWire:
    return {
        "max_input_tokens": max_input,
        "max_output_tokens": max_output,
        "input_cost": None,
        "output_cost": None,
        "takes_cache_marks": False,
        "known": known,
        "provider": provider,
        "cache_minimum_tokens": _CACHE_MINIMUM,
    }


def _integer(value: object, default: int) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else default


def _price(value: object) -> float | None:
    """Give a price per token; the list says 0 where it has none."""
    return float(value) if isinstance(value, int | float) and value > 0 else None
