"""Model facts from litellm's bundled list, with defaults for missing values."""

from dataclasses import replace
from typing import Final

import litellm
from litellm.exceptions import ModelNotMappedError
from litellm.utils import supports_prompt_caching

from jupyter_ac.worker.catalogue import (
    DEFAULT_INPUT,
    DEFAULT_OUTPUT,
    EMBEDDED_OUTPUT,
    blank,
    info_of,
    may_be_marked,
)
from jupyter_ac.workers.wire import EMBEDDED_CONTEXT, EMBEDDED_NAME, ModelInfo

LONGEST_ANSWER: Final = 32_768
"""Maximum to request: some providers reserve it, and count it against rate limits."""


def litellm_provider(model: str) -> str:
    """Return litellm's name of the provider, or "" when the model name has none."""
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return ""


def describe(model: str) -> ModelInfo:
    """Return the facts of a model."""
    provider = litellm_provider(model)
    if model.rpartition("/")[2] == EMBEDDED_NAME:
        return blank(provider, EMBEDDED_CONTEXT, EMBEDDED_OUTPUT, known=True)
    found = _listed(model)
    if found is None:
        return blank(provider, DEFAULT_INPUT, DEFAULT_OUTPUT, known=False)
    info = info_of(model, provider, found, litellm.model_cost.get(str(found.get("key")), {}))
    return replace(info, takes_cache_marks=takes_marks(model, provider))


def answer_limit(info: ModelInfo) -> int:
    """Return the default for the maximum length of an answer."""
    quarter = max(DEFAULT_OUTPUT // 4, info.max_input_tokens // 4)
    return min(info.max_output_tokens, LONGEST_ANSWER, quarter)


def takes_marks(model: str, provider: str) -> bool:
    """Return whether this provider accepts cache marks for this model."""
    return may_be_marked(model, provider) and bool(supports_prompt_caching(model))


def _listed(model: str) -> dict[str, object] | None:
    try:
        return dict(litellm.get_model_info(model))
    except (ModelNotMappedError, litellm.BadRequestError):
        return None
