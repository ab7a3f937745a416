"""Which model a workspace uses."""

import json
from pathlib import Path

import pytest

from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.models.choice import EMBEDDED_MODEL, NO_MODEL_MESSAGE, PROVIDER_KEYS
from jupyter_ac.settings.admin import JupyterAC

ANTHROPIC, OPENAI = PROVIDER_KEYS["ANTHROPIC_API_KEY"], PROVIDER_KEYS["OPENAI_API_KEY"]
BOTH = {"ANTHROPIC_API_KEY": "sk-a", "OPENAI_API_KEY": "sk-o"}


def plan(
    folder: Path,
    environ: dict[str, str] | None = None,
    llm: object = None,
    admin: JupyterAC | None = None,
    *,
    embedded: bool = False,
) -> ModelPlan:
    if llm is not None:
        text = llm if isinstance(llm, str) else json.dumps(llm)
        (folder / "llm.json").write_text(text, encoding="utf-8")
    return ModelPlanner(environ or {}, folder, admin or JupyterAC(), lambda: embedded).plan()


def chosen(found: ModelPlan) -> tuple[str, str]:
    assert found.choice is not None
    assert found.message == ""
    return found.choice.model, found.choice.source


def test_the_environment_comes_before_the_settings_and_both_before_keys(tmp_path: Path) -> None:
    environ = {"JUPYTER_AC_MODEL": "openai/one", **BOTH}
    assert chosen(plan(tmp_path, environ, {"model": "two"})) == ("openai/one", "JUPYTER_AC_MODEL")
    assert chosen(plan(tmp_path, BOTH, {"model": "two"})) == ("two", "llm.json")
    (tmp_path / "llm.json").unlink()
    assert chosen(plan(tmp_path, BOTH)) == (ANTHROPIC, "ANTHROPIC_API_KEY")
    assert chosen(plan(tmp_path, embedded=True)) == (EMBEDDED_MODEL, "embedded")


def test_without_any_the_message_says_what_to_set(tmp_path: Path) -> None:
    found = plan(tmp_path)
    assert found.choice is None
    assert found.message == NO_MODEL_MESSAGE


def test_a_broken_file_is_a_plan_without_a_model_that_says_why(tmp_path: Path) -> None:
    found = plan(tmp_path, BOTH, "{\n  broken")
    assert found.choice is None
    assert "llm.json" in found.message


def test_a_denied_model_is_passed_over_for_the_next_key(tmp_path: Path) -> None:
    admin = JupyterAC(denied_models=[ANTHROPIC])
    assert chosen(plan(tmp_path, BOTH, admin=admin)) == (OPENAI, "OPENAI_API_KEY")
    own = {"env": {"ANTHROPIC_API_KEY": "sk-a"}}
    assert chosen(plan(tmp_path, {"OPENAI_API_KEY": "o"}, own, admin))[0] == OPENAI


def test_a_named_model_that_is_denied_is_not_replaced(tmp_path: Path) -> None:
    admin = JupyterAC(denied_models=["openai/*"])
    environ = {"JUPYTER_AC_MODEL": "openai/one", **BOTH}
    found = plan(tmp_path, environ, admin=admin, embedded=True)
    assert found.choice is None
    assert "openai/one" in found.message


def test_the_embedded_model_obeys_too(tmp_path: Path) -> None:
    admin = JupyterAC(allowed_models=[ANTHROPIC])
    found = plan(tmp_path, {"OPENAI_API_KEY": "o"}, admin=admin, embedded=True)
    assert found.choice is None
    assert OPENAI in found.message


@pytest.mark.parametrize("environ", [{}, {"JUPYTER_AC_SMALLER_MODEL": "small-env"}])
def test_the_summary_shows_no_secret(tmp_path: Path, environ: dict[str, str]) -> None:
    llm = {"model": "m", "smaller_model": "small", "env": {"OPENAI_API_KEY": "sk-secret"}}
    found = plan(tmp_path, environ, llm)
    assert found.environment == {"OPENAI_API_KEY": "sk-secret"}
    assert found.summary().smaller_model == environ.get("JUPYTER_AC_SMALLER_MODEL", "small")
    assert "sk-secret" not in repr(found)
    assert "sk-secret" not in repr(found.summary())
    assert plan(tmp_path, admin=JupyterAC(denied_models=["*"])).summary().model == ""
