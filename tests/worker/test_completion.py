import asyncio
import json
from dataclasses import replace

import pytest

from jupyter_ac.errors import ProviderAuth, ProviderError, ProviderUnavailable
from jupyter_ac.models.client import CompletionRequest, ModelsClient, PromptProgress, Retry
from jupyter_ac.workers.process import Worker
from jupyter_ac.workers.wire import ASKED_ONCE
from tests.support.model_process import BackgroundLoop, RunningModelServer

HELLO = [{"role": "user", "content": "hello"}]


def test_a_key_of_the_call_is_used_for_the_call_only(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    for env in ({"OPENAI_API_KEY": "words-for-call-1"}, {}):
        request = CompletionRequest("openai/scripted", HELLO, api_base=model_server.openai, env=env)
        background.run(models.complete(request, lambda _text: None))
    assert [row["key_end"] for row in model_server.requests()] == ["1", "9"]


def test_an_address_of_the_calls_own_variables_is_used(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    env = {"OPENAI_BASE_URL": model_server.openai}
    outcome = background.run(
        models.complete(CompletionRequest("openai/scripted", HELLO, env=env), lambda _text: None)
    )
    assert outcome.text


def test_no_progress_is_asked_of_other_servers(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = CompletionRequest("openai/scripted", HELLO, api_base=model_server.openai)
    background.run(models.complete(request, lambda _text: None, lambda _progress: None))
    assert "return_progress" not in model_server.bodies()[0]


def test_the_request_is_one_stream_with_usage(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = CompletionRequest("openai/scripted", HELLO, api_base=model_server.openai)
    background.run(models.complete(request, lambda _text: None))
    body = model_server.bodies()[0]
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert body["messages"] == HELLO


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
def test_a_long_answer_comes_whole_with_the_count_of_its_provider(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer, dialect: str
) -> None:
    answer = "la la, la la, la la, la " * 150
    asked = [{"role": "user", "content": f"Sing.\n=====\n{answer}"}]
    base = model_server.openai if dialect == "openai" else model_server.anthropic
    request = CompletionRequest(f"{dialect}/scripted-edits", asked, api_base=base)
    outcome = background.run(models.complete(request, lambda _text: None))
    assert outcome.text == answer
    assert outcome.usage.output_tokens > 0
    assert not outcome.usage.estimated


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
def test_a_stream_that_ends_without_a_reason_has_none(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer, dialect: str
) -> None:
    base = model_server.openai if dialect == "openai" else model_server.anthropic
    request = CompletionRequest(f"{dialect}/scripted-unended", HELLO, api_base=base)
    outcome = background.run(models.complete(request, lambda _text: None))
    assert outcome.text
    assert outcome.finish_reason is None


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
    models: ModelsClient,
    model_server: RunningModelServer,
    name: str,
    model: str,
) -> None:
    base = f"{model_server.anthropic}/as/scripted-401"
    request = CompletionRequest(model, HELLO, api_base=base, env={name: "plain words z"})
    with pytest.raises(ProviderAuth, match="refused the key"):
        background.run(models.complete(request, lambda _text: None))
    assert model_server.requests()[0]["key_end"] in {"z", ""}


def test_a_key_that_is_missing_altogether_is_named(
    background: BackgroundLoop, models: ModelsClient
) -> None:
    request = CompletionRequest("gpt-5.4", HELLO, env={"OPENAI_API_KEY": ""})
    with pytest.raises(ProviderAuth, match="set OPENAI_API_KEY"):
        background.run(models.complete(request, lambda _text: None))


def test_the_worker_survives_a_request_that_makes_no_sense(
    background: BackgroundLoop,
    models: ModelsClient,
    models_worker: Worker,
    model_server: RunningModelServer,
) -> None:
    pid = models_worker.pid
    nonsense: list[dict[str, object]] = [{"role": 7}]
    for model in ("", "gpt-5.4@404", "anthropic/claude-sonnet-4-5"):
        request = CompletionRequest(
            model, nonsense, api_base=f"{model_server.anthropic}/as/scripted-404"
        )
        with pytest.raises(ProviderError):
            background.run(models.complete(request, lambda _text: None))
    assert models_worker.pid == pid


def failing(server: RunningModelServer, scenario: str, retries: int) -> CompletionRequest:
    base = f"{server.anthropic}/as/{scenario}/v1"
    options = replace(ASKED_ONCE, num_retries=retries)
    return CompletionRequest("openai/gpt-x", HELLO, api_base=base, options=options)


def test_a_request_that_fails_for_a_passing_reason_is_sent_again_and_that_is_told(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    told: list[PromptProgress | Retry] = []
    request = failing(model_server, "scripted-503", retries=2)
    with pytest.raises(ProviderUnavailable, match="Overloaded"):
        background.run(models.complete(request, lambda _text: None, told.append))
    assert len(model_server.requests()) == 3
    assert [(one.attempt, one.attempts, one.wait_s) for one in told if isinstance(one, Retry)] == [
        (1, 2, 1.0),
        (2, 2, 2.0),
    ]
    kinds = {one.error_type for one in told if isinstance(one, Retry)}
    assert kinds == {"provider_unavailable"}
    assert {one.reason for one in told if isinstance(one, Retry)} == {
        f"The server at {request.api_base} failed."
    }


@pytest.mark.parametrize("scenario", ["scripted-401", "scripted-404", "scripted-context"])
def test_what_will_not_pass_is_not_asked_again(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    scenario: str,
) -> None:
    with pytest.raises(ProviderError):
        background.run(
            models.complete(failing(model_server, scenario, retries=3), lambda _text: None)
        )
    assert len(model_server.requests()) == 1


@pytest.mark.parametrize("scenario", ["scripted-broken", "scripted-event"])
def test_an_answer_that_has_begun_is_not_asked_for_again(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    scenario: str,
) -> None:
    pieces: list[str] = []
    with pytest.raises(ProviderError):
        background.run(models.complete(failing(model_server, scenario, retries=3), pieces.append))
    assert pieces
    assert len(model_server.requests()) == 1


def test_no_wait_goes_beyond_the_limit_of_the_whole_answer(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = failing(model_server, "scripted-429", 3)
    options = replace(request.options, request_timeout_seconds=5.0)
    request = replace(request, options=options)
    with pytest.raises(ProviderError, match="7 s"):
        background.run(models.complete(request, lambda _text: None))
    assert len(model_server.requests()) == 1


def test_a_wait_can_be_stopped(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    async def stop_while_waiting() -> None:
        waiting = asyncio.Event()
        asking = asyncio.create_task(
            models.complete(
                failing(model_server, "scripted-429", retries=3),
                lambda _text: None,
                lambda _progress: waiting.set(),
            )
        )
        await waiting.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    background.run(stop_while_waiting())
    assert len(model_server.requests()) == 1


def test_the_settings_raise_the_least_that_is_marked_for_the_cache(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    talk = [{"role": "user", "content": "word " * 2000}]
    request = CompletionRequest(
        "anthropic/claude-sonnet-4-5", talk, api_base=model_server.anthropic
    )
    for least, multiplier in ((0, 1.0), (1_900, 1.1), (1_900, 1.0)):
        options = replace(ASKED_ONCE, cache_min_tokens=least, cache_buffer_multiplier=multiplier)
        asked = replace(request, options=options)
        background.run(models.complete(asked, lambda _text: None))
    marked = ["cache_control" in json.dumps(body) for body in model_server.bodies()]
    assert marked == [True, False, True]
