"""Runs with models whose providers want something of their own; the memory door is enough."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.chat.edited import edit
from tests.contract.doors import Client, Door, HostEnvironment, MemoryDoor
from tests.contract.test_agent import begin, call, ended
from tests.support.json_values import JsonValue
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.repositories import make_repository

CLAUDE = "anthropic/claude-sonnet-4-5"


@asynccontextmanager
async def door_in(
    place: Path, background: BackgroundLoop, environment: dict[str, str], app: JsonValue = None
) -> AsyncIterator[Door]:
    """Open a workspace in this process, with settings."""
    folder = make_repository(place / "garden", {"plan.txt": "one\ntwo\n"})
    if app is not None:
        config = Path(environment["JUPYTER_AC_CONFIG_DIR"])
        (config / "app.json").write_text(json.dumps(app))
    door = MemoryDoor(background, folder, environment)
    await door.start()
    try:
        yield door
    finally:
        await door.aclose()


def bodies_of(provider: RunningModelServer) -> JsonValue:
    return provider.bodies()


def test_signed_reasoning_goes_back_with_results_and_broken_calls_can_be_sent_again(
    tmp_path: Path,
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    provider: RunningModelServer,
) -> None:
    environment = host_environment(tmp_path / "home") | {
        "JUPYTER_AC_MODEL": CLAUDE,
        "JUPYTER_AC_API_BASE": provider.anthropic,
        "ANTHROPIC_API_KEY": "sk-ant-scripted-0123456789",
    }
    provider.forget()
    provider.answer_as("scripted-thinking-tools")

    async def work() -> JsonValue:
        async with door_in(tmp_path, background, environment) as door, door.open() as page:
            broken = '@call read_file {"path": \n'
            await begin(page, "claude", "agent", "Hm.\n" + call("list_files"), broken, "So.\n")
            result = await ended(page)
            assert "error" not in await page.say("claude-next", "And now?")
            return result

    run = background.run(work())["run"]
    assert [row["status"] for row in run["calls"]] == ["done", "failed"]
    *_, last, after = bodies_of(provider)
    kept = len(last["messages"]) - 1
    assert _without_marks(after["messages"][:kept]) == _without_marks(last["messages"][:kept])
    assert after["tools"] == last["tools"]
    parts = [part for message in after["messages"] for part in message["content"]]
    kinds = [part["type"] for part in parts if isinstance(part, dict)]
    assert kinds.count("tool_use") == kinds.count("tool_result") == 2
    signed = [part for part in parts if isinstance(part, dict) and part["type"] == "thinking"]
    assert {part["signature"] for part in signed} == {"c2lnbmVk"}
    assert "mcp" not in json.dumps(after["tools"])


def _without_marks(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {k: _without_marks(one) for k, one in value.items() if k != "cache_control"}
    return [_without_marks(one) for one in value] if isinstance(value, list) else value


def test_a_model_without_tools_calls_in_its_text(
    tmp_path: Path,
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    provider: RunningModelServer,
) -> None:
    environment = host_environment(tmp_path / "home") | {"JUPYTER_AC_MODEL": "openai/scripted"}
    provider.forget()
    provider.answer_as("scripted-edits")
    read = '🟦🟦🟦 CALL read_file\n{"path": "plan.txt"}\n🟩🟩🟩 END\n'

    async def work() -> JsonValue:
        async with door_in(tmp_path, background, environment) as door, door.open() as page:
            await begin(page, "text", "agent", read, edit("plan.txt", "one\n", "ONE\n"))
            result = await ended(page)
            assert (door.folder.root / "plan.txt").read_text() == "ONE\ntwo\n"
            assert "error" not in await page.say("text-next", "And now?")
            return result

    run = background.run(work())["run"]
    assert (run["state"], [row["tool"] for row in run["calls"]]) == ("done", ["read_file"])
    first, second, third, *_ = bodies_of(provider)
    assert not any("tools" in body for body in (first, second, third))
    assert "You can call tools." in json.dumps(first["messages"])
    assert "Result of read_file" in json.dumps(second["messages"][-1])
    kept = len(second["messages"]) - 1
    assert third["messages"][:kept] == second["messages"][:kept]


def test_a_run_that_would_never_end_keeps_to_its_money_and_the_model_is_told(
    tmp_path: Path,
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    provider: RunningModelServer,
) -> None:
    environment = host_environment(tmp_path / "home") | {"JUPYTER_AC_MODEL": "openai/gpt-4o"}
    provider.forget()
    provider.answer_as("scripted-tools")

    async def work() -> JsonValue:
        app = {"agent": {"max_usd": 0.02}}
        async with door_in(tmp_path, background, environment, app) as door, door.open() as page:
            return await _never_ending(page)

    run = background.run(work())["run"]
    assert (run["state"], run["limits"]["usd"]) == ("limit", 0.02)
    assert "$0.02" in run["reason"] or "has reached its limits" in run["reason"]
    bodies = bodies_of(provider)
    assert 1 < len(bodies) == run["used"]["steps"] < run["limits"]["steps"]
    assert run["used"]["usd"] < 0.03
    assert "$0.02" in json.dumps(bodies[0]["messages"])
    assert "This was the last step: sum up" in json.dumps(bodies[-1]["messages"])


async def _never_ending(page: Client) -> JsonValue:
    steps = [call("search", pattern=f"word{number}") for number in range(30)]
    await begin(page, "endless", "agent", *steps)
    return await ended(page)
