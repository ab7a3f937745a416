import pytest

from jupyter_ac.models.choice import EMBEDDED_MODEL, PROVIDER_KEYS, ModelChoice
from jupyter_ac.models.providers import (
    key_variable,
    preferred_providers,
    provider_of,
    reasoning_family,
    smaller_choice,
)


@pytest.mark.parametrize(("variable", "model"), PROVIDER_KEYS.items())
def test_the_variable_follows_from_the_model(variable: str, model: str) -> None:
    assert key_variable(provider_of(model)) == variable


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("gpt-5.4", "openai"),
        ("o3-mini", "openai"),
        ("claude-opus-4-7", "anthropic"),
        ("openrouter/anthropic/claude-sonnet-4.6", "openrouter"),
        ("something", ""),
    ],
)
def test_the_provider_follows_from_the_name(model: str, provider: str) -> None:
    assert provider_of(model) == provider


@pytest.mark.parametrize("provider", ["ollama", "bedrock", "vertex_ai", ""])
def test_a_provider_without_a_single_key_has_no_variable(provider: str) -> None:
    assert key_variable(provider) == ""


def test_other_providers_are_called_by_their_name() -> None:
    assert key_variable("scx-ai") == "SCX_AI_API_KEY"
    assert key_variable("perplexity") == "PERPLEXITYAI_API_KEY"


def test_the_order_of_preference_is_that_of_the_keys() -> None:
    assert preferred_providers()[:2] == ["anthropic", "openai"]
    assert len(preferred_providers()) == len(PROVIDER_KEYS)


def test_an_address_goes_with_its_provider_to_the_smaller_model() -> None:
    main = ModelChoice("openai/large", "flag", "http://127.0.0.1:1")
    assert smaller_choice(main, "") == smaller_choice(main, "openai/large") == main
    assert smaller_choice(main, "gpt-5-mini").api_base == "http://127.0.0.1:1"
    assert smaller_choice(main, "groq/gpt-5-mini").api_base is None
    assert not smaller_choice(main, EMBEDDED_MODEL).demo
    assert smaller_choice(ModelChoice("groq/large", "flag"), EMBEDDED_MODEL).demo


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("claude-opus-5", "claude"),
        ("bedrock/eu.anthropic.Claude-opus-5-v1:0", "claude"),
        ("vertex_ai/claude-opus-5", "claude"),
        ("vertex_ai/gemini-3-pro", "gemini"),
        ("openai/gpt-5", "openai/gpt-5"),
        ("", ""),
    ],
)
def test_reasoning_belongs_to_a_family_whatever_the_provider(model: str, family: str) -> None:
    assert reasoning_family(model) == family
