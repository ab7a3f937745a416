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
)
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.methods import Access
from jupyter_ac.settings.admin import JupyterAC
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
