import asyncio
from datetime import UTC, datetime

import pytest

from jupyter_ac.models.choice import EMBEDDED_MODEL, PROVIDER_KEYS
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.models.providers import provider_of
from jupyter_ac.worker import catalogue
from jupyter_ac.worker.catalogue import MOST, bundled, find, listed_models
from jupyter_ac.workers.process import Worker
from tests.support.model_process import BackgroundLoop

OTHERS = (
    "gpt-4o",
    "openai/gpt-4o-mini",
    "anthropic/claude-haiku-4-5",
    "openai/claude-sonnet-4-5",
    "openai/scripted",
    "openai/ft:gpt-4o:mine",
    "anthropic/of-tomorrow",
    "vertex_ai/claude-sonnet-4-5",
    "openrouter/anthropic/claude-sonnet-4.5",
    "nosuch",
    "foo/bar",
    "openai/",
    "/",
    "",
    EMBEDDED_MODEL,
)


@pytest.mark.parametrize("model", sorted({*PROVIDER_KEYS.values(), *OTHERS}))
def test_it_says_what_litellm_says_or_nothing(
    background: BackgroundLoop, models: ModelsClient, model: str
) -> None:
    found = find(model)
    if found is not None:
        info = background.run(models.describe(model))
        assert found == info


@pytest.mark.parametrize(
    "model",
    ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5", "openai/scripted", EMBEDDED_MODEL],
)
def test_the_common_names_need_no_litellm(model: str) -> None:
    assert find(model) is not None


def test_a_name_with_rules_of_its_own_is_left_to_litellm() -> None:
    assert find("openai/ft:gpt-4o:mine") is None
    assert find("foo/bar") is None


def test_each_model_is_listed_once_under_its_provider() -> None:
    models = listed_models()
    names = [model["name"] for model in models]
    assert len(names) == len(set(names)) > 1000
    assert all(model["name"].startswith(f"{model['provider']}/") for model in models)
    per_provider = [model["provider"] for model in models]
    assert max(per_provider.count(one) for one in set(per_provider)) <= MOST


def test_the_models_taken_without_a_choice_are_among_them() -> None:
    listed = {model["name"]: model for model in listed_models()}
    wanted = [
        model if "/" in model else f"{provider_of(model)}/{model}"
        for model in PROVIDER_KEYS.values()
        if provider_of(model) != "openrouter"
    ]
    assert [name for name in wanted if name not in listed] == []
    assert listed["openai/gpt-5.4"]["max_input_tokens"] > 100_000


def test_lasting_names_come_before_those_of_a_day() -> None:
    anthropic = [m["name"] for m in listed_models() if m["provider"] == "anthropic"]
    dated = [name for name in anthropic if "-20" in name]
    assert dated
    assert anthropic[-len(dated) :] == dated


@pytest.mark.parametrize("word", ["embed", "tts", "image", "whisper", "rerank", "ft:"])
def test_what_does_not_talk_is_not_listed(word: str) -> None:
    assert [m["name"] for m in listed_models() if word in m["name"]] == []


def test_what_is_retired_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    entry = {"mode": "chat", "litellm_provider": "xai"}
    monkeypatch.setattr(
        catalogue,
        "bundled",
        lambda: {
            "xai/gone": {**entry, "deprecation_date": today},
            "xai/going": {**entry, "deprecation_date": "9998-01-01"},
            "bare": entry,
            "no-provider": {"mode": "chat"},
        },
    )
    assert [model["name"] for model in listed_models()] == ["xai/bare", "xai/going"]


async def test_the_worker_lists_them_without_litellm() -> None:
    tokens, models = Worker("tokens"), Worker("models")
    try:
        client = ModelsClient(models, catalogue=tokens)
        async with asyncio.timeout(30):
            listed = await client.catalogue()
        assert list(listed) == listed_models()
        assert await client.catalogue() is listed
        assert models.pid is None
    finally:
        await tokens.aclose()
        await models.aclose()


def test_none_of_the_models_taken_without_a_choice_has_a_day_of_retirement() -> None:
    assert [m for m in PROVIDER_KEYS.values() if "deprecation_date" in bundled().get(m, {})] == []
