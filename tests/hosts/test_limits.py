"""The administrator's limits, in every program that answers: each a process of its own."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.kernel.child.host import HostChild
from tests.support.kernels import printed, running_kernel
from tests.support.model_process import RunningModelServer
from tests.support.pages import Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import serving
from tests.support.stdio_process import run_command, scripted_environment, stdio

LIMIT_S = 90.0
DENIED = "openai/scripted-secret"
LIMITS = {
    "allowed_models": ["openai/scripted*"],
    "denied_models": [DENIED],
    "locked_settings": ["litellm.api_base"],
}
SENTENCE = f"The administrator has denied the model {DENIED!r}"

Caller = Callable[..., Awaitable[object]]


@dataclass(frozen=True)
class Machine:
    """A user's repository and environment on a machine with limits."""

    garden: RepositoryFolder
    env: Mapping[str, str]


@pytest.fixture
def machine(tmp_path: Path, model_server: RunningModelServer) -> Machine:
    env = scripted_environment(tmp_path / "home", model_server.openai)
    limits = Path(env["JUPYTER_CONFIG_DIR"], "jupyter_ac_config.json")
    limits.write_text(json.dumps({"JupyterAC": LIMITS}))
    return Machine(
        make_repository(tmp_path / "garden", {"a.py": "print(1)\n"}),
        {**env, "JUPYTER_AC_MODEL": DENIED},
    )


@asynccontextmanager
async def by_serve(machine: Machine) -> AsyncIterator[Caller]:
    with serving(machine.garden.root, machine.env) as server:
        page = Page(await websocket_connect(HTTPRequest(server.address, connect_timeout=30)))
        try:
            yield page.call
        finally:
            await page.leave()


@asynccontextmanager
async def by_stdio(machine: Machine) -> AsyncIterator[Caller]:
    async with stdio("--repo", str(machine.garden.root), env=machine.env) as host:
        count = 0

        async def call(method: str, *args: object) -> object:
            nonlocal count
            count += 1
            host.send({"jsonrpc": "2.0", "id": count, "method": method, "params": args})
            return (await host.answer(count))["result"]

        yield call


@asynccontextmanager
async def by_the_kernel_s_child(machine: Machine) -> AsyncIterator[Caller]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in machine.env.items():
            patch.setenv(name, value)
        child = HostChild(machine.garden.root)
        try:
            connected = await asyncio.wrap_future(child.submit(child.connect("limits", "", {})))

            async def call(method: str, *args: object) -> object:
                return await asyncio.wrap_future(child.submit(connected.peer.call(method, *args)))

            yield call
        finally:
            await asyncio.to_thread(child.close, LIMIT_S)


async def end_of_answer(call: Caller, request_id: str) -> Mapping[str, object]:
    """Wait until an answer is over."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            found = await call("LLMService.attach_stream", request_id)
            assert isinstance(found, dict)
            if found["done"]:
                return found
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("door", [by_serve, by_stdio, by_the_kernel_s_child])
async def test_what_is_denied_or_locked_is_refused(
    door: Callable[[Machine], AbstractAsyncContextManager[Caller]],
    machine: Machine,
    model_server: RunningModelServer,
) -> None:
    async with door(machine) as call:
        assert await call("LLMService.chat_streaming", "1-a", "May I?") == {"status": "started"}
        ended = await end_of_answer(call, "1-a")
        assert ended["state"] == "error"
        assert SENTENCE in str(ended["error"])

        for model, says in ((DENIED, SENTENCE), ("anthropic/any", "has not allowed the model")):
            refused = await call("Settings.choose_model", model)
            assert isinstance(refused, dict)
            assert says in refused["error"]
        locked = json.dumps({"api_base": "http://127.0.0.1:1/v1"})
        refused = await call("Settings.save_config_content", "litellm", locked, True)
        assert isinstance(refused, dict)
        assert "litellm.api_base" in refused["error"]
        denied = json.dumps({"model": DENIED})
        refused = await call("Settings.save_config_content", "litellm", denied, True)
        assert isinstance(refused, dict)
        assert SENTENCE in refused["error"]
    assert model_server.requests() == []
    assert not Path(machine.env["JUPYTER_AC_CONFIG_DIR"], "llm.json").exists()


@pytest.mark.parametrize("chosen", [(), ("--model", DENIED)])
def test_ask_ends_with_the_administrator_s_sentence(
    chosen: tuple[str, ...], machine: Machine, model_server: RunningModelServer
) -> None:
    done = run_command("ask", "May I?", *chosen, env=machine.env, cwd=machine.garden.root)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("jupyter-ac: ")
    assert SENTENCE in done.stderr
    assert model_server.requests() == []


async def test_a_cell_ends_with_it_too(machine: Machine, model_server: RunningModelServer) -> None:
    async with running_kernel(machine.garden.root, None, **machine.env) as kernel:
        await kernel.run("%load_ext jupyter_ac")
        said = printed(await kernel.run("%%ac\nMay I?"))
        chosen = printed(await kernel.run(f"%%ac --model {DENIED}\nMay I?"))
    assert SENTENCE in said
    assert SENTENCE in chosen
    assert model_server.requests() == []
