import pytest

from jupyter_ac.errors import ProviderAuth, ProviderError
from jupyter_ac.models.client import Completion, Models
from jupyter_ac.workers.process import Worker
from tests.support.model_process import BackgroundLoop, RunningModelServer

HELLO = [{"role": "user", "content": "hello"}]


def test_a_key_of_the_call_is_used_for_the_call_only(
    background: BackgroundLoop, models: Models, model_server: RunningModelServer
) -> None:
    for env in ({"OPENAI_API_KEY": "words-for-call-1"}, {}):
        request = Completion("openai/scripted", HELLO, api_base=model_server.openai, env=env)
        background.run(models.complete(request, lambda _text: None))
    assert [row["key_end"] for row in model_server.requests()] == ["1", "9"]


def test_an_address_of_the_calls_own_variables_is_used(
    background: BackgroundLoop, models: Models, model_server: RunningModelServer
) -> None:
    env = {"OPENAI_BASE_URL": model_server.openai}
    outcome = background.run(
        models.complete(Completion("openai/scripted", HELLO, env=env), lambda _text: None)
    )
    assert outcome.text


def test_no_progress_is_asked_of_other_servers(
    background: BackgroundLoop, models: Models, model_server: RunningModelServer
) -> None:
    request = Completion("openai/scripted", HELLO, api_base=model_server.openai)
    background.run(models.complete(request, lambda _text: None, lambda _progress: None))
    assert "return_progress" not in model_server.bodies()[0]


def test_the_request_is_one_stream_with_usage(
    background: BackgroundLoop, models: Models, model_server: RunningModelServer
) -> None:
    request = Completion("openai/scripted", HELLO, api_base=model_server.openai)
    background.run(models.complete(request, lambda _text: None))
    body = model_server.bodies()[0]
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert body["messages"] == HELLO


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("GOOGLE_API_KEY", "gemini/gemini-2.5-pro"),
        ("TOGETHER_API_KEY", "together_ai/zai-org/GLM-5.1"),
        ("FIREWORKS_API_KEY", "fireworks_ai/accounts/fireworks/models/glm-5p3"),
    ],
)
def test_a_key_under_another_name_that_litellm_reads_is_not_missing(
    background: BackgroundLoop,
    models: Models,
    model_server: RunningModelServer,
    name: str,
    model: str,
) -> None:
    base = f"{model_server.anthropic}/as/scripted-401"
    request = Completion(model, HELLO, api_base=base, env={name: "plain words z"})
    with pytest.raises(ProviderAuth, match="refused the key"):
        background.run(models.complete(request, lambda _text: None))
    assert model_server.requests()[0]["key_end"] in {"z", ""}


def test_a_key_that_is_missing_altogether_is_named(
    background: BackgroundLoop, models: Models
) -> None:
    request = Completion("gpt-5.4", HELLO, env={"OPENAI_API_KEY": ""})
    with pytest.raises(ProviderAuth, match="set OPENAI_API_KEY"):
        background.run(models.complete(request, lambda _text: None))


def test_the_worker_survives_a_request_that_makes_no_sense(
    background: BackgroundLoop,
    models: Models,
    models_worker: Worker,
    model_server: RunningModelServer,
) -> None:
    pid = models_worker.pid
    nonsense: list[dict[str, object]] = [{"role": 7}]
    for model in ("", "gpt-5.4@404", "anthropic/claude-sonnet-4-5"):
        request = Completion(model, nonsense, api_base=f"{model_server.anthropic}/as/scripted-404")
        with pytest.raises(ProviderError):
            background.run(models.complete(request, lambda _text: None))
    assert models_worker.pid == pid
