"""How every host begins."""

import json
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.assembly import (
    HostOptions,
    allow_everything,
    build_planner,
    local_host,
    local_identity,
    plan_once,
)
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.models.choice import EMBEDDED_MODEL
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.methods import Access
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.keyring import Keyring
from tests.support.repositories import make_repository


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    return tmp_path / "config"


@pytest.mark.parametrize(
    ("environ", "name"),
    [({}, "local"), ({"JUPYTERHUB_USER": "ada"}, "ada"), ({"JUPYTERHUB_USER": ""}, "local")],
)
def test_who_the_only_user_is(environ: dict[str, str], name: str) -> None:
    assert local_identity(environ) == name


def test_the_command_lines_model_is_the_strongest(tmp_path: Path) -> None:
    environ = {"JUPYTER_AC_CONFIG_DIR": str(tmp_path), "JUPYTER_AC_MODEL": "openai/one"}
    named = build_planner(environ, JupyterAC(), HostOptions("openai/two")).plan().choice
    unnamed = build_planner(environ, JupyterAC()).plan().choice
    assert named is not None
    assert unnamed is not None
    assert (named.model, named.source) == ("openai/two", "flag")
    assert unnamed.model == "openai/one"


@pytest.mark.parametrize(
    ("allowed", "model", "says"),
    [
        ("openai/gpt-4*", "openai/gpt-4", ""),
        ("openai/no-such-*", "None", "openai/no-such-*"),
        (EMBEDDED_MODEL, EMBEDDED_MODEL, ""),
    ],
)
async def test_a_plan_is_made_where_no_host_runs(
    tmp_path: Path, allowed: str, model: str, says: str
) -> None:
    """The usual model of the key is refused, so that it takes the list to finish the plan."""
    ring = Keyring(lambda: None)
    admin = JupyterAC(allowed_models=[allowed])
    environ = {"OPENAI_API_KEY": "sk-0123456789"}
    has_demo = allowed == EMBEDDED_MODEL
    planner = ModelPlanner(environ, tmp_path, admin, lambda: has_demo, keyring=ring)
    plan = await plan_once(planner)
    assert not plan.lacks_list
    assert str(plan.choice and plan.choice.model).startswith(model)
    assert (plan.choice is not None and plan.choice.demo) is has_demo
    assert says in plan.message


async def test_a_local_host_opens_workspaces_and_closes_them(config: Path, tmp_path: Path) -> None:
    (config / "jupyter_ac_config.json").write_text(
        json.dumps({"JupyterAC": {"denied_models": ["*"], "max_message_mb": 3}})
    )
    repository = await discover(make_repository(tmp_path / "garden", {"a": "1"}).root)
    async with local_host({"JUPYTERHUB_USER": "ada"}) as host:
        assert (host.identity, host.admin.max_message_mb) == ("ada", 3)
        assert host.planner.plan().choice is None
        async with host.registry.use(repository) as workspace:
            assert "Repo.get_file_tree" in workspace.table
    with pytest.raises(NotReady):
        async with host.registry.use(repository):
            pass


async def test_broken_settings_of_the_administrator_keep_it_from_starting(config: Path) -> None:
    (config / "jupyter_ac_config.json").write_text("{")
    with pytest.raises(NotReady, match="line 1"):
        async with local_host({}):
            pass


def test_the_only_user_may_do_everything() -> None:
    caller = object.__new__(Caller)
    assert all(allow_everything(caller, access) for access in Access)
