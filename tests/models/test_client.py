import asyncio
import json
import os
import signal
import socket
import time
from dataclasses import replace

import pytest

from jupyter_ac.errors import (
    ProviderAuth,
    ProviderBadRequest,
    ProviderContext,
    ProviderError,
    ProviderRateLimit,
    ProviderUnavailable,
)
from jupyter_ac.models.client import CompletedAnswer, CompletionRequest, ModelsClient
from jupyter_ac.workers.process import Worker
from jupyter_ac.workers.wire import ASKED_ONCE, RequestOptions
from tests.support.model_process import KEYS, BackgroundLoop, RunningModelServer

LIMIT_S = 90.0
CLAUDE = "anthropic/claude-sonnet-4-5"
DIALECTS = ["openai", "anthropic"]


HELLO = [{"role": "user", "content": "hello there"}]


def request_to(
    server: RunningModelServer, scenario: str, dialect: str = "openai"
) -> CompletionRequest:
    base = server.openai if dialect == "openai" else server.anthropic
    return CompletionRequest(f"{dialect}/{scenario}", HELLO, api_base=base)


def nothing(_text: str) -> None:
    pass


def parts_of(body: dict[str, object]) -> list[dict[str, object]]:
    """All parts of a request's content lists, Anthropic's system text first."""
    lists = [body.get("system")]
    messages = body["messages"]
    assert isinstance(messages, list)
    lists += [message["content"] for message in messages]
    return [part for content in lists if isinstance(content, list) for part in content]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_arrives_in_increments_and_whole(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer, dialect: str
) -> None:
    pieces: list[str] = []
    request = request_to(model_server, "scripted@0.01", dialect)
    outcome = background.run(models.complete(request, pieces.append))
    assert len(pieces) > 3
    assert "".join(pieces) == outcome.text
    assert outcome.text.startswith("You asked: **hello there**\n\n")
    assert outcome.text.endswith("parts of the prompt.\n")
    assert outcome.finish_reason == "stop"
    assert (outcome.usage.input_tokens, outcome.usage.output_tokens) == (3, 49)
    assert outcome.usage.cost_usd is None


def test_a_fast_stream_costs_few_messages_and_loses_nothing(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    pieces: list[str] = []
    outcome = background.run(
        models.complete(request_to(model_server, "scripted-long"), pieces.append), limit_s=60
    )
    assert outcome.text == "".join(pieces) == "".join(f"word{n:05d} " for n in range(10_000))
    assert len(pieces) < 2_000


def test_requests_run_side_by_side(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    async def all_at_once() -> list[CompletedAnswer]:
        plain = request_to(model_server, "scripted-slow")
        requests = [
            replace(plain, messages=[{"role": "user", "content": f"number {n}"}]) for n in range(5)
        ]
        return await asyncio.gather(*(models.complete(request, nothing) for request in requests))

    outcomes = background.run(all_at_once())
    assert [f"**number {n}**" in outcome.text for n, outcome in enumerate(outcomes)] == [True] * 5
    rows = model_server.requests()
    assert max(float(str(row["t_open"])) for row in rows) < min(
        float(str(row["t_closed"])) for row in rows
    )


def test_the_length_of_the_answer_is_always_limited(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    plain = request_to(model_server, "scripted")
    background.run(models.complete(plain, nothing))
    background.run(models.complete(replace(plain, max_tokens=7), nothing))
    background.run(models.complete(replace(plain, model="gpt-5.4"), nothing))
    limits = [
        body.get("max_tokens") or body.get("max_completion_tokens")
        for body in model_server.bodies()
    ]
    assert limits == [4096, 7, 32768]


def test_an_answer_cut_by_its_limit_says_so(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = request_to(model_server, "scripted-length")
    assert background.run(models.complete(request, nothing)).finish_reason == "length"


def test_reasoning_is_not_part_of_the_answer(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = request_to(model_server, "scripted-reasoning")
    outcome = background.run(models.complete(request, nothing))
    assert "Let me think" not in outcome.text
    assert outcome.text.startswith("You asked")


@pytest.mark.parametrize("provider", ["openai/scripted", "anthropic/claude-sonnet-4-5"])
def test_reasoning_comes_apart_before_the_answer(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    provider: str,
) -> None:
    base = f"{model_server.anthropic}/as/scripted-reasoning"
    base += "/v1" if provider.startswith("openai") else ""
    request = CompletionRequest(provider, [{"role": "user", "content": "Why?"}], api_base=base)
    received: list[tuple[str, str]] = []
    outcome = background.run(
        models.complete(
            request,
            lambda text: received.append(("text", text)),
            on_reasoning=lambda text: received.append(("reasoning", text)),
        )
    )
    assert outcome.reasoning == "Let me think. The file has no guard."
    assert "".join(text for kind, text in received if kind == "reasoning") == outcome.reasoning
    assert [kind for kind, _ in received] == sorted(kind for kind, _ in received)
    assert outcome.text.startswith("You asked: **Why?**")


def test_cache_marks_go_to_claude_and_what_the_cache_did_comes_back(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    talk: list[dict[str, object]] = [
        {"role": "system", "content": "Rule. " * 2000},
        {"role": "user", "content": "First question."},
        {"role": "assistant", "content": "First answer."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "a file"}, {"type": "text", "text": "why?"}],
        },
    ]
    request = CompletionRequest(CLAUDE, talk, api_base=model_server.anthropic)
    first = background.run(models.complete(request, nothing))
    second = background.run(models.complete(request, nothing))
    parts = parts_of(model_server.bodies()[0])
    marked = [part["text"] for part in parts if "cache_control" in part]
    assert marked == ["Rule. " * 2000, "First question.", "why?"]
    assert first.usage.cache_write_tokens > 3000
    assert first.usage.cache_read_tokens == 0
    assert second.usage.cache_read_tokens == first.usage.cache_write_tokens
    assert second.usage.input_tokens == first.usage.input_tokens
    assert first.usage.cost_usd is not None
    assert second.usage.cost_usd is not None
    assert second.usage.cost_usd < first.usage.cost_usd


@pytest.mark.parametrize(("content", "cache"), [("word " * 3000, False), ("short", True)])
def test_no_marks_when_they_are_not_wanted_or_the_prompt_is_too_short(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    content: str,
    cache: bool,
) -> None:
    messages = [{"role": "user", "content": content}]
    request = CompletionRequest(CLAUDE, messages, api_base=model_server.anthropic, cache=cache)
    background.run(models.complete(request, nothing))
    assert "cache_control" not in json.dumps(model_server.bodies())


def test_marks_never_reach_a_provider_that_does_not_take_them(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    part = {
        "type": "text",
        "text": "word " * 3000,
        "cache_control": {"type": "ephemeral"},
    }
    messages = [{"role": "user", "content": [part, dict(part)]}]
    request = replace(request_to(model_server, "scripted"), messages=messages)
    background.run(models.complete(request, nothing))
    body = model_server.bodies()[0]
    assert parts_of(body) == [{"type": "text", "text": "word " * 3000}] * 2


def test_an_empty_answer_to_a_marked_request_is_asked_for_again_without_marks(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = CompletionRequest(
        CLAUDE,
        [{"role": "user", "content": "word " * 3000}],
        api_base=f"{model_server.anthropic}/as/scripted-empty",
    )
    outcome = background.run(models.complete(request, nothing))
    assert outcome.text.startswith("You asked")
    marked = ["cache_control" in json.dumps(body) for body in model_server.bodies()]
    assert marked == [True, False]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("scenario", "kind", "words"),
    [
        ("scripted-401", ProviderAuth, "API_KEY"),
        ("scripted-403", ProviderAuth, "may not use"),
        ("scripted-404", ProviderBadRequest, "`scripted-404` is unknown"),
        ("scripted-429", ProviderRateLimit, "Ask again in 7 s."),
        ("scripted-500", ProviderUnavailable, "Ask again"),
        ("scripted-503", ProviderUnavailable, "Overloaded"),
        ("scripted-context", ProviderContext, "Untick files"),
    ],
)
def test_a_refusal_says_what_to_do_and_is_not_repeated(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    dialect: str,
    scenario: str,
    kind: type[ProviderError],
    words: str,
) -> None:
    with pytest.raises(kind, match=words) as raised:
        background.run(models.complete(request_to(model_server, scenario, dialect), nothing))
    assert raised.value.retry_after_s == (7.0 if kind is ProviderRateLimit else None)
    assert "litellm" not in str(raised.value)
    assert len(model_server.requests()) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_key_never_stands_in_an_error(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer, dialect: str
) -> None:
    own = {"OPENAI_API_KEY": "an unusual key 1", "ANTHROPIC_API_KEY": "an unusual key 2"}
    for env in ({}, own):
        request = replace(request_to(model_server, "scripted-secret", dialect), env=env)
        with pytest.raises(ProviderAuth) as raised:
            background.run(models.complete(request, nothing))
        for key in [*KEYS.values(), *own.values()]:
            assert key not in str(raised.value)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("scenario", ["scripted-broken", "scripted-event"])
def test_a_stream_that_breaks_is_an_error_and_what_came_before_stays(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    dialect: str,
    scenario: str,
) -> None:
    pieces: list[str] = []
    with pytest.raises(ProviderUnavailable, match="broke off in the middle"):
        background.run(models.complete(request_to(model_server, scenario, dialect), pieces.append))
    assert "".join(pieces).startswith("You asked: **hello ")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("scenario", ["scripted-hang", "scripted-stall", "scripted-long"])
def test_stop_closes_the_providers_connection_within_a_second(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    dialect: str,
    scenario: str,
) -> None:
    pieces: list[str] = []

    async def stop_in_the_middle() -> float:
        call = asyncio.create_task(
            models.complete(request_to(model_server, scenario, dialect), pieces.append)
        )
        while not (model_server.requests() if scenario == "scripted-hang" else pieces):
            await asyncio.sleep(0.01)
        call.cancel()
        stopped_at = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await call
        return stopped_at

    stopped_at = background.run(stop_in_the_middle())
    model_server.wait_until(lambda rows: bool(rows[0]["closed_early"]))
    assert float((model_server.record / "001.closed").read_text()) - stopped_at < 1.0
    assert bool(pieces) == (scenario != "scripted-hang")


def test_fifty_stops_leave_no_connection_open(
    background: BackgroundLoop,
    models: ModelsClient,
    models_worker: Worker,
    model_server: RunningModelServer,
) -> None:
    async def stop_many() -> None:
        requests = [request_to(model_server, "scripted-stall")] * 25
        requests += [request_to(model_server, "scripted-hang", "anthropic")] * 25
        calls = [asyncio.create_task(models.complete(each, nothing)) for each in requests]
        while len(model_server.requests()) < len(calls):
            await asyncio.sleep(0.01)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    before = background.run(statistics(models_worker))
    background.run(stop_many())
    model_server.wait_until(lambda rows: all(row["closed_early"] for row in rows))
    end = time.monotonic() + LIMIT_S
    while background.run(statistics(models_worker)) > before:
        assert time.monotonic() < end, "tasks are left over in the worker"
        time.sleep(0.05)
    assert background.run(models.complete(request_to(model_server, "scripted"), nothing)).text


async def statistics(worker: Worker) -> int:
    answer = await worker.call("Worker.running")
    assert isinstance(answer, int)
    return answer


@pytest.mark.parametrize(
    ("scenario", "options", "words"),
    [
        (
            "scripted-hang",
            replace(ASKED_ONCE, first_chunk_timeout_seconds=0.2),
            "did not answer within 0.2 s",
        ),
        (
            "scripted-stall",
            replace(ASKED_ONCE, chunk_timeout_seconds=0.2),
            "sent nothing more for 0.2 s",
        ),
        (
            "scripted-slow",
            replace(ASKED_ONCE, request_timeout_seconds=0.3),
            "did not finish within 0.3 s",
        ),
    ],
)
def test_a_provider_that_is_silent_for_too_long_is_given_up(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    scenario: str,
    options: RequestOptions,
    words: str,
) -> None:
    with pytest.raises(ProviderUnavailable, match=words):
        background.run(
            models.complete(replace(request_to(model_server, scenario), options=options), nothing)
        )
    model_server.wait_until(lambda rows: bool(rows[0]["closed_early"]))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_server_that_is_not_there_is_named(
    background: BackgroundLoop, models: ModelsClient, dialect: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{taken.getsockname()[1]}"
        request = CompletionRequest(
            f"{dialect}/x", [{"role": "user", "content": "hello"}], api_base=base
        )
        with pytest.raises(ProviderUnavailable, match="can't be reached") as raised:
            background.run(models.complete(request, nothing))
    assert base in str(raised.value)
    assert "JUPYTER_AC_API_BASE" in str(raised.value)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("mistral/mistral-medium-latest", "MISTRAL_API_KEY"),
        ("groq/openai/gpt-oss-120b", "GROQ_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
    ],
)
def test_a_missing_key_is_named_before_anything_is_sent(
    background: BackgroundLoop, models: ModelsClient, model: str, name: str
) -> None:
    request = CompletionRequest(model, [{"role": "user", "content": "hello"}])
    with pytest.raises(ProviderAuth, match=name):
        background.run(models.complete(request, nothing))


def test_a_model_without_a_provider_is_explained(
    background: BackgroundLoop, models: ModelsClient
) -> None:
    request = CompletionRequest("nosuch", [{"role": "user", "content": "hello"}])
    with pytest.raises(ProviderBadRequest, match="provider/model"):
        background.run(models.complete(request, nothing))


def test_a_server_of_ones_own_needs_no_key(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = CompletionRequest(
        "hosted_vllm/scripted",
        [{"role": "user", "content": "hello"}],
        api_base=model_server.openai,
        env={"OPENAI_API_KEY": ""},
    )
    assert background.run(models.complete(request, nothing)).text


def test_a_killed_worker_fails_the_request_and_the_next_one_works(
    background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    async def kill_in_the_middle() -> CompletedAnswer:
        worker = Worker("models", env=KEYS)
        models = ModelsClient(worker)
        try:
            call = asyncio.create_task(
                models.complete(request_to(model_server, "scripted-stall"), nothing)
            )
            while not model_server.requests():
                await asyncio.sleep(0.01)
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            with pytest.raises(ProviderUnavailable, match="SIGKILL during the request"):
                await call
            return await models.complete(request_to(model_server, "scripted"), nothing)
        finally:
            await worker.aclose()

    assert background.run(kill_in_the_middle(), limit_s=60).finish_reason == "stop"


def test_a_listed_model_is_described_without_a_network(
    background: BackgroundLoop, models: ModelsClient
) -> None:
    info = background.run(models.describe(CLAUDE))
    assert info.known
    assert info.takes_cache_marks
    assert info.max_input_tokens >= 200_000
    assert info.input_cost
    assert info.output_cost
    assert info.provider == "anthropic"
    assert background.run(models.describe(CLAUDE)) is info


def test_warming_up_sends_nothing_to_the_provider(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    background.run(models.warm(request_to(model_server, "scripted")))
    assert model_server.requests() == []


def test_a_listed_model_is_known_before_litellm_has_loaded(background: BackgroundLoop) -> None:
    loading, catalogue = Worker("models"), Worker("tokens")
    try:
        info = background.run(ModelsClient(loading, catalogue).describe(CLAUDE))
        assert info.known
        assert loading.pid is None
    finally:
        background.run(catalogue.aclose())


def test_a_model_that_the_catalogue_is_not_sure_of_is_asked_of_litellm(
    background: BackgroundLoop, models_worker: Worker
) -> None:
    catalogue = Worker("tokens")
    try:
        info = background.run(
            ModelsClient(models_worker, catalogue).describe("vertex_ai/claude-sonnet-4-5")
        )
        assert info.provider == "vertex_ai"
    finally:
        background.run(catalogue.aclose())
