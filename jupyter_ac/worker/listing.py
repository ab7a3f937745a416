"""The bundled list as a person would choose from it: models for talk, each once, by provider."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from jupyter_ac.worker.catalogue import DEFAULT_INPUT, bundled, price
from jupyter_ac.workers.wire import ListedModel

MOST: Final = 200
"""Models of one provider; some resell everybody's."""

_OTHER_USES: Final = re.compile(
    r"audio|tts|transcri|realtime|image|robotics|lyria|guard|moderation|computer-use|search-"
    r"|deep-research|embed|rerank|/container|ft:|\*",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"20\d\d-?\d\d-?\d\d|-\d{4}$|@")


def listed_models() -> list[ListedModel]:
    """Return the models, those under a lasting name before those of a certain day."""
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
