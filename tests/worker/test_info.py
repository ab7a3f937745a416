import pytest

from jupyter_ac.models.client import ModelsClient
from tests.support.model_process import BackgroundLoop


@pytest.mark.parametrize(
    ("model", "provider", "takes"),
    [
        ("anthropic/claude-sonnet-4-5", "anthropic", True),
        ("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock", True),
        ("vertex_ai/claude-sonnet-4-5", "vertex_ai", True),
        ("openrouter/anthropic/claude-sonnet-4.5", "openrouter", True),
        ("gpt-5.4", "openai", False),
        ("gemini/gemini-2.5-pro", "gemini", False),
        ("deepseek/deepseek-chat", "deepseek", False),
        ("openai/claude-sonnet-4-5", "openai", False),
    ],
)
def test_marks_go_where_claude_is_served(
    background: BackgroundLoop, models: ModelsClient, model: str, provider: str, takes: bool
) -> None:
    info = background.run(models.describe(model))
    assert (info.provider, info.takes_cache_marks) == (provider, takes)


def test_the_shortest_prompt_for_the_cache_depends_on_the_model(
    background: BackgroundLoop, models: ModelsClient
) -> None:
    names = ["anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5"]
    minima = [background.run(models.describe(name)).cache_minimum_tokens for name in names]
    assert minima == [1024, 4096]


@pytest.mark.parametrize("model", ["openai/something-of-ours", "nosuch", "foo/bar", ""])
def test_a_model_that_is_not_listed_gets_defaults(
    background: BackgroundLoop, models: ModelsClient, model: str
) -> None:
    info = background.run(models.describe(model))
    assert not info.known
    assert (info.max_input_tokens, info.max_output_tokens) == (128_000, 4_096)
    assert (info.input_cost, info.output_cost) == (None, None)


def test_a_model_without_a_price_has_none(background: BackgroundLoop, models: ModelsClient) -> None:
    info = background.run(models.describe("openrouter/anthropic/claude-sonnet-4.5"))
    assert info.known
    assert info.input_cost is None
