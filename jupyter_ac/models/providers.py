"""Maps a model to its provider and to the variable with the provider's key."""

from collections.abc import Mapping
from typing import Final

from jupyter_ac.models.choice import EMBEDDED_MODEL, PROVIDER_KEYS, ModelChoice

_VARIABLES: Final[Mapping[str, str]] = {
    "together_ai": "TOGETHERAI_API_KEY",
    "cohere_chat": "COHERE_API_KEY",
    "perplexity": "PERPLEXITYAI_API_KEY",
    "text-completion-codestral": "CODESTRAL_API_KEY",
    "text-completion-inception": "INCEPTION_API_KEY",
    "text-completion-openai": "OPENAI_API_KEY",
}
"""Exceptions from the naming rule `<PROVIDER>_API_KEY`."""

_KEYLESS: Final = frozenset(
    {"bedrock", "bedrock_mantle", "chatgpt", "demo", "github_copilot", "lemonade"}
    | {"microsoft_365_copilot", "oci", "ollama", "ollama_chat", "sagemaker", "vertex_ai"}
)
"""Providers without a key, or with credentials of another kind."""

_BARE: Final[Mapping[str, str]] = {"claude-": "anthropic", "gpt-": "openai", "o1": "openai"} | {
    "o3": "openai",
    "o4": "openai",
    "chatgpt-": "openai",
}


GEMINI: Final = "gemini"

_FILLING: Final = "text-completion-"
"""How litellm's names begin for models that continue a text instead of a talk."""


def provider_of(model: str) -> str:
    """Return litellm's name for a model's provider, derived from its name; "" if unknown."""
    prefix, slash, _ = model.partition("/")
    if slash:
        return prefix
    return next((provider for start, provider in _BARE.items() if model.startswith(start)), "")


def fills_gaps(model: str) -> bool:
    """Return whether a model takes the text before and behind a gap, and writes what is between."""
    return model.startswith(_FILLING)


def reasoning_family(model: str) -> str:
    """Return the family of models that take each other's signed reasoning; no others do.

    The signatures of Claude and of Gemini hold at every provider of theirs.
    """
    name = model.lower()
    return next((family for family in ("claude", GEMINI) if family in name), name)


def key_variable(provider: str) -> str:
    """Return the environment variable of a provider's key; "" if there is no single one."""
    if not provider or provider in _KEYLESS:
        return ""
    return _VARIABLES.get(provider) or f"{provider.upper().replace('-', '_')}_API_KEY"


def smaller_choice(main: ModelChoice, name: str) -> ModelChoice:
    """Return how to reach the model for auxiliary requests; an address belongs to one provider.

    Args:
        main: the selected model.
        name: of the model for auxiliary requests; "" for the same one.
    """
    if not name or name == main.model:
        return main
    if name == EMBEDDED_MODEL and main.api_base is None:
        return ModelChoice(name, "smaller_model", demo=True, profile="embedded")
    provider, known = provider_of(name).removeprefix(_FILLING), provider_of(main.model)
    is_same = provider == known.removeprefix(_FILLING)
    return ModelChoice(name, "smaller_model", main.api_base if is_same else None)


def preferred_providers() -> list[str]:
    """Return the providers that are tried if only keys are set, in this order."""
    return [provider_of(model) for model in PROVIDER_KEYS.values()]
