"""The socket of a real Jupyter server: what happens on a connection."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.hosts.conftest import OpenPage
from tests.support.pages import CallFailedError, Page
from tests.support.repositories import RepositoryFolder, make_repository


async def test_a_page_reads_the_repository_it_names(
    connect: OpenPage,
) -> None:
    page = await connect(client="one")
    await page.ready()
    assert await page.call("Repo.get_file_content", "a.py") == "print(1)\n"
    assert "LiteLLM.chat_streaming" in page.methods
    state = await page.state()
    assert (state["repo_name"], state["protocol"]) == ("garden", 1)


@pytest.mark.parametrize("jp_base_url", ["/user/x/"])
async def test_it_stands_behind_any_base_url(
    repository: RepositoryFolder, connect: OpenPage
) -> None:
    page = await connect(repo=str(repository.root))
    assert await page.call("Repo.get_current_branch") is not None


async def test_every_page_hears_that_the_start_is_complete(
    connect: OpenPage,
) -> None:
    first = await connect()
    await first.ready()
    later = await connect(repo="garden/docs")
    assert await later.event("startupProgress") == list(first.named("startupProgress"))[-1]
    stages = [args[0] for args in first.named("startupProgress")]
    assert stages[-1] == "ready"
    assert (await first.state())["init_complete"] is True


async def test_two_pages_share_the_selection(
    connect: OpenPage,
) -> None:
    one, two = await connect(client="1"), await connect(client="2")
    await asyncio.gather(one.ready(), two.ready())
    kept = await one.call("LLMService.set_selected_files", ["b.py", "no.py", "a.py", "b.py"])
    assert kept == ["b.py", "a.py"]
    assert await one.event("filesChanged") == await two.event("filesChanged") == [kept]
    assert await two.call("LLMService.get_selected_files") == kept


async def test_two_repositories_are_served_at_once(
    repository: RepositoryFolder, connect: OpenPage
) -> None:
    make_repository(repository.root.parent / "shed", {"tool.py": "saw\n"})
    garden, shed = await connect(), await connect(repo="shed")
    await garden.call("LLMService.set_selected_files", ["a.py"])
    await shed.call("LLMService.set_selected_files", ["tool.py", "a.py"])
    assert (await garden.state())["selected_files"] == ["a.py"]
    assert (await shed.state())["selected_files"] == ["tool.py"]
    assert list(shed.named("filesChanged")) == [[["tool.py"]]]


@pytest.mark.usefixtures("scripted")
async def test_a_question_is_answered_and_both_pages_show_it(connect: OpenPage) -> None:
    one, two = await connect(client="1"), await connect(client="2")
    await two.state()  # an answered call means: this page is among the listeners
    asked = await one.call("LLMService.chat_streaming", "1700000000000-abcdef", "Why a garden?")
    assert asked == {"status": "started"}
    assert await two.event("userMessage") == [
        {"content": "Why a garden?", "request_id": "1700000000000-abcdef"}
    ]
    request_id, result = await one.event("streamComplete", wait_s=90)
    assert request_id == "1700000000000-abcdef"
    assert isinstance(result, dict)
    assert "Why a garden?" in result["response"]
    assert list(one.named("streamChunk"))[-1] == [request_id, result["response"]]
    (changed,) = await two.event("sessionChanged")
    assert isinstance(changed, dict)
    assert [message["role"] for message in changed["messages"]] == ["user", "assistant"]
    assert not list(one.named("userMessage"))


@pytest.mark.usefixtures("scripted")
async def test_a_page_that_comes_back_takes_the_running_stream_over(
    monkeypatch: pytest.MonkeyPatch,
    connect: OpenPage,
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-slow@0.05")
    first = await connect(client="1")
    await first.call("LLMService.chat_streaming", "r-1", "A long one, please.")
    await first.event("streamChunk", wait_s=90)
    await first.leave()
    second = await connect(client="1")
    streams = (await second.state())["active_streams"]
    assert isinstance(streams, list)
    (running,) = streams
    assert running["request_id"] == "r-1"
    attached = await second.call("LLMService.attach_stream", "r-1")
    assert isinstance(attached, dict)
    assert attached["done"] is False
    _, result = await second.event("streamComplete", wait_s=90)
    assert isinstance(result, dict)
    assert result["response"].startswith(attached["text"])
    assert len(result["response"]) > attached["length"]
    await second.state()


@pytest.mark.usefixtures("scripted")
async def test_work_keeps_the_server_from_being_culled(
    monkeypatch: pytest.MonkeyPatch,
    jp_serverapp: ServerApp,
    connect: OpenPage,
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-stall")
    manager = jp_serverapp.extension_manager
    page = await connect()
    await page.state()
    assert "jupyter_ac_last_activity" not in jp_serverapp.web_app.settings
    assert not manager.any_activity()
    await page.call("LLMService.chat_streaming", "r-1", "Wait.")
    await page.event("streamChunk", wait_s=90)
    assert manager.any_activity()
    assert "jupyter_ac_last_activity" in jp_serverapp.web_app.settings
    await page.call("LLMService.cancel_streaming", "r-1")
    await page.event("streamComplete")
    assert not manager.any_activity()


async def test_without_a_model_the_page_is_told_what_to_set(
    connect: OpenPage,
) -> None:
    page = await connect()
    model = (await page.state())["model"]
    assert isinstance(model, dict)
    assert model["available"] is False
    assert "ANTHROPIC_API_KEY" in model["message"]


async def test_many_calls_at_once_are_all_answered(
    connect: OpenPage,
) -> None:
    page = await connect()
    calls = [page.call("LLMService.get_selected_files") for _ in range(2000)]
    async with asyncio.timeout(30):
        assert await asyncio.gather(*calls) == [[]] * 2000


async def test_a_message_over_the_limit_closes_with_1009(
    connect: OpenPage,
) -> None:
    page = await connect()
    await page.ready()
    text = "x" * (15 << 20)
    with pytest.raises(CallFailedError):
        await page.call("Repo.no_such_method", text)
    with pytest.raises(CallFailedError):
        await page.call("Repo.no_such_method", text)
    page.socket.write_message("x" * ((16 << 20) + 1))
    code, _reason = await page.closed()
    assert code == 1009


async def test_frames_are_not_compressed(
    repository: RepositoryFolder, jp_ws_fetch: Callable[..., Awaitable[WebSocketClientConnection]]
) -> None:
    socket = await jp_ws_fetch(
        "jupyter-ac", "rpc", params={"repo": repository.root.name}, compression_options={}
    )
    assert socket.headers is not None
    assert "Sec-WebSocket-Extensions" not in socket.headers
    socket.close()


async def test_a_workspace_nobody_uses_closes_and_opens_again(
    connect: OpenPage, jp_serverapp: ServerApp
) -> None:
    (extension,) = jp_serverapp.extension_manager.extension_apps["jupyter_ac"]
    registry = extension._connections._registry
    registry._idle_s = 0.05
    page = await connect()
    await page.call("LLMService.set_selected_files", ["a.py"])
    assert len(registry) == 1
    await page.leave()
    async with asyncio.timeout(30):
        while len(registry):
            await asyncio.sleep(0.01)
    again = await connect()
    assert (await again.state())["selected_files"] == ["a.py"]


@pytest.mark.parametrize("client", ["a b", "x" * 65, "ä", "../x"])
async def test_a_client_name_that_is_none_is_refused_and_no_token_is_logged(
    connect: OpenPage,
    client: str,
    jp_serverapp: ServerApp,
    caplog: pytest.LogCaptureFixture,
) -> None:
    token = jp_serverapp.identity_provider.token
    with pytest.raises(HTTPClientError) as caught:
        await connect(client=client, token=token)
    assert caught.value.code == 400
    assert token not in caplog.text


async def test_a_folder_s_name_that_is_not_utf_8_is_looked_for_as_it_is(
    jp_serverapp: ServerApp, jp_base_url: str, http_server_client: AsyncHTTPServerClient
) -> None:
    base = http_server_client.get_url(jp_base_url).replace("http", "ws", 1)
    token = jp_serverapp.identity_provider.token
    page = Page(await websocket_connect(f"{base}jupyter-ac/rpc?repo=gard%e9n&token={token}"))
    code, reason = await page.closed()
    await page.leave()
    assert code in {4403, 4404}  # macOS knows no such names
    assert reason


@pytest.mark.usefixtures("scripted")
async def test_the_server_stops_with_pages_and_a_stream_open(
    monkeypatch: pytest.MonkeyPatch,
    jp_serverapp: ServerApp,
    connect: OpenPage,
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-stall")
    page = await connect()
    await page.call("LLMService.chat_streaming", "r-1", "Wait.")
    await page.event("streamChunk", wait_s=90)
    async with asyncio.timeout(30):
        await jp_serverapp.cleanup_extensions()
    assert await page.closed() == (1001, "The server is stopping.")
    late = await connect()
    assert (await late.closed())[0] == 1012
