"""Two clients of a real server, each with a conversation of its own."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

from tests.support.json_values import JsonValue
from tests.support.model_process import RunningModelServer
from tests.support.pages import EVENTS, CallFailedError, Page
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

LIMIT_S = 90.0
STATE = "LLMService.get_current_state"
OPEN = "LLMService.open_conversation"


@asynccontextmanager
async def client(serve: ServeProcess, name: str) -> AsyncIterator[Page]:
    request = HTTPRequest(f"{serve.address}&client={name}", connect_timeout=30)
    page = Page(await websocket_connect(request), (*EVENTS, "streamDelta"))
    try:
        await page.ready()
        yield page
    finally:
        await page.leave()


async def state_of(page: Page) -> JsonValue:
    found: JsonValue = await page.call(STATE)
    return found


async def post(serve: ServeProcess, name: str, method: str, *args: str) -> JsonValue:
    """Call over a connection of its own, as a script does."""
    address = serve.page.replace("/?", "/rpc?") + f"&client={name}"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": args})
    headers = {"Content-Type": "application/json"}
    request = HTTPRequest(address, "POST", headers, body, request_timeout=LIMIT_S)
    answer: JsonValue = json.loads((await AsyncHTTPClient().fetch(request)).body)
    return answer["result"]


async def test_two_answers_run_at_once_and_each_goes_on_after_a_kill(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    folder = make_repository(tmp_path / "garden", {"oak.py": "1\n", "elm.py": "2\n"})
    environment = plain_environment(
        tmp_path / "home",
        JUPYTER_AC_MODEL="openai/scripted-stall",
        JUPYTER_AC_API_BASE=model_server.openai,
        OPENAI_API_KEY="sk-scripted-0000",
    )
    with serving(folder.root, environment) as serve:
        async with client(serve, "one") as one, client(serve, "two") as two:
            opened: JsonValue = await two.call(OPEN, "")
            with pytest.raises(CallFailedError, match="There is no session 'sess_0_none'"):
                await two.call(OPEN, "sess_0_none")
            await one.call("LLMService.set_selected_files", ["oak.py"])
            await two.call("LLMService.set_selected_files", ["elm.py"])
            await one.call("LLMService.chat_streaming", "1-a", "In the first?")
            await two.call("LLMService.chat_streaming", "2-b", "In the second?")
            for page in (one, two):
                await page.event("streamDelta", LIMIT_S)
            assert [stream["request_id"] for stream in (await state_of(two))["active_streams"]] == [
                "2-b"
            ]
            # A script with the client's name is in the client's conversation.
            assert (await post(serve, "two", STATE))["session_id"] == opened["session_id"]
            other = await post(serve, "three", STATE)
            assert [row["request_id"] for row in other["active_streams"]] == ["1-a"]
        serve.end(signal.SIGKILL)
        serve.start()
        async with client(serve, "two") as two, client(serve, "one") as one:
            await two.call(OPEN, opened["session_id"])
            for page, question, ticked in (
                (one, "In the first?", "oak.py"),
                (two, "In the second?", "elm.py"),
            ):
                state = await state_of(page)
                said = [row["content"] for row in state["messages"] if row["role"] == "user"]
                assert (said, state["selected_files"]) == ([question], [ticked])
                assert state["messages"][-1]["state"] == "error"
            assert (await state_of(two))["session_id"] == opened["session_id"]
            assert await asyncio.gather(state_of(one), state_of(one))
