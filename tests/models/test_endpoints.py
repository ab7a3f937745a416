import pytest

from jupyter_ac.errors import ProviderAuth, ProviderUnavailable
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.models.endpoints import ENDPOINT_KINDS, ask_once, checked_address
from jupyter_ac.models.providers import key_variable
from tests.support.model_process import BackgroundLoop, RunningModelServer

KEY = "sk-very-secret-0123456789abcdef"


def test_an_address_keeps_its_path() -> None:
    assert checked_address(" https://example.org:8443/openai/v1/ ") == (
        "https://example.org:8443/openai/v1"
    )


def test_a_key_of_openai_goes_to_no_server_of_the_users() -> None:
    assert "OPENAI_API_KEY" not in {key_variable(k.provider) for k in ENDPOINT_KINDS.values()}


@pytest.mark.parametrize("kind", ["vllm", "lm_studio"])
def test_a_server_answers_a_short_question(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer, kind: str
) -> None:
    model = f"{ENDPOINT_KINDS[kind].provider}/scripted"
    tried = background.run(ask_once(models, model, model_server.openai, {}))
    assert tried.text.startswith("You asked: **Answer with one word: ready")
    (body,) = model_server.bodies()
    assert body["max_tokens"] == 64


def test_a_refused_key_is_said_and_hidden(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    env = {"HOSTED_VLLM_API_KEY": KEY}
    with pytest.raises(ProviderAuth) as raised:
        background.run(ask_once(models, "hosted_vllm/scripted-secret", model_server.openai, env))
    assert KEY not in raised.value.message
    assert "refused the key" in raised.value.message
    assert model_server.requests()[0]["key_end"] == KEY[-1]


def test_a_server_that_is_not_there_is_said(
    background: BackgroundLoop, models: ModelsClient
) -> None:
    with pytest.raises(ProviderUnavailable, match="can't be reached"):
        background.run(ask_once(models, "hosted_vllm/x", "http://127.0.0.1:9/v1", {}))
