import pytest

from jupyter_ac.models.client import CompletionRequest, ModelsClient
from tests.support.model_process import BackgroundLoop, RunningModelServer

HELLO = [{"role": "user", "content": "hello"}]


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
def test_tokens_are_those_that_the_provider_reports(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer, dialect: str
) -> None:
    base = model_server.openai if dialect == "openai" else model_server.anthropic
    request = CompletionRequest(f"{dialect}/scripted", HELLO, api_base=base)
    usage = background.run(models.complete(request, lambda _text: None)).usage
    assert (usage.input_tokens, usage.output_tokens) == (2, 47)
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (0, 0)
    assert usage.cost_usd is None


def test_the_cost_is_that_of_the_list(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    info = background.run(models.describe("gpt-5.4"))
    request = CompletionRequest("gpt-5.4", HELLO, api_base=model_server.openai)
    usage = background.run(models.complete(request, lambda _text: None)).usage
    assert info.input_cost is not None
    assert info.output_cost is not None
    expected = usage.input_tokens * info.input_cost + usage.output_tokens * info.output_cost
    assert usage.cost_usd == pytest.approx(expected)
