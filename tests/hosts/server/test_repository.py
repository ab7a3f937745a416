"""`jupyter-ac/repository`: what is near a folder, and making it a repository."""

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


async def look(fetch: Fetch, path: str) -> tuple[int, dict[str, object]]:
    try:
        answer = await fetch("jupyter-ac", "repository", params={"path": path})
    except HTTPClientError as error:
        return error.code, json.loads(error.response.body if error.response else b"{}")
    return answer.code, json.loads(answer.body)


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
    _, around = await look(jp_fetch, asked)
    assert await create(jp_fetch, {"path": asked, "confirm": around["folder"]}) == (
        201,
        {"status": "created", "name": "new folder"},
    )
    page = await connect(repo=asked)
    assert await page.call("Repo.get_file_content", "a.txt") == "a"


async def test_the_root_itself_may_become_one(jp_fetch: Fetch, jp_root_dir: Path) -> None:
    confirm = str(jp_root_dir.resolve())
    assert (await create(jp_fetch, {"path": "", "confirm": confirm}))[0] == 201
    assert (jp_root_dir / ".git").is_dir()


async def test_no_client_makes_one_by_a_slip(jp_fetch: Fetch, jp_root_dir: Path) -> None:
    (jp_root_dir / "inner").mkdir()
    root, inner = str(jp_root_dir.resolve()), str((jp_root_dir / "inner").resolve())
    for path, more, status in (
        ("", {}, 400),
        ("", {"confirm": ""}, 400),
        ("", {"confirm": None}, 400),
        ("", {"confirm": True}, 409),
        ("", {"confirm": inner}, 409),
        ("inner", {"confirm": root}, 409),
        ("inner", {"confirm": "inner"}, 409),
    ):
        code, answer = await create(jp_fetch, {"path": path, **more})
        assert code == status, more
        assert repr(inner if path else root) in str(answer["message"])
        assert '"confirm"' in str(answer["message"])
    assert not list(jp_root_dir.rglob(".git"))


async def test_a_page_is_told_what_is_near(jp_fetch: Fetch, jp_root_dir: Path) -> None:
    make_repository(jp_root_dir / "work/garden")
    make_repository(jp_root_dir / "work/group/shed")
    work = (jp_root_dir / "work").resolve()
    assert await look(jp_fetch, "work") == (
        200,
        {
            "folder": str(work),
            "above": [],
            "below": [
                {"path": str(work / "garden"), "name": "garden"},
                {"path": str(work / "group/shed"), "name": "group/shed"},
            ],
            "complete": True,
            "refusal": "",
            "plain_refusal": "",
        },
    )


async def test_what_is_told_opens(jp_fetch: Fetch, jp_root_dir: Path, connect: OpenPage) -> None:
    make_repository(jp_root_dir / "group/garden", {"a.txt": "a"})
    _, around = await look(jp_fetch, "group")
    assert isinstance(around["below"], list)
    page = await connect(repo=around["below"][0]["path"])
    assert await page.call("Repo.get_file_content", "a.txt") == "a"


async def test_a_repository_above_is_told_by_the_rules_of_the_socket(
    jp_fetch: Fetch, jp_root_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Inside a git directory git finds no repository, as where a disk begins.
    inner = make_repository(jp_root_dir / "work")
    outer = make_repository(jp_root_dir.parent)
    _, around = await look(jp_fetch, "work/.git/hooks")
    assert around["above"] == [
        {"path": str(inner.root.resolve()), "name": str(inner.root.resolve())},
        {"path": str(jp_root_dir.resolve()), "name": str(outer.root.resolve())},
    ]
    monkeypatch.setattr("jupyter_ac.hosts.server.access._is_ours", lambda _place: False)
    _, around = await look(jp_fetch, "work/.git/hooks")
    assert around["above"] == [
        {"path": str(inner.root.resolve()), "name": str(inner.root.resolve())}
    ]


@pytest.mark.parametrize(
    ("path", "status"), [("../outside", 403), ("missing", 404), ("garden", 409), ("link", 403)]
)
async def test_nothing_is_told_of_other_folders(
    jp_fetch: Fetch, jp_root_dir: Path, tmp_path: Path, path: str, status: int
) -> None:
    (tmp_path / "outside").mkdir()
    (jp_root_dir / "link").symlink_to(tmp_path / "outside")
    make_repository(jp_root_dir / "garden")
    code, answer = await look(jp_fetch, path)
    assert code == status
    assert set(answer) == {"message", "reason"}
    assert str(tmp_path) not in str(answer)


async def test_the_home_directory_is_refused(
    jp_fetch: Fetch, jp_root_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(jp_root_dir))
    (jp_root_dir / "link").symlink_to(jp_root_dir)
    for path in ("", "link"):
        _, around = await look(jp_fetch, path)
        assert "home directory" in str(around["refusal"])
        confirmed = {"path": path, "confirm": around["folder"]}
        status, said = await create(jp_fetch, confirmed)
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
        real = str((jp_root_dir / path).resolve())
        code, answer = await create(jp_fetch, {"path": path, "confirm": real})
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
            f"{jp_base_url}jupyter-ac/repository",
            method="POST",
            body=f'{{"path": "", "confirm": "{jp_root_dir}"}}',
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
            body=f'{{"path": "", "confirm": "{jp_root_dir}"}}',
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
    confirmed = {"path": "", "confirm": str(jp_root_dir.resolve())}
    assert (await create(jp_fetch, confirmed))[0] == 403
    assert not list(jp_root_dir.iterdir())
