import pytest

from jupyter_ac.models.choice import EMBEDDED_MODEL, PROVIDER_KEYS
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.worker.catalogue import find
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
