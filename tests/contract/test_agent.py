"""Runs of an agent at each door: a scripted model reads, edits, runs commands, and is undone."""

import asyncio
import json
from collections.abc import Iterator
from typing import Final, cast

import pytest

from tests.chat.edited import edit
from tests.contract.contract import contract
from tests.contract.doors import DOORS, Client, Door, HostEnvironment
from tests.support.json_values import JsonValue
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository

MODELS: Final = {"native": "openai/gpt-4o", "text": "openai/scripted"}
"""A model whose provider takes tools, and one whose calls stand in its text."""


@pytest.fixture(scope="module", params=DOORS)
def door(
    request: pytest.FixtureRequest,
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Door]:
    """A door with a model that takes tools."""
    place = tmp_path_factory.mktemp(f"agent-{request.param}")
    files: dict[str, str | bytes] = {"plan.txt": "one\ntwo\n", "other.txt": "other\n"}
    folder = make_repository(place / "garden", files)
    environment = {**host_environment(place / "home"), "JUPYTER_AC_MODEL": MODELS["native"]}
    opened = DOORS[request.param](background, folder, environment)
    opened.run(opened.start())
    yield opened
    opened.run(opened.aclose())


@pytest.fixture
def garden(door: Door) -> RepositoryFolder:
    return door.folder


@pytest.fixture(autouse=True)
def _scripted(provider: RunningModelServer, garden: RepositoryFolder) -> Iterator[None]:
    provider.answer_as("scripted-tools")
    yield
    provider.answer_as("")
    garden.git("reset", "--quiet", "--hard", "HEAD")
    garden.git("clean", "--quiet", "-fd")


def call(name: str, **arguments: object) -> str:
    return f"@call {name} {json.dumps(arguments)}\n"


async def begin(page: Client, request_id: str, mode: str, *answers: str) -> None:
    """Ask with a script in a conversation of its own."""
    await page.ready()
    await page.call("new_session")
    question = "\n=====\n".join(["Please do it.", *answers])
    await page.call(
        *("chat_streaming", request_id, question, None, None, None, None, False, None, mode)
    )


async def asked(page: Client) -> JsonValue:
    """Wait for the call that waits for the user."""
    async with asyncio.timeout(90):
        while not (waiting := await value_of(page, "list_pending_tools")):
            await asyncio.sleep(0.05)
    (one,) = waiting
    return one


async def value_of(page: Client, name: str, *args: object) -> JsonValue:
    return cast("JsonValue", await page.call(name, *args))


async def ended(page: Client) -> JsonValue:
    """Wait for the end of the turn and return its result."""
    result = cast("JsonValue", await page.completion())
    assert "error" not in result, result
    return result


@contract
async def test_a_run_reads_edits_runs_a_command_and_is_undone(
    door: Door, garden: RepositoryFolder, provider: RunningModelServer
) -> None:
    before = len(provider.requests())
    async with door.open() as page:
        await begin(
            page,
            "run-whole",
            "agent",
            call("read_file", path="plan.txt") + call("list_files"),
            edit("plan.txt", "one\n", "ONE\n")
            + "\n"
            + call("run_command", command="touch made.txt"),
            "All is done.\n",
        )
        waiting = await asked(page)
        assert waiting["question"]["text"] == "touch made.txt"
        await page.call("answer_tool", "run-whole", waiting["call_id"], "allow", "once")
        run = (await ended(page))["run"]
        assert (run["state"], run["mode"]) == ("done", "agent")
        assert [row["tool"] for row in run["calls"]] == ["read_file", "list_files", "run_command"]
        assert [row["status"] for row in run["calls"]] == ["done"] * 3
        assert run["files_changed"] == ["made.txt", "plan.txt"]
        assert run["used"]["steps"] == 3
        assert (garden.root / "plan.txt").read_text() == "ONE\ntwo\n"
        assert (garden.root / "made.txt").exists()
        state = await value_of(page, "get_current_state")
        assert state["messages"][-1]["run"]["run_id"] == run["run_id"]
        assert state["selected_files"] == []
        (garden.root / "other.txt").write_text("mine\n")
        undone = await value_of(page, "undo_run", run["run_id"])
        assert sorted(undone["files_restored"]) == ["made.txt", "plan.txt"]
        assert undone["run"]["can_undo"] is False
    assert (garden.root / "plan.txt").read_text() == "one\ntwo\n"
    assert not (garden.root / "made.txt").exists()
    assert (garden.root / "other.txt").read_text() == "mine\n"
    bodies = cast("JsonValue", provider.bodies()[before:])
    tools = {json.dumps(body["tools"]) for body in bodies}
    assert len(bodies) == 3
    assert len(tools) == 1
    roles = [message["role"] for message in bodies[-1]["messages"]]
    assert roles == [
        "system",
        *("user", "assistant", "tool", "tool"),
        *("user", "assistant"),
        "tool",
        "user",
    ]
