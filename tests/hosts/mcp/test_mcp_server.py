"""`jupyter ac mcp` as a real process, asked by the SDK's client, in a real repository."""

import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.types import ElicitRequestParams, ElicitResult, TextContent

from tests.hosts.mcp.edited_garden import CI, MEAN, SECRET, garden
from tests.support.repositories import RepositoryFolder
from tests.support.stdio_process import COMMAND, command_environment

KEY = "sk-ant-api03-Zz1Yy2Xx3Ww4Vv5Uu6Tt7Ss8Rr9"


class Person:
    """Answers the questions of a server; remembers them."""

    def __init__(self, *answers: str) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    async def __call__(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        assert context is not None
        self.asked.append(params.message)
        answer = self._answers.pop(0)
        if answer == "decline":
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"decision": answer})


@asynccontextmanager
async def connected(
    folder: RepositoryFolder,
    env: Mapping[str, str],
    person: ElicitationFnT | None = None,
    *words: str,
    mode: str = "auto",
) -> AsyncIterator[Client]:
    program, *arguments = COMMAND
    server = StdioServerParameters(
        command=program,
        args=[*arguments, "mcp", "--repo", str(folder.root), *words],
        env=dict(env),
    )
    async with Client(server, mode=mode, elicitation_callback=person) as client:
        yield client


async def call(client: Client, name: str, /, **arguments: object) -> tuple[bool, str]:
    """Whether a call was an error, and its text."""
    result = await client.call_tool(name, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return bool(result.is_error), content.text


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return command_environment(tmp_path / "home", ANTHROPIC_API_KEY=KEY)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_whole_session(tmp_path: Path, env: dict[str, str], mode: str) -> None:
    folder = garden(tmp_path)
    folder.write("leak.py", f"KEY = '{KEY}'\n")
    folder.write("huge.py", "x = 1  # filler\n" * 200_000)
    folder.commit("more")
    person = Person("once", "decline", "session", "once")
    async with connected(folder, env, person, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"map", "read_file", "edit_files", "undo_edit", "list_plans"} <= tools.keys()
        assert "run_command" not in tools
        hint = tools["read_file"].annotations
        assert hint is not None
        assert hint.read_only_hint

        # Reading asks nothing; what is secret is masked, what is long is cut and says so.
        assert await call(client, "read_file", path="a.py") == (False, f"a.py\n```\n{MEAN}```\n")
        assert (
            "def mean(xs)" in (await call(client, "outline", path="a.py"))[1]
            or "mean" in (await call(client, "outline", path="a.py"))[1]
        )
        assert "a.py" in (await call(client, "search", text="sum(xs)"))[1]
        assert "mean(xs)" in (await call(client, "find_symbol", name="mean"))[1]
        assert "mean(xs)" in (await call(client, "map"))[1]
        is_error, text = await call(client, "read_file", path="huge.py", first_line=1)
        assert not is_error
        assert "[cut: lines 1 to" in text
        assert len(text) < 25_000
        assert person.asked == []

        # A file with a secret, and one that git ignores, are asked for.
        is_error, text = await call(client, "read_file", path="leak.py")
        assert (is_error, KEY in text) == (False, False)
        assert "[tool secret" in text
        assert "leak.py" in person.asked[0]
        is_error, text = await call(client, "read_file", path=".env")
        assert is_error
        assert "refused" in text
        assert (await call(client, "read_file", path=".env"))[1].count(SECRET) == 0
        await call(client, "read_file", path=".env")  # allowed for the session
        assert len(person.asked) == 3

        # What is outside stays outside.
        for path in ("../x", "/etc/passwd", ".git/config", "a.py\0", ""):
            assert (await call(client, "read_file", path=path))[0]
        # Nothing that a client sends ends the server.
        assert (await call(client, "nope"))[0]
        assert (await call(client, "read_file", path=3))[0]
        assert (await call(client, "read_file", path="a.py", more=1))[0]
        assert (await call(client, "edit_files", edits="a.py"))[0]

        # Edits are exact, ask where the file runs by itself, and are undone to the byte.
        typed = {"path": "a.py", "old": "def mean(xs):", "new": "def mean(xs: list[int]):"}
        assert "a.py: applied" in (await call(client, "edit_files", edits=[typed]))[1]
        assert len(person.asked) == 3
        change = {"path": CI, "old": "on: push", "new": "on: release"}
        assert "applied" in (await call(client, "edit_files", edits=[change]))[1]
        assert "-on: push" in person.asked[3]
        assert "list[int]" in (await call(client, "git_diff"))[1]
        assert (await call(client, "undo_edit"))[1] == f"Restored 1 file.\n- {CI}"
        assert (await call(client, "undo_edit"))[1] == "Restored 1 file.\n- a.py"
        assert (folder.root / "a.py").read_text() == MEAN
        found = json.loads((await call(client, "context_breakdown", files=["a.py"]))[1])
        assert found["total_tokens"] > 0
    assert folder.git("status", "--porcelain") == ""


async def test_without_a_way_to_ask_what_asks_is_refused(
    tmp_path: Path, env: dict[str, str]
) -> None:
    folder = garden(tmp_path)
    config = Path(env["JUPYTER_CONFIG_DIR"]) / "jupyter_ac_config.json"
    limits = {"denied_models": ["*"], "disabled_tools": ["git_log", "undo_edit"]}
    config.write_text(json.dumps({"JupyterAC": limits}))
    async with connected(folder, env) as client:
        is_error, text = await call(client, "read_file", path=".env")
        assert is_error
        assert "this client can't ask the user" in text
        is_error, text = await call(client, "create_plan", request="Grow beans")
        assert is_error
        assert "this client can't ask the user" in text
        # What an administrator has switched off is neither listed nor carried out.
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names.isdisjoint({"git_log", "undo_edit"})
        assert "There is no tool 'git_log'" in (await call(client, "git_log"))[1]


async def test_notebooks_are_read_and_edited_as_the_text_of_their_cells(
    tmp_path: Path, env: dict[str, str]
) -> None:
    folder = garden(tmp_path)
    cell = {"cell_type": "code", "id": "c1", "metadata": {}, "source": "x = 1", "outputs": []}
    output = {"output_type": "stream", "name": "stdout", "text": "one\n"}
    notebook = {
        "cells": [{**cell, "outputs": [output], "execution_count": 1}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    folder.write("n.ipynb", json.dumps(notebook))
    folder.commit("notebook")
    async with connected(folder, env) as client:
        assert "one" in (await call(client, "read_cell", path="n.ipynb", cell="c1"))[1]
        edit = {"path": "n.ipynb", "old": "x = 1", "new": "x = 2"}
        assert "applied" in (await call(client, "edit_files", edits=[edit]))[1]
    written = json.loads((folder.root / "n.ipynb").read_text())
    assert "".join(written["cells"][0]["source"]) == "x = 2"


def test_only_the_protocol_is_on_standard_output_and_the_end_leaves_nothing(
    tmp_path: Path, env: dict[str, str]
) -> None:
    folder = garden(tmp_path)
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "0"},
        },
    }
    lines = ["no JSON", json.dumps(hello), '{"jsonrpc": "2.0", "id": 2, "method": "ping"}']
    process = subprocess.run(
        [*COMMAND, "mcp"],
        env=env,
        cwd=folder.root,
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert process.returncode == 0
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert {answer.get("id") for answer in answers} >= {1, 2}
    (welcome,) = (answer for answer in answers if answer.get("id") == 1)
    assert welcome["result"]["serverInfo"]["name"] == "jupyter_ac"
    assert KEY not in process.stdout + process.stderr


def test_a_signal_ends_it_while_it_waits(tmp_path: Path, env: dict[str, str]) -> None:
    folder = garden(tmp_path)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*COMMAND, "mcp"], env=env, cwd=folder.root, stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "server/discover"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(60) == 0


def test_outside_of_a_repository_it_says_so(tmp_path: Path, env: dict[str, str]) -> None:
    done = subprocess.run(
        [*COMMAND, "mcp", "--repo", str(tmp_path)],
        env=env,
        input="",
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "jupyter-ac: " in done.stderr
