"""`jupyter-ac/events` of a real Jupyter server, by raw connections."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from jupyter_server.auth.authorizer import Authorizer
from jupyter_server.auth.identity import User
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient

from jupyter_ac.store.nonce import write_nonce
from jupyter_ac.store.state_paths import state_dir
from tests.hosts.conftest import OpenPage
from tests.support.event_source import EventSource, following
from tests.support.repositories import RepositoryFolder, make_repository

Locate = Callable[..., tuple[int, str]]


@pytest.fixture
def at(
    jp_serverapp: ServerApp,
    http_server_client: AsyncHTTPServerClient,
    jp_base_url: str,
    repository: RepositoryFolder,
) -> Locate:
    """Where the events are: port, and path with token and parameters."""
    port = int(http_server_client.get_url("/").rstrip("/").rpartition(":")[2])
    secret = str(jp_serverapp.identity_provider.token)

    def locate(
        more: str = "", repo: str = repository.root.name, token: str = secret, end: str = ""
    ) -> tuple[int, str]:
        return port, f"{jp_base_url}jupyter-ac/events{end}?token={token}&repo={quote(repo)}{more}"

    return locate


async def refused(place: tuple[int, str], *headers: str) -> tuple[int, str]:
    source = await EventSource.open(*place, *headers)
    await source.leave()
    return source.status, str(source.state["message"])


@pytest.mark.parametrize("end", ["", "/stream"])
@pytest.mark.parametrize("jp_base_url", ["/", "/user/x/"])
async def test_the_whole_state_comes_first_and_again_after_each_change(
    at: Locate, connect: OpenPage, end: str
) -> None:
    page = await connect()
    await page.ready()
    async with following(*at(end=end)) as source:
        first = await source.event()
        assert source.status == 200
        assert source.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert source.headers["cache-control"] == "no-store"
        assert source.headers["x-accel-buffering"] == "no"
        assert "access-control-allow-origin" not in source.headers
        await page.call("LLMService.set_selected_files", ["a.py"])
        second = await source.event()
        assert second.keys() == first.keys()
        assert source.conversation["selected_files"] == ["a.py"]


async def test_who_comes_back_gets_what_was_missed(at: Locate, connect: OpenPage) -> None:
    page = await connect()
    await page.ready()
    async with following(*at("&delta=1")) as source:
        await source.event()
    await page.call("LLMService.set_selected_files", ["a.py", "b.py"])
    async with following(*at("&delta=1"), f"Last-Event-ID: {source.last_id}") as source:
        missed = await source.event()
        assert set(missed) == {"revision", "delta", "conversation", "conversation_hash"}
        assert source.conversation["selected_files"] == ["a.py", "b.py"]


@pytest.mark.usefixtures("scripted")
async def test_an_answer_is_followed_from_its_beginning_to_its_end(
    at: Locate, connect: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-slow@0.05")
    page = await connect()
    await page.ready()
    async with following(*at()) as source:
        await source.event()
        await page.call("LLMService.chat_streaming", "r-1", "Why a garden?")
        await source.until(active_streams=["r-1"], message_count=1)
        state = await source.until(active_streams=[], message_count=2)
        assert "garden?" not in json.dumps(state)


async def test_changed_files_and_reviews_are_told_without_a_page(
    at: Locate, repository: RepositoryFolder
) -> None:
    async with following(*at()) as source:
        await source.event()
        # A file that is there before the first look at the tree is no change.
        for number in range(100):
            (repository.root / f"new{number}.txt").write_text("n", encoding="utf-8")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    while '"files_version": 0' in json.dumps(source.state):
                        await source.event()
                break
        assert '"files_version": 0' not in json.dumps(source.state)


async def test_without_a_login_nobody_gets_in(at: Locate) -> None:
    for token in ("", "wrong"):
        assert (await refused(at(token=token)))[0] == 403


async def test_pages_of_other_sites_are_refused(at: Locate) -> None:
    status, message = await refused(at(), "Sec-Fetch-Site: cross-site")
    assert (status, "other sites" in message) == (403, True)


async def test_a_repository_that_may_not_be_shown_is_refused(
    at: Locate, repository: RepositoryFolder
) -> None:
    (repository.root.parent / "plain").mkdir()
    assert (await refused(at(repo="/")))[0] == 403
    assert (await refused(at(repo="none")))[0] == 404
    assert (await refused(at(repo="plain")))[0] == 404
    assert (await refused(at("&delta=x")))[0] == 400
    assert (await refused(at("&client=a%20b")))[0] == 400


async def test_the_files_must_be_those_that_the_kernel_sees(
    at: Locate, repository: RepositoryFolder
) -> None:
    nonce = write_nonce(state_dir(repository.root / ".git"))
    async with following(*at(f"&nonce={nonce}")) as source:
        assert source.status == 200
    assert (await refused(at(f"&nonce={'0' * 32}")))[0] == 409


class Nobody(Authorizer):
    """Refuses everybody."""

    def is_authorized(
        self, handler: JupyterHandler, user: User, action: str, resource: str
    ) -> bool:
        del handler, user
        return (action, resource) != ("read", "jupyter-ac")


async def test_the_authorizer_is_asked_for_read(
    at: Locate, jp_serverapp: ServerApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorizer = Nobody(parent=jp_serverapp, identity_provider=jp_serverapp.identity_provider)
    monkeypatch.setitem(jp_serverapp.web_app.settings, "authorizer", authorizer)
    assert (await refused(at()))[0] == 403


async def test_two_repositories_have_feeds_of_their_own(
    at: Locate, repository: RepositoryFolder, connect: OpenPage
) -> None:
    make_repository(repository.root.parent / "shed", {"tool.py": "saw\n"})
    page = await connect(repo="shed")
    await page.ready()
    async with following(*at()) as garden, following(*at(repo="shed")) as shed:
        await garden.event()
        await shed.event()
        await page.call("LLMService.set_selected_files", ["tool.py"])
        await shed.until(selected_files=["tool.py"])
        assert garden.conversation["selected_files"] == []
        assert garden.last_id != shed.last_id


async def test_a_client_that_only_looks_on_keeps_no_server_alive(
    at: Locate, jp_serverapp: ServerApp, connect: OpenPage
) -> None:
    async with following(*at()) as source:
        await source.event()
        assert "jupyter_ac_last_activity" not in jp_serverapp.web_app.settings
        assert "api_last_activity" not in jp_serverapp.web_app.settings
        # The workspace is open as long as somebody follows it.
        page = await connect()
        await page.ready()
        await page.call("LLMService.set_selected_files", ["b.py"])
        await page.leave()
        await source.until(selected_files=["b.py"])


async def test_when_the_extension_stops_the_streams_end(
    at: Locate, jp_serverapp: ServerApp
) -> None:
    async with following(*at()) as source:
        await source.event()
        (extension,) = jp_serverapp.extension_manager.extension_apps["jupyter_ac"]
        async with asyncio.timeout(60):
            await extension.stop_extension()
        await source.end()
