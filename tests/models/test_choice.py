from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from jupyter_ac.errors import ProviderAuth
from jupyter_ac.models.choice import EMBEDDED_MODEL, NO_MODEL_MESSAGE, PROVIDER_KEYS, choose
from jupyter_ac.models.client import CompletionRequest, ModelsClient
from tests.support.model_process import BackgroundLoop, RunningModelServer


@dataclass(frozen=True)
class Settings:
    model: str | None = None
    api_base: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)


EVERYTHING = {
    "JUPYTER_AC_MODEL": "from/environment",
    "JUPYTER_AC_API_BASE": "http://localhost:1",
    "OPENAI_API_KEY": "k",
}


def test_the_flag_comes_first() -> None:
    choice = choose("flag/model", EVERYTHING, Settings("file/model"), embedded_available=True)
    assert choice is not None
    assert (choice.model, choice.source) == ("flag/model", "flag")
    assert choice.api_base == "http://localhost:1"
    assert (choice.demo, choice.profile) == (False, "standard")


def test_then_the_environment() -> None:
    choice = choose(None, EVERYTHING, Settings("file/model"), embedded_available=True)
    assert choice is not None
    assert (choice.model, choice.source) == ("from/environment", "JUPYTER_AC_MODEL")


def test_then_the_settings_with_their_address() -> None:
    settings = Settings("file/model", "http://localhost:2")
    choice = choose(None, {"OPENAI_API_KEY": "k"}, settings, embedded_available=True)
    assert choice is not None
    assert (choice.model, choice.source) == ("file/model", "llm.json")
    assert choice.api_base == "http://localhost:2"


def test_the_address_of_the_settings_stays_with_their_model() -> None:
    settings = Settings("file/model", "http://localhost:2")
    choice = choose("flag/model", {}, settings, embedded_available=True)
    assert choice is not None
    assert choice.api_base is None


def test_the_address_in_the_environment_goes_with_any_model() -> None:
    environ = {"JUPYTER_AC_API_BASE": "http://localhost:1"}
    settings = Settings("file/model", "http://localhost:2")
    choice = choose(None, environ, settings, embedded_available=True)
    assert choice is not None
    assert choice.api_base == "http://localhost:1"


@pytest.mark.parametrize(("name", "model"), PROVIDER_KEYS.items())
def test_then_the_provider_whose_key_is_set(name: str, model: str) -> None:
    for environ, settings in (({name: "k"}, None), ({}, Settings(env={name: "k"}))):
        choice = choose(None, environ, settings, embedded_available=True)
        assert choice is not None
        assert (choice.model, choice.source) == (model, name)


def test_an_empty_variable_is_none() -> None:
    environ = {"OPENAI_API_KEY": "", "JUPYTER_AC_MODEL": "", "JUPYTER_AC_API_BASE": ""}
    assert choose("", environ, Settings(""), embedded_available=False) is None


def test_then_the_demo_model_which_says_that_it_is_one() -> None:
    environ = {"JUPYTER_AC_API_BASE": "http://localhost:1"}
    choice = choose(None, environ, None, embedded_available=True)
    assert choice is not None
    assert (choice.model, choice.source) == (EMBEDDED_MODEL, "embedded")
    assert choice.demo
    assert choice.profile == "embedded"
    assert choice.api_base is None


def test_an_explicit_model_without_a_key_is_still_the_choice() -> None:
    choice = choose("gpt-5.4", {}, None, embedded_available=True)
    assert choice is not None
    assert choice.model == "gpt-5.4"


def test_no_model_at_all_is_explained_in_one_sentence() -> None:
    assert choose(None, {}, None, embedded_available=False) is None
    assert NO_MODEL_MESSAGE.count(". ") == 0
    assert "install-demo-model" in NO_MODEL_MESSAGE


def test_every_default_model_is_in_the_bundled_list(
    background: BackgroundLoop, models: ModelsClient
) -> None:
    described = {model: background.run(models.describe(model)) for model in PROVIDER_KEYS.values()}
    assert [model for model, info in described.items() if not info.known] == []


@pytest.mark.parametrize(("name", "model"), PROVIDER_KEYS.items())
def test_the_variable_in_the_table_is_the_one_that_the_provider_reads_and_errors_name(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    name: str,
    model: str,
) -> None:
    base = f"{model_server.anthropic}/as/scripted-401"
    hello = [{"role": "user", "content": "hello"}]
    without = CompletionRequest(model, hello, env={name: ""})
    with pytest.raises(ProviderAuth, match=f"needs a key for {model}: set {name} "):
        background.run(models.complete(without, lambda _text: None))
    request = CompletionRequest(model, hello, api_base=base, env={name: "plain words z"})
    with pytest.raises(ProviderAuth, match=f"refused the key.* Check {name}."):
        background.run(models.complete(request, lambda _text: None))
    assert len(model_server.requests()) == 1
