"""Reads model facts from litellm's bundled list without importing litellm, which takes seconds.

It finds models listed under their own name; for providers without special rules it also reports
that a name is not listed. `jupyter_ac.worker.info` handles all other cases with litellm itself.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from jupyter_ac.workers.wire import EMBEDDED_CONTEXT, EMBEDDED_NAME, ListedModel, ModelInfo

MOST: Final = 200
"""Models of one provider; some resell everybody's."""

_OTHER_USES: Final = re.compile(
    r"audio|tts|transcri|realtime|image|robotics|lyria|guard|moderation|computer-use|search-"
    r"|deep-research|embed|rerank|/container|ft:|\*",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"20\d\d-?\d\d-?\d\d|-\d{4}$|@")


def listed_models() -> list[ListedModel]:
    """Return the models; names without a date come before dated versions."""
    by_provider: dict[str, dict[str, ListedModel]] = {}
    for model in _talking():
        by_provider.setdefault(model["provider"], {}).setdefault(model["name"], model)
    return [
        model
        for provider in sorted(by_provider)
        for model in sorted(by_provider[provider].values(), key=_rank)[:MOST]
    ]


def _talking() -> Iterator[ListedModel]:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    for name, entry in bundled().items():
        retired = str(entry.get("deprecation_date") or "9999")
        if entry.get("mode") != "chat" or _OTHER_USES.search(name) or retired <= today:
            continue
        provider = _provider(str(entry.get("litellm_provider") or ""))
        if not provider:
            continue
        window = entry.get("max_input_tokens") or entry.get("max_tokens")
        yield {
            "name": name if name.startswith(f"{provider}/") else f"{provider}/{name}",
            "provider": provider,
            "max_input_tokens": int(window) if isinstance(window, int | float) else DEFAULT_INPUT,
            "input_cost": price(entry.get("input_cost_per_token")),
            "output_cost": price(entry.get("output_cost_per_token")),
        }


def _provider(word: str) -> str:
    """Return the word that goes in front of a name; the list divides some by kinds of models."""
    if word.startswith("vertex_ai"):
        return "vertex_ai"
    return "bedrock" if word == "bedrock_converse" else word


def _rank(model: ListedModel) -> tuple[bool, str]:
    return _DATED.search(model["name"]) is not None, model["name"]


DEFAULT_INPUT: Final = 128_000
"""Context window assumed for a model that isn't listed."""

DEFAULT_OUTPUT: Final = 4_096
"""Answer asked for from a model that isn't listed."""

EMBEDDED_OUTPUT: Final = 1_024

MARK_FAMILIES: Final = (
    "anthropic",
    "azure_ai",
    "bedrock",
    "databricks",
    "openrouter",
    "vertex_ai",
)
"""Providers through which Claude is served with marks passed on."""

_CACHE_MINIMUM: Final = 1_024
_LIST: Final = "model_prices_and_context_window_backup.json"
_PLAIN_PROVIDERS: Final = frozenset({"openai", "anthropic"})
"""Providers whose unlisted names are unknown also to litellm, except for fine-tuned models."""


def find(model: str) -> ModelInfo | None:
    """Return the facts of a model from the list; None when only litellm can find them."""
    prefix, _, name = model.rpartition("/")
    if name == EMBEDDED_NAME and prefix in _PLAIN_PROVIDERS:
        return blank(prefix, EMBEDDED_CONTEXT, EMBEDDED_OUTPUT, known=True)
    models = bundled()
    for key in (model, name):
        entry = models.get(key)
        if entry is not None and entry.get("litellm_provider") == (prefix or None):
            return info_of(model, prefix, entry, entry)
    is_new = name and name not in models and model not in models and ":" not in name
    if prefix in _PLAIN_PROVIDERS and is_new:
        return blank(prefix, DEFAULT_INPUT, DEFAULT_OUTPUT, known=False)
    return None


def info_of(
    model: str, provider: str, found: Mapping[str, object], listed: Mapping[str, object]
) -> ModelInfo:
    """Build the facts of a listed model.

    Args:
        model: its name as it was asked for.
        provider: litellm's name of the provider.
        found: its limits and prices.
        listed: its entry in the list.
    """
    largest = _integer(found.get("max_tokens"), DEFAULT_OUTPUT)
    known = blank(
        provider,
        _integer(found.get("max_input_tokens"), max(largest, DEFAULT_INPUT)),
        _integer(found.get("max_output_tokens"), largest),
        known=True,
    )
    is_marked = may_be_marked(model, provider) and found.get("supports_prompt_caching") is True
    return replace(
        known,
        input_cost=price(found.get("input_cost_per_token")),
        output_cost=price(found.get("output_cost_per_token")),
        takes_images=True in {found.get("supports_vision"), listed.get("supports_vision")},
        takes_effort=True in {found.get("supports_reasoning"), listed.get("supports_reasoning")},
        takes_tools=True
        in {found.get("supports_function_calling"), listed.get("supports_function_calling")},
        takes_cache_marks=is_marked,
        cache_minimum_tokens=_integer(listed.get("prompt_cache_min_tokens"), _CACHE_MINIMUM),
    )


def may_be_marked(model: str, provider: str) -> bool:
    """Return whether this provider could pass cache marks on to the model."""
    return "claude" in model.lower() and provider.startswith(MARK_FAMILIES)


def blank(provider: str, max_input: int, max_output: int, *, known: bool) -> ModelInfo:
    """Return the facts of a model of which only the limits are known."""
    return ModelInfo(
        max_input_tokens=max_input,
        max_output_tokens=max_output,
        input_cost=None,
        output_cost=None,
        takes_cache_marks=False,
        known=known,
        provider=provider,
        cache_minimum_tokens=_CACHE_MINIMUM,
        takes_images=not known,
        takes_effort=not known,
    )


@cache
def bundled() -> Mapping[str, Mapping[str, object]]:
    """Return the whole list, by name."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    text = (Path(spec.origin).parent / _LIST).read_text(encoding="utf-8")
    models: dict[str, dict[str, object]] = json.loads(text)
    return models


def _integer(value: object, default: int) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else default


def price(value: object) -> float | None:
    """Return a price per token; 0 in the list means that the price is unknown."""
    return float(value) if isinstance(value, int | float) and value > 0 else None
