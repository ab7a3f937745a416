"""The real `@flatmax/jrpc-oo` node client, through the Jupyter server's socket."""

import asyncio
from collections.abc import Callable

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient

from tests.support.jrpc_client import NodeCallError, NodePage, node_clients
from tests.support.repositories import RepositoryFolder

APP = {
    "AcApp": [
        "startupProgress",
        "streamChunk",
        "streamComplete",
        "userMessage",
        "sessionChanged",
        "filesChanged",
        "compactionEvent",
    ]
}
Address = Callable[..., str]


@pytest.fixture
def address(
    repository: RepositoryFolder,
    jp_serverapp: ServerApp,
    http_server_client: AsyncHTTPServerClient,
    jp_base_url: str,
) -> Address:
    """Give the socket's URL for a page."""

    def url(client: str = "") -> str:
        base = http_server_client.get_url(jp_base_url).replace("http", "ws", 1)
        token = jp_serverapp.identity_provider.token
        return f"{base}jupyter-ac/rpc?repo={repository.root.name}&client={client}&token={token}"

    return url


async def next_event(page: NodePage, name: str, wait_s: float = 90) -> list[object]:
    """Wait for a call of one of the page's methods; return its arguments."""
    async with asyncio.timeout(wait_s):
        while True:
            method, args = await page.called(wait_s)
            if method == f"AcApp.{name}":
                assert isinstance(args, list)
                return args


async def test_calls_errors_and_events_pass_both_ways(address: Address) -> None:
    async with node_clients() as node:
        one = await node.connect(address("one"), expose=APP)
        two = await node.connect(address("two"), expose=APP)
        assert await one.call("Repo.get_file_content", "a.py") == "print(1)\n"
        assert await one.call("Repo.get_file_content", "a.py", via="server") == "print(1)\n"
        with pytest.raises(NodeCallError) as caught:
            await one.call("Repo.get_file_content", "../x")
        error = caught.value.error
        assert isinstance(error, dict)
        assert error["code"] == -32000
        assert error["data"]["type"] == "refused_path"
        assert await one.call("LLM.set_selected_files", ["b.py"]) == ["b.py"]
        assert await next_event(one, "filesChanged") == [["b.py"]]
        assert await next_event(two, "filesChanged") == [["b.py"]]


@pytest.mark.usefixtures("scripted")
async def test_an_answer_streams_whatever_the_page_acknowledges(address: Address) -> None:
    modes = ("true", "undefined", "null", "reject", "reject-object", "throw", "never")
    async with node_clients() as node:
        silent = await node.connect(address("silent"), ready=False, silent=True)
        for number, mode in enumerate(modes):
            page = await node.connect(address(mode), expose=APP, ack=mode)
            asked = await page.call("LLMService.chat_streaming", f"r-{number}", f"Hello {mode}")
            assert asked == {"status": "started"}, mode
            _, result = await next_event(page, "streamComplete", 30)
            assert isinstance(result, dict)
            assert f"Hello {mode}" in result["response"]
            chunks = [
                event["args"]
                for event in page.seen
                if event["event"] == "called" and event["method"] == "AcApp.streamChunk"
            ]
            assert chunks[-1] == [f"r-{number}", result["response"]], mode
            await page.close()
        await silent.close()


@pytest.mark.usefixtures("scripted")
async def test_a_page_that_was_cut_off_finds_its_stream_again(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-slow@0.1")
    async with node_clients() as node:
        first = await node.connect(address("page"), expose=APP)
        await first.call("LLMService.chat_streaming", "r-1", "Go on without me.")
        await next_event(first, "streamChunk", 30)
        await first.close(terminate=True)
        second = await node.connect(address("page"), expose=APP)
        state = await second.call("LLMService.get_current_state")
        assert isinstance(state, dict)
        assert [stream["request_id"] for stream in state["active_streams"]] == ["r-1"]
        attached = await second.call("LLMService.attach_stream", "r-1")
        assert isinstance(attached, dict)
        _, result = await next_event(second, "streamComplete", 30)
        assert isinstance(result, dict)
        assert result["response"].startswith(attached["text"])


async def test_a_page_that_exposes_nothing_is_served_too(address: Address) -> None:
    async with node_clients() as node:
        page = await node.connect(address())
        assert await page.call("Repo.is_clean") is True


async def test_a_message_over_the_limit_is_told_to_the_page(address: Address) -> None:
    async with node_clients() as node:
        page = await node.connect(address())
        await page.raw("x" * (17 << 20))
        closed = await page.event("close")
        assert (closed["code"], closed["reason"]) == (1009, "a message may have at most 16 MiB")
