"""`POST jupyter-ac/repository`."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPResponse

from tests.hosts.conftest import OpenPage
from tests.support.repositories import make_repository

Fetch = Callable[..., Awaitable[HTTPResponse]]


async def create(fetch: Fetch, body: object) -> tuple[int, dict[str, object]]:
    try:
        answer = await fetch("jupyter-ac", "repository", method="POST", body=json.dumps(body))
    except HTTPClientError as error:
        return error.code, json.loads(error.response.body if error.response else b"{}")
    return answer.code, json.loads(answer.body)


@pytest.mark.parametrize("is_absolute", [False, True])
async def test_a_folder_becomes_a_repository_that_the_socket_serves(
    jp_fetch: Fetch, jp_root_dir: Path, connect: OpenPage, is_absolute: bool
) -> None:
    folder = jp_root_dir / "new folder"
    folder.mkdir()
    (folder / "a.txt").write_text("a", encoding="utf-8")
    asked = str(folder) if is_absolute else "new folder"
    assert await create(jp_fetch, {"path": asked}) == (
        201,
        {"status": "created", "name": "new folder"},
    )
    page = await connect(repo=asked)
    assert await page.call("Repo.get_file_content", "a.txt") == "a"


async def test_the_root_itself_may_become_one(jp_fetch: Fetch, jp_root_dir: Path) -> None:
    assert (await create(jp_fetch, {"path": ""}))[0] == 201
    assert (jp_root_dir / ".git").is_dir()


async def test_the_home_directory_is_refused(
    jp_fetch: Fetch, jp_root_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(jp_root_dir))
    status, said = await create(jp_fetch, {"path": ""})
    assert (status, "home directory" in str(said["message"])) == (403, True)
    assert not (jp_root_dir / ".git").exists()


async def test_folders_that_may_not_or_need_not_are_refused(
    jp_fetch: Fetch, jp_root_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (jp_root_dir / "link").symlink_to(tmp_path / "outside")
    make_repository(jp_root_dir / "garden")
    (jp_root_dir / "garden" / "inner").mkdir()
    for path, status in (
        (str(tmp_path / "outside"), 403),
        ("../outside", 403),
        ("link", 403),
        ("missing", 404),
        ("garden", 409),
        ("garden/inner", 409),
    ):
        code, answer = await create(jp_fetch, {"path": path})
        assert code == status, path
        assert answer["message"]
        assert str(tmp_path) not in str(answer)
    assert not (tmp_path / "outside" / ".git").exists()


@pytest.mark.parametrize("body", [None, [], {}, {"path": 1}, "x"])
async def test_a_request_without_a_path_says_what_to_send(jp_fetch: Fetch, body: object) -> None:
    code, answer = await create(jp_fetch, body)
    assert code == 400
    assert "path" in str(answer["message"])


async def test_a_refusal_logs_no_token(
    http_server_client: AsyncHTTPServerClient,
    jp_serverapp: ServerApp,
    jp_base_url: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    token = jp_serverapp.identity_provider.token
    with pytest.raises(HTTPClientError) as caught:
        await http_server_client.fetch(
            f"{jp_base_url}jupyter-ac/repository?token={token}",
            method="POST",
            body='{"path": "missing"}',
            headers={"Authorization": f"token {token}"},
        )
    assert caught.value.code == 404
    assert "404" in caplog.text
    assert token not in caplog.text


async def test_a_login_is_needed(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str, jp_root_dir: Path
) -> None:
    with pytest.raises(HTTPClientError) as caught:
        await http_server_client.fetch(
            f"{jp_base_url}jupyter-ac/repository", method="POST", body='{"path": ""}'
        )
    assert caught.value.code == 403
    assert not list(jp_root_dir.iterdir())


async def test_a_cookie_alone_without_its_xsrf_token_is_refused(
    http_server_client: AsyncHTTPServerClient,
    jp_serverapp: ServerApp,
    jp_base_url: str,
    jp_root_dir: Path,
) -> None:
    token = jp_serverapp.identity_provider.token
    answer = await http_server_client.fetch(f"{jp_base_url}api/status?token={token}")
    cookie = "; ".join(part.split(";")[0] for part in answer.headers.get_list("Set-Cookie"))
    with pytest.raises(HTTPClientError) as caught:
        await http_server_client.fetch(
            f"{jp_base_url}jupyter-ac/repository",
            method="POST",
            body='{"path": ""}',
            headers={"Cookie": cookie},
        )
    assert caught.value.code == 403
    assert not list(jp_root_dir.iterdir())


class ReadOnly:
    def is_authorized(self, _handler: object, _user: object, action: str, resource: str) -> bool:
        assert resource == "jupyter-ac"
        return action == "read"


async def test_write_access_is_needed(
    jp_fetch: Fetch, jp_serverapp: ServerApp, jp_root_dir: Path
) -> None:
    jp_serverapp.web_app.settings["authorizer"] = ReadOnly()
    assert (await create(jp_fetch, {"path": ""}))[0] == 403
    assert not list(jp_root_dir.iterdir())
