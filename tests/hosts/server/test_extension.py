"""The extension in a Jupyter server: how it is loaded and configured."""

import asyncio
import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import JupyterServerAuthWarning
from traitlets.config import Config

from jupyter_ac.hosts.server.extension import JupyterAcExtension
from tests.hosts.conftest import OpenPage
from tests.support.repositories import RepositoryFolder, make_repository

Configure = Callable[..., ServerApp]


def extension_of(app: ServerApp) -> JupyterAcExtension:
    (found,) = app.extension_manager.extension_apps["jupyter_ac"]
    assert isinstance(found, JupyterAcExtension)
    return found


def test_every_route_says_who_may_use_it(
    jp_configurable_serverapp: Configure, jp_server_config: Config
) -> None:
    config = Config(jp_server_config)
    config.ServerApp.allow_unauthenticated_access = False
    with warnings.catch_warnings():
        warnings.simplefilter("error", JupyterServerAuthWarning)
        app = jp_configurable_serverapp(config=config)
    assert extension_of(app).handlers


@pytest.fixture
def outside(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "elsewhere" / "shed", {"tool.py": "saw\n"})


class TestAdministration:
    """Settings in the server's own configuration."""

    @pytest.fixture
    def jp_server_config(self, tmp_path: Path) -> Config:
        return Config(
            {
                "ServerApp": {"jpserver_extensions": {"jupyter_ac": True}},
                "JupyterAC": {
                    "allowed_roots": [str(tmp_path / "elsewhere")],
                    "denied_models": ["*/scripted"],
                    "max_message_mb": 1,
                },
            }
        )

    async def test_further_roots_are_opened(
        self, outside: RepositoryFolder, connect: OpenPage
    ) -> None:
        page = await connect(repo=str(outside.root))
        assert await page.call("Repo.get_file_content", "tool.py") == "saw\n"

    @pytest.mark.usefixtures("scripted")
    async def test_a_denied_model_is_not_used(self, connect: OpenPage) -> None:
        page = await connect()
        model = (await page.state())["model"]
        assert isinstance(model, dict)
        assert model["available"] is False
        assert "has denied" in model["message"]

    async def test_the_limit_of_a_message_is_the_administrator_s(self, connect: OpenPage) -> None:
        page = await connect()
        page.socket.write_message("x" * ((1 << 20) + 1))
        assert (await page.closed())[0] == 1009


class TestFileOfItsOwn:
    """Limits in `jupyter_ac_config`, which the server's own configuration can't take back."""

    @pytest.fixture
    def jp_server_config(self, jp_env_config_path: Path, outside: RepositoryFolder) -> Config:
        limits = {"allowed_roots": [str(outside.root.parent)], "denied_models": ["*/scripted"]}
        jp_env_config_path.mkdir(parents=True, exist_ok=True)
        (jp_env_config_path / "jupyter_ac_config.json").write_text(
            json.dumps({"JupyterAC": limits}), encoding="utf-8"
        )
        extensions = {"jpserver_extensions": {"jupyter_ac": True}}
        return Config({"ServerApp": extensions, "JupyterAC": {"denied_models": []}})

    @pytest.mark.usefixtures("scripted")
    async def test_they_hold_in_the_server(
        self, outside: RepositoryFolder, connect: OpenPage
    ) -> None:
        page = await connect(repo=str(outside.root))
        assert await page.call("Repo.get_file_content", "tool.py") == "saw\n"
        model = (await page.state())["model"]
        assert isinstance(model, dict)
        assert "has denied" in model["message"]


def test_broken_settings_keep_the_extension_out_and_the_server_running(
    jp_configurable_serverapp: Configure,
    jp_env_config_path: Path,
    jp_asyncio_loop: asyncio.AbstractEventLoop,
) -> None:
    jp_env_config_path.mkdir(parents=True, exist_ok=True)
    broken = jp_env_config_path / "jupyter_ac_config.json"
    broken.write_text('{"JupyterAC": {', encoding="utf-8")
    app = jp_configurable_serverapp()
    found = extension_of(app)
    assert not found.handlers
    assert found.current_activity() is None
    jp_asyncio_loop.run_until_complete(found.stop_extension())


async def test_a_server_without_a_turn_is_idle(jp_serverapp: ServerApp) -> None:
    assert extension_of(jp_serverapp).current_activity() is None
