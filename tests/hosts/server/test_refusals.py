"""Who and what the socket refuses, by a real server and real repositories."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from jupyter_ac.store.nonce import write_nonce
from jupyter_ac.store.state_paths import state_dir
from tests.hosts.conftest import OpenPage
from tests.support.json_values import JsonValue
from tests.support.pages import CallFailedError, Page
from tests.support.repositories import RepositoryFolder, make_repository

FOREIGN = "https://evil.example"
Knock = Callable[..., Awaitable[WebSocketClientConnection]]
GiveAway = Callable[..., None]


@pytest.fixture
def knock(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str, repository: RepositoryFolder
) -> Knock:
    """Open the socket with exactly these headers and parameters, as another site's page could."""

    async def open_socket(query: str = "", **headers: str) -> WebSocketClientConnection:
        address = http_server_client.get_url(jp_base_url).replace("http", "ws")
        url = f"{address}jupyter-ac/rpc?repo={repository.root.name}{query}"
        return await websocket_connect(HTTPRequest(url, headers=headers, connect_timeout=30))

    return open_socket


async def status(knocking: Awaitable[WebSocketClientConnection]) -> int:
    """The handshake's status: 101 when the socket opened."""
    try:
        socket = await knocking
    except HTTPClientError as error:
        return error.code
    socket.close()
    return 101


@pytest.fixture
def log_in(
    jp_serverapp: ServerApp, jp_base_url: str, http_server_client: AsyncHTTPServerClient
) -> Callable[[], Awaitable[str]]:
    """Log in by the token once and return the cookies, as a browser would keep them."""

    async def fetch_cookies() -> str:
        token = jp_serverapp.identity_provider.token
        answer = await http_server_client.fetch(f"{jp_base_url}api/status?token={token}")
        jar: SimpleCookie = SimpleCookie()
        for header in answer.headers.get_list("Set-Cookie"):
            jar.load(header)
        assert any(name.startswith("username-") for name in jar)
        return "; ".join(f"{name}={morsel.coded_value}" for name, morsel in jar.items())

    return fetch_cookies


async def test_without_a_login_nobody_gets_in(knock: Knock) -> None:
    assert await status(knock()) == 403
    assert await status(knock("&token=wrong")) == 403
    assert await status(knock(Authorization="token wrong")) == 403


async def test_a_cookie_opens_for_our_own_pages_only(
    knock: Knock, log_in: Callable[[], Awaitable[str]], http_server_client: AsyncHTTPServerClient
) -> None:
    cookie = await log_in()
    own = http_server_client.get_url("")
    assert await status(knock(Cookie=cookie, Origin=own)) == 101
    assert await status(knock(Cookie=cookie)) == 101
    assert await status(knock(Cookie=cookie, Origin=FOREIGN)) == 403
    assert await status(knock(Cookie=cookie, Origin="null")) == 403
    crossing = {"Cookie": cookie, "Origin": FOREIGN, "Sec-Fetch-Site": "cross-site"}
    assert await status(knock(**crossing)) == 403


async def test_a_token_opens_from_any_origin_as_everywhere_in_jupyter(
    knock: Knock, jp_serverapp: ServerApp
) -> None:
    token = jp_serverapp.identity_provider.token
    assert await status(knock(f"&token={token}", Origin=FOREIGN)) == 101
    assert await status(knock(Authorization=f"token {token}", Origin=FOREIGN)) == 101


async def test_a_foreign_host_name_is_refused_even_with_the_token(
    knock: Knock, jp_serverapp: ServerApp
) -> None:
    token = jp_serverapp.identity_provider.token
    assert await status(knock(f"&token={token}", Host="evil.example")) == 403


async def refused(connect: OpenPage, **params: str) -> tuple[int | None, str]:
    page = await connect(**params)
    code, reason = await page.closed()
    assert reason
    assert page.events == []
    return code, reason


async def test_a_folder_outside_the_root_is_refused(
    connect: OpenPage, repository: RepositoryFolder, tmp_path: Path
) -> None:
    outside = make_repository(tmp_path / "outside", {"secret.txt": "s\n"}).root
    (repository.root.parent / "link").symlink_to(outside)
    (repository.root.parent / "chain").symlink_to("link")
    asked = [str(outside), "/", "..", "../outside", "link", "chain", "garden/../../outside", "a\0b"]
    for repo in asked:
        code, reason = await refused(connect, repo=repo)
        assert code in {4403, 4404}, repo
        assert str(tmp_path) not in reason
    assert (await refused(connect, repo=str(outside)))[0] == 4403
    assert (await refused(connect, repo="link"))[0] == 4403
    # Whether a folder outside exists is not told.
    assert (await refused(connect, repo=str(tmp_path / "no")))[0] == 4403


async def test_a_folder_without_a_repository_is_4404(
    connect: OpenPage, repository: RepositoryFolder
) -> None:
    (repository.root.parent / "plain").mkdir()
    assert await refused(connect, repo="plain") == (
        4404,
        "There is no git repository here; create one with `git init`.",
    )
    assert (await refused(connect, repo="missing"))[0] == 4404
    assert (await refused(connect, repo="garden/.git"))[0] in {4403, 4404}


@pytest.fixture
def give_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GiveAway:
    """Make places another user's; who may not do that lets git take them for it."""

    def as_root(*places: Path) -> None:
        for place in places:
            os.chown(place, 12345, 12345)

    def as_anybody(*_places: Path) -> None:
        program = tmp_path / "programs" / "git"
        program.parent.mkdir()
        words = f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"'
        program.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)

    return as_root if os.geteuid() == 0 else as_anybody


async def test_another_user_s_repository_is_refused(
    connect: OpenPage, repository: RepositoryFolder, give_away: GiveAway
) -> None:
    give_away(repository.root, *repository.root.rglob("*"))
    code, reason = await refused(connect)
    assert code == 4403
    assert "another user" in reason


async def test_another_user_s_repository_around_our_folder_is_refused(
    connect: OpenPage, jp_root_dir: Path, tmp_path: Path, give_away: GiveAway
) -> None:
    above = make_repository(tmp_path)
    (jp_root_dir / "inner").mkdir()
    give_away(above.root, above.root / ".git")
    code, _ = await refused(connect, repo="inner")
    assert code == 4403


async def test_our_own_repository_around_the_root_is_served(
    connect: OpenPage, jp_root_dir: Path, tmp_path: Path
) -> None:
    make_repository(tmp_path, {"above.txt": "up here\n"})
    (jp_root_dir / "inner").mkdir()
    page = await connect(repo="inner")
    assert await page.call("Repo.get_file_content", "above.txt") == "up here\n"


async def test_the_kernel_s_nonce_must_be_in_the_very_same_folder(
    connect: OpenPage, repository: RepositoryFolder
) -> None:
    nonce = write_nonce(state_dir(repository.root / ".git"))
    copy = repository.root.parent / "copy"
    shutil.copytree(repository.root, copy)
    newer = write_nonce(state_dir(copy / ".git"))
    page = await connect(repo=str(repository.root), nonce=nonce)
    await page.ready()
    code, reason = await refused(connect, repo=str(repository.root), nonce=newer)
    assert code == 4409
    assert "different files" in reason
    assert (await refused(connect, repo=str(repository.root), nonce="0" * 32))[0] == 4409
    assert (await refused(connect, repo="garden", nonce="x"))[0] == 4409


async def failure(page: Page, method: str, *args: object) -> str:
    with pytest.raises(CallFailedError) as caught:
        await page.call(method, *args)
    return str(caught.value.kind)


async def test_paths_that_leave_the_repository_are_refused(
    connect: OpenPage, repository: RepositoryFolder, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("s", encoding="utf-8")
    (repository.root / "link").symlink_to(tmp_path / "secret.txt")
    (repository.root / "folder").symlink_to(tmp_path)
    page = await connect()
    asked = ["../secret.txt", str(tmp_path / "secret.txt"), ".git/config", ".GIT/config", "link"]
    asked += ["folder/secret.txt", "docs/../../secret.txt", "docs/../.git/HEAD", "a\0b", "C:\\x"]
    for path in asked:
        assert await failure(page, "Repo.get_file_content", path) == "refused_path", path
    kept = await page.call("LLMService.set_selected_files", [*asked, "a.py"])
    assert kept == ["a.py"]


@pytest.mark.parametrize(
    "method",
    ["Repo.run_git", "Repo._root", "Repo.__init__", "LLMService.book", "os.system", "a", ""],
)
async def test_only_listed_methods_can_be_called(connect: OpenPage, method: str) -> None:
    page = await connect()
    with pytest.raises(CallFailedError) as caught:
        await page.call(method)
    assert caught.value.code == -32601
    assert method not in page.methods


async def test_a_hostile_repository_runs_nothing(
    connect: OpenPage, repository: RepositoryFolder, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    evil = tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\necho x >> {ran}\ncat\n", encoding="utf-8")
    evil.chmod(0o755)
    for hook in ("post-checkout", "post-index-change", "fsmonitor-watchman", "pre-commit"):
        shutil.copy(evil, repository.root / ".git/hooks" / hook)
    for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.evil.textconv"):
        repository.git("config", key, str(evil))
    for key in ("filter.evil.clean", "filter.evil.process", "core.sshCommand", "core.editor"):
        repository.git("config", key, str(evil))
    repository.git("config", "core.hooksPath", str(repository.root / ".git/hooks"))
    repository.write(".gitattributes", "*.py diff=evil filter=evil\n")
    repository.write("a.py", "print('changed')\n")
    ran.unlink(missing_ok=True)
    page = await connect()
    await page.ready()
    for method, args in (
        ("Repo.get_file_tree", ()),
        ("Repo.get_flat_file_list", ()),
        ("Repo.is_clean", ()),
        ("Repo.get_current_branch", ()),
        ("Repo.search_files", ("print",)),
        ("Repo.get_file_content", ("a.py",)),
    ):
        await page.call(method, *args)
    assert not ran.exists()


class Gate:
    """What an administrator's authorizer allows; late when asked to be."""

    def __init__(self, allowed: set[str], *, is_late: bool) -> None:
        self.allowed = allowed
        self.is_late = is_late
        self.asked: list[tuple[str, str]] = []

    def is_authorized(
        self, _handler: object, _user: object, action: str, resource: str
    ) -> JsonValue:
        self.asked.append((action, resource))
        answer = action in self.allowed
        return self._later(answer) if self.is_late else answer

    async def _later(self, answer: bool) -> bool:
        await asyncio.sleep(0)
        return answer


@pytest.mark.parametrize("is_late", [False, True])
async def test_each_call_is_put_to_the_server_s_authorizer(
    connect: OpenPage, jp_serverapp: ServerApp, is_late: bool
) -> None:
    gate = Gate({"read"}, is_late=is_late)
    jp_serverapp.web_app.settings["authorizer"] = gate
    page = await connect()
    assert await page.call("LLMService.get_selected_files") == []
    assert await failure(page, "LLMService.chat_streaming", "r-1", "Hi") == "access_denied"
    assert {resource for _, resource in gate.asked} == {"jupyter-ac"}


async def test_who_may_not_even_read_is_4401(connect: OpenPage, jp_serverapp: ServerApp) -> None:
    jp_serverapp.web_app.settings["authorizer"] = Gate(set(), is_late=True)
    code, reason = await refused(connect)
    assert code == 4401
    assert "does not let you" in reason
