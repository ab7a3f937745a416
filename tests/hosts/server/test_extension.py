"""The extension in a Jupyter server: how it is loaded and configured."""

import asyncio
import json
import os
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import JupyterServerAuthWarning
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPResponse
from traitlets.config import Config

from jupyter_ac.hosts.server.extension import JupyterAcExtension
from jupyter_ac.models.choice import NO_MODEL_MESSAGE
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.version import PROTOCOL, __version__
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


async def test_a_page_asks_whether_code_is_completed_without_opening_a_repository(
    jp_serverapp: ServerApp,
    jp_fetch: Callable[..., Awaitable[HTTPResponse]],
) -> None:
    settings = extension_of(jp_serverapp)
    answer = await jp_fetch("jupyter-ac", "inline-completion")
    assert json.loads(answer.body) == {"enabled": False, "delay_ms": 350}
    folder = settings.planner.config_dir
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "app.json").write_text('{"inline_completion": {"enabled": true}}', encoding="utf-8")
    answer = await jp_fetch("jupyter-ac", "inline-completion")
    assert json.loads(answer.body) == {"enabled": True, "delay_ms": 350}


async def test_a_page_asks_which_model_answers_without_opening_a_repository(
    jp_serverapp: ServerApp,
    jp_fetch: Callable[..., Awaitable[HTTPResponse]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planner = extension_of(jp_serverapp).planner
    monkeypatch.setattr(planner, "environ", {})
    monkeypatch.setattr(planner, "embedded_available", lambda: False)

    async def asked() -> object:
        answer = await jp_fetch("jupyter-ac", "model")
        assert answer.headers["Cache-Control"] == "no-store"
        return json.loads(answer.body)

    assert await asked() == {"model": "", "demo": False, "message": NO_MODEL_MESSAGE}
    planner.config_dir.mkdir(parents=True, exist_ok=True)
    llm = planner.config_dir / "llm.json"
    llm.write_text('{"model": "openai/gpt-a"}', encoding="utf-8")
    assert await asked() == {"model": "openai/gpt-a", "demo": False, "message": ""}
    # Which of the provider's models it is, only their list says.
    llm.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(planner, "environ", {"OPENAI_API_KEY": "sk-test-0000"})
    monkeypatch.setattr(planner, "admin", JupyterAC(allowed_models=["openai/*-small"]))
    assert await asked() == {"model": "", "demo": False, "message": ""}


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


Get = Callable[[str], Awaitable[HTTPResponse]]


@pytest.fixture
def static_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built front end in a folder of the test's own."""
    folder = tmp_path / "built"
    (folder / "lib").mkdir(parents=True)
    (tmp_path / "secret.js").write_text("secret", encoding="utf-8")
    (folder / "ui-0a1b2c.js").write_text("export {}", encoding="utf-8")
    (folder / "widget.js").write_text("export default {}", encoding="utf-8")
    (folder / "build.json").write_text("{}", encoding="utf-8")
    (folder / "diagrams-0a1b2c.html").write_text("<!doctype html>", encoding="utf-8")
    (folder / "lib/math-0a1b2c3d.css").write_text("a{}", encoding="utf-8")
    (folder / ".hidden.js").write_text("hidden", encoding="utf-8")
    (folder / "odd.bin").write_bytes(b"\0")
    (folder / "link.js").symlink_to(tmp_path / "secret.js")
    monkeypatch.setattr("jupyter_ac.hosts.server.extension.STATIC_DIR", folder)
    return folder


@pytest.fixture
def get(static_dir: Path, http_server_client: AsyncHTTPServerClient, jp_base_url: str) -> Get:
    """Fetch a file without any login."""

    async def fetch(path: str) -> HTTPResponse:
        answer: HTTPResponse = await http_server_client.fetch(
            f"{jp_base_url}jupyter-ac/static/{path}", follow_redirects=False
        )
        return answer

    assert static_dir.is_dir()
    return fetch


@pytest.fixture(autouse=True)
def _before_the_server(static_dir: Path) -> None:
    """Have the folder in place before the server reads where it is."""


@pytest.mark.parametrize(
    ("path", "content_type", "caching"),
    [
        ("ui-0a1b2c.js", "text/javascript; charset=utf-8", "immutable"),
        ("lib/math-0a1b2c3d.css", "text/css; charset=utf-8", "immutable"),
        ("widget.js", "text/javascript; charset=utf-8", "no-cache"),
        ("build.json", "application/json", "no-cache"),
        ("odd.bin", "application/octet-stream", "no-cache"),
    ],
)
async def test_a_file_comes_with_its_type_and_how_long_it_keeps(
    get: Get, path: str, content_type: str, caching: str
) -> None:
    answer = await get(path)
    assert answer.headers["Content-Type"] == content_type
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert caching in answer.headers["Cache-Control"]


async def test_the_page_that_draws_diagrams_can_do_nothing_else(get: Get) -> None:
    answer = await get("diagrams-0a1b2c.html")
    policy = answer.headers.get_list("Content-Security-Policy")
    assert len(policy) == 1
    assert policy[0].startswith("sandbox allow-scripts; default-src 'none'; ")
    other = await get("ui-0a1b2c.js")
    assert "sandbox" not in other.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "missing.js",
        "lib",
        "lib/",
        ".hidden.js",
        "link.js",
        "../secret.js",
        "lib/../../secret.js",
        "..%2Fsecret.js",
        "%2e%2e/secret.js",
        "lib/..%5c..%5csecret.js",
        "/etc/passwd",
    ],
)
async def test_nothing_else_can_be_fetched(get: Get, path: str) -> None:
    with pytest.raises(HTTPClientError) as caught:
        await get(path)
    assert caught.value.code in {302, 403, 404}  # the server takes slashes off the end
    assert b"secret" not in (caught.value.response.body if caught.value.response else b"")


async def test_head_answers_with_headers_only(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str
) -> None:
    answer = await http_server_client.fetch(
        f"{jp_base_url}jupyter-ac/static/ui-0a1b2c.js", method="HEAD"
    )
    assert answer.code == 200
    assert answer.body == b""


async def test_it_answers_without_a_login(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str
) -> None:
    answer = await http_server_client.fetch(f"{jp_base_url}jupyter-ac/health")
    assert answer.headers["Content-Type"].startswith("application/json")
    assert json.loads(answer.body) == {
        "status": "ok",
        "version": __version__,
        "protocol": PROTOCOL,
        "pid": os.getpid(),
    }


async def test_asking_is_no_activity(
    jp_serverapp: ServerApp, jp_fetch: Callable[..., Awaitable[HTTPResponse]]
) -> None:
    await jp_fetch("jupyter-ac", "health")
    assert "api_last_activity" not in jp_serverapp.web_app.settings


async def test_it_only_answers_get(jp_fetch: Callable[..., Awaitable[HTTPResponse]]) -> None:
    with pytest.raises(HTTPClientError) as caught:
        await jp_fetch("jupyter-ac", "health", method="POST", body="")
    assert caught.value.code == 405
