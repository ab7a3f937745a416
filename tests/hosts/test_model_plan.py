"""Which model a workspace uses."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_ac.chat.model_gateway import ModelOptions
from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.models.choice import EMBEDDED_MODEL, NO_MODEL_MESSAGE, PROVIDER_KEYS
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.workers.wire import ListedModel, RequestOptions

ANTHROPIC, OPENAI = PROVIDER_KEYS["ANTHROPIC_API_KEY"], PROVIDER_KEYS["OPENAI_API_KEY"]
BOTH = {"ANTHROPIC_API_KEY": "sk-a", "OPENAI_API_KEY": "sk-o"}


class Kept:
    """A keyring's backend."""

    priority = 1.0

    def __init__(self, **keys: str) -> None:
        self.keys = keys

    def get_password(self, _service: str, username: str, /) -> str | None:
        return self.keys.get(username)

    def set_password(self, _service: str, username: str, password: str, /) -> None:
        self.keys[username] = password

    def delete_password(self, _service: str, username: str, /) -> None:
        del self.keys[username]


@dataclass
class Case:
    """What decides beside the environment and the file."""

    admin: JupyterAC = field(default_factory=JupyterAC)
    embedded: bool = False
    flag: str | None = None
    keyring: Kept | None = None


PLAIN = Case()


def planner(
    folder: Path, environ: dict[str, str] | None = None, case: Case = PLAIN
) -> ModelPlanner:
    return ModelPlanner(
        environ or {},
        folder,
        case.admin,
        lambda: case.embedded,
        case.flag,
        Keyring(lambda: case.keyring),
    )


def write(folder: Path, llm: object) -> None:
    text = llm if isinstance(llm, str) else json.dumps(llm)
    (folder / "llm.json").write_text(text, encoding="utf-8")


def plan(
    folder: Path,
    environ: dict[str, str] | None = None,
    llm: object = None,
    admin: JupyterAC | None = None,
    *,
    embedded: bool = False,
) -> ModelPlan:
    if llm is not None:
        write(folder, llm)
    return planner(folder, environ, Case(admin or JupyterAC(), embedded)).plan()


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


def listed(name: str, window: int) -> ListedModel:
    return {
        "name": name,
        "provider": name.partition("/")[0],
        "max_input_tokens": window,
        "input_cost": None,
        "output_cost": None,
    }


MODELS = [listed("anthropic/old", 9), listed("openai/gpt-4", 8), listed("openai/gpt-4.1", 90)]


def test_another_model_of_the_same_key_takes_the_place_of_one_that_is_refused(
    tmp_path: Path,
) -> None:
    key = {"OPENAI_API_KEY": "o"}
    spelled = planner(tmp_path, key, Case(JupyterAC(allowed_models=["openai/*-x", "openai/mine"])))
    assert chosen(spelled.plan()) == ("openai/mine", "OPENAI_API_KEY")
    assert not spelled.plan().lacks_list
    by_pattern = planner(tmp_path, key, Case(JupyterAC(allowed_models=["openai/gpt-4*"])))
    assert by_pattern.plan().choice is None
    assert by_pattern.plan().lacks_list
    assert chosen(by_pattern.plan(MODELS)) == ("openai/gpt-4.1", "OPENAI_API_KEY")
    assert not by_pattern.plan(MODELS).lacks_list
    assert not by_pattern.plan([]).lacks_list
    none_denied = planner(tmp_path, BOTH, Case(JupyterAC(denied_models=["nobody/*"])))
    assert not none_denied.plan().lacks_list


def test_a_key_is_asked_for_that_would_be_of_use(tmp_path: Path) -> None:
    found = plan(tmp_path, admin=JupyterAC(allowed_models=["anthropic/*"]), embedded=True)
    assert "No key is set for a model that the administrator allows (anthropic/*)" in found.message


@pytest.mark.parametrize("environ", [{}, {"JUPYTER_AC_SMALLER_MODEL": "small-env"}])
def test_the_summary_shows_no_secret(tmp_path: Path, environ: dict[str, str]) -> None:
    llm = {"model": "m", "smaller_model": "small", "env": {"OPENAI_API_KEY": "sk-secret"}}
    found = plan(tmp_path, environ, llm)
    assert found.environment == {"OPENAI_API_KEY": "sk-secret"}
    assert found.summary().smaller_model == environ.get("JUPYTER_AC_SMALLER_MODEL", "small")
    assert "sk-secret" not in repr(found)
    assert "sk-secret" not in repr(found.summary())
    assert plan(tmp_path, admin=JupyterAC(denied_models=["*"])).summary().model == ""


def test_the_flag_is_the_strongest(tmp_path: Path) -> None:
    write(tmp_path, {"model": "two"})
    environ = {"JUPYTER_AC_MODEL": "one"}
    found = planner(tmp_path, environ, Case(flag="zero")).plan()
    assert chosen(found) == ("zero", "flag")


def test_a_model_that_is_named_elsewhere_does_without_a_broken_file(tmp_path: Path) -> None:
    write(tmp_path, "{")
    assert chosen(plan(tmp_path, {"JUPYTER_AC_MODEL": "one"})) == ("one", "JUPYTER_AC_MODEL")
    assert chosen(planner(tmp_path, {}, Case(flag="zero")).plan()) == ("zero", "flag")


def test_a_file_that_breaks_later_leaves_what_it_said_in_force(tmp_path: Path) -> None:
    write(tmp_path, {"model": "one", "env": {"OPENAI_API_KEY": "sk-o"}})
    maker = planner(tmp_path)
    assert chosen(maker.plan())[0] == "one"
    write(tmp_path, '{"model": "two"')
    found = maker.plan()
    assert chosen(found)[0] == "one"
    assert found.environment == {"OPENAI_API_KEY": "sk-o"}
    write(tmp_path, {"model": "three"})
    assert chosen(maker.plan())[0] == "three"


def test_keys_in_the_keyring_count_and_go_to_the_models_process(tmp_path: Path) -> None:
    ring = Kept(OPENAI_API_KEY="sk-ring", GROQ_API_KEY="g-ring", PERPLEXITYAI_API_KEY="p-ring")
    write(tmp_path, {"env": {"GROQ_API_KEY": "g-file"}})
    found = planner(tmp_path, {}, Case(keyring=ring)).plan()
    assert chosen(found) == (OPENAI, "OPENAI_API_KEY")
    assert found.environment == {"OPENAI_API_KEY": "sk-ring", "GROQ_API_KEY": "g-file"}
    environ = {"OPENAI_API_KEY": "sk-environ", "JUPYTER_AC_MODEL": "perplexity/sonar"}
    found = planner(tmp_path, environ, Case(keyring=ring)).plan()
    assert found.environment == {"GROQ_API_KEY": "g-file", "PERPLEXITYAI_API_KEY": "p-ring"}
    assert "ring" not in repr(found)


@pytest.mark.parametrize("lock", ["litellm", "litellm.env", "litellm.env.OPENAI_API_KEY"])
def test_where_keys_are_the_administrators_none_of_the_keyring_counts(
    tmp_path: Path, lock: str
) -> None:
    case = Case(JupyterAC(locked_settings=[lock]), keyring=Kept(OPENAI_API_KEY="sk-ring"))
    maker = planner(tmp_path, {}, case)
    assert maker.plan().choice is None
    assert maker.where_keys_are(["OPENAI_API_KEY"]) == {}
    assert chosen(planner(tmp_path, {"OPENAI_API_KEY": "sk-set"}, case).plan())[0] == OPENAI


def test_the_strongest_place_of_each_key_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"env": {"A_KEY": "x", "B_KEY": "x", "EMPTY_KEY": ""}})
    ring = Kept(A_KEY="x", C_KEY="x", D_KEY="x")
    environ = {"B_KEY": "x", "C_KEY": "x", "E_KEY": "x"}
    maker = planner(tmp_path, environ, Case(keyring=ring))
    maker.plan()
    names = ["A_KEY", "B_KEY", "C_KEY", "D_KEY", "E_KEY", "F_KEY", "EMPTY_KEY"]
    assert maker.where_keys_are(names) == {
        "A_KEY": "llm.json",
        "B_KEY": "llm.json",
        "C_KEY": "environment",
        "D_KEY": "keyring",
        "E_KEY": "environment",
    }


def test_the_limits_of_the_file_are_the_terms(tmp_path: Path) -> None:
    found = plan(
        tmp_path,
        llm={
            "model": "m",
            "num_retries": 7,
            "max_output_tokens": 100,
            "request_timeout_seconds": 30,
            "first_chunk_timeout_seconds": 20,
            "chunk_timeout_seconds": 10,
            "aux_request_timeout_seconds": 5,
            "smallerModel": "small",
            "cache_min_tokens": 2048,
            "cache_buffer_multiplier": 1.5,
            "env": {"A": "b"},
        },
    )
    limits = ModelOptions(
        {"A": "b"}, 100, "small", RequestOptions(7, 30.0, 20.0, 10.0, 5.0, 2048, 1.5)
    )
    assert found.terms == limits


def test_a_smaller_model_that_is_denied_is_none(tmp_path: Path) -> None:
    admin = JupyterAC(denied_models=["bad/*"])
    environ = {"JUPYTER_AC_SMALLER_MODEL": "bad/one"}
    assert plan(tmp_path, environ, {"model": "m"}, admin).smaller_model == ""


def test_the_demo_model_can_be_named(tmp_path: Path) -> None:
    found = plan(tmp_path, BOTH, {"model": EMBEDDED_MODEL}, embedded=True)
    assert found.choice is not None
    assert (found.choice.demo, found.choice.profile) == (True, "embedded")
    assert found.choice.source == "llm.json"
    elsewhere = {"model": EMBEDDED_MODEL, "api_base": "http://localhost:1"}
    found = plan(tmp_path, BOTH, elsewhere, embedded=True)
    assert found.choice is not None
    assert not found.choice.demo


def test_what_is_locked_is_not_taken_from_the_users_file(tmp_path: Path) -> None:
    admin = JupyterAC(locked_settings=["litellm.model"])
    assert chosen(plan(tmp_path, BOTH, {"model": "mine"}, admin))[0] == ANTHROPIC
