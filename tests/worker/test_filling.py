"""A gap is filled by the real litellm, against the scripted provider."""

import pytest

from jupyter_ac.errors import ProviderAuth, ProviderUnavailable
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.workers.wire import CompletionRequest, RequestOptions
from tests.support.model_process import BackgroundLoop, RunningModelServer


def ignore(_text: str) -> None:
    """Take a piece of an answer that isn't looked at."""


def request(server: RunningModelServer, model: str, limit_s: float = 60) -> CompletionRequest:
    return CompletionRequest(
        model=f"text-completion-openai/{model}",
        messages=[{"role": "user", "content": "x = "}],
        max_tokens=20,
        api_base=server.openai,
        env={"OPENAI_API_KEY": "sk-scripted"},
        options=RequestOptions(num_retries=0, request_timeout_seconds=limit_s),
        suffix="\ny = 1\n",
    )


def test_the_gap_is_sent_and_what_fills_it_comes(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    pieces: list[str] = []
    answer = background.run(models.complete(request(model_server, "scripted"), pieces.append))
    (body,) = model_server.bodies()
    assert (body["prompt"], body["suffix"], body["max_tokens"]) == ("x = ", "\ny = 1\n", 20)
    assert "messages" not in body
    assert pieces == ["filled(4, 7)"]
    assert (answer.text, answer.finish_reason) == ("filled(4, 7)", "stop")
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (3, 3)


def test_errors_are_those_of_other_requests(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    with pytest.raises(ProviderAuth):
        background.run(models.complete(request(model_server, "scripted-401"), ignore))
    with pytest.raises(ProviderUnavailable, match="did not finish within"):
        background.run(models.complete(request(model_server, "scripted-hang", 1), ignore))
