"""Keys, the chosen model, and whether it answers: through the real litellm."""

from pathlib import Path

import pytest

from jupyter_ac.hosts.cli.checks import models
from jupyter_ac.hosts.cli.checks.context import CheckState, NotChecked
from jupyter_ac.models.choice import PROVIDER_KEYS
from tests.hosts.cli.checks.conftest import Look
from tests.support.model_process import RunningModelServer

KEY = "sk-scripted-0123456789"


@pytest.fixture(autouse=True)
def no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.models.embedded.available", lambda: False)


async def test_the_table_says_where_each_key_is_and_never_what_it_is(
    look: Look, config: Path
) -> None:
    (config / "jupyter_ac" / "llm.json").write_text('{"env": {"GROQ_API_KEY": "gsk_0123456789"}}')
    found = await models.keys(await look(OPENAI_API_KEY=KEY))
    assert found.text == "OPENAI_API_KEY (environment), GROQ_API_KEY (llm.json)"
    rows = {line.split()[0]: line for line in found.details[1:]}
    assert list(rows) == list(PROVIDER_KEYS)
    assert "set: environment" in rows["OPENAI_API_KEY"]
    assert "not set" in rows["ANTHROPIC_API_KEY"]
    assert PROVIDER_KEYS["ANTHROPIC_API_KEY"] in rows["ANTHROPIC_API_KEY"]
    assert "0123456789" not in found.text + "".join(found.details)


async def test_the_choice_and_its_reason(look: Look) -> None:
    here = await look(
        JUPYTER_AC_MODEL="openai/mine", JUPYTER_AC_API_BASE="http://me:secret@localhost:1/v1?key=x"
    )
    found = await models.chosen(here)
    assert found.state is CheckState.OK
    assert found.text == ("openai/mine, because of JUPYTER_AC_MODEL, at http://localhost:1/v1")


async def test_no_model_is_a_fault_with_a_remedy(look: Look) -> None:
    here = await look()
    found = await models.chosen(here)
    assert found.state is CheckState.FAIL
    assert "ANTHROPIC_API_KEY" in found.remedy
    with pytest.raises(NotChecked):
        await models.reachable(here)


async def test_the_demo_model_is_there_or_not(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "install-demo-model" in (await models.demo(await look())).text
    monkeypatch.setattr("jupyter_ac.models.embedded.available", lambda: True)
    here = await look()
    assert (await models.demo(here)).text == "installed"
    assert (await models.chosen(here)).state is CheckState.WARN


@pytest.mark.parametrize(
    ("model", "state"),
    [("scripted", CheckState.OK), ("scripted-401", CheckState.FAIL)],
)
async def test_it_is_asked_for_one_token(
    model: str,
    state: CheckState,
    look: Look,
    model_server: RunningModelServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The worker inherits this process's environment.
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    here = await look(
        JUPYTER_AC_MODEL=f"openai/{model}",
        JUPYTER_AC_API_BASE=model_server.openai,
        OPENAI_API_KEY=KEY,
    )
    found = await models.reachable(here)
    assert found.state is state
    assert KEY not in found.text + found.remedy
    (body,) = model_server.bodies()
    assert body["max_tokens"] == 1


async def test_a_model_that_is_silent_is_not_waited_for(
    look: Look, model_server: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "LIMIT_S", 0.05)
    here = await look(
        JUPYTER_AC_MODEL="openai/scripted-hang", JUPYTER_AC_API_BASE=model_server.openai
    )
    found = await models.reachable(here)
    assert found.state is CheckState.FAIL
    assert "within" in found.text
