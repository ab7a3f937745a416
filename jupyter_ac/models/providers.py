"""Who serves a model, and which variable holds the key."""

from collections.abc import Mapping
from typing import Final

from jupyter_ac.models.choice import EMBEDDED_MODEL, PROVIDER_KEYS, ModelChoice

_VARIABLES: Final[Mapping[str, str]] = {
    "together_ai": "TOGETHERAI_API_KEY",
    "cohere_chat": "COHERE_API_KEY",
    "perplexity": "PERPLEXITYAI_API_KEY",
}
"""Of providers whose variable isn't named after litellm's word for them."""

_KEYLESS: Final = frozenset(
    {"bedrock", "bedrock_mantle", "chatgpt", "demo", "github_copilot", "lemonade"}
    | {"microsoft_365_copilot", "oci", "ollama", "ollama_chat", "sagemaker", "vertex_ai"}
)
"""Providers that take no key, or credentials of another kind."""

_BARE: Final[Mapping[str, str]] = {"claude-": "anthropic", "gpt-": "openai", "o1": "openai"} | {
    "o3": "openai",
    "o4": "openai",
    "chatgpt-": "openai",
}


def provider_of(model: str) -> str:
    """Return litellm's word for who serves a model, by its name; "" when that says nothing."""
    prefix, slash, _ = model.partition("/")
    if slash:
        return prefix
    return next((provider for start, provider in _BARE.items() if model.startswith(start)), "")


def key_variable(provider: str) -> str:
    """Return the environment variable of a provider's key; "" when there is no single one."""
    if not provider or provider in _KEYLESS:
        return ""
    return _VARIABLES.get(provider) or f"{provider.upper().replace('-', '_')}_API_KEY"


def smaller_choice(main: ModelChoice, name: str) -> ModelChoice:
    """Say how the model for side tasks is reached; an address goes with its provider.

    Args:
        main: the chosen model.
        name: of the model for side tasks; "" for the same one.
    """
    if not name or name == main.model:
        return main
    if name == EMBEDDED_MODEL and main.api_base is None:
        return ModelChoice(name, "smaller_model", demo=True, profile="embedded")
    is_same = provider_of(name) == provider_of(main.model)
    return ModelChoice(name, "smaller_model", main.api_base if is_same else None)


def preferred_providers() -> list[str]:
    """Return the providers that are tried when only a key is set, in that order."""
    return [provider_of(model) for model in PROVIDER_KEYS.values()]
