import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.run import ToolRun
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import RunRequest
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.hosts.agent_composition import INSTRUCTIONS, MAX_INSTRUCTIONS
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.ids import ConversationKey, RequestId
from jupyter_ac.settings.admin import JupyterAC
from tests.chat.memory import ADA, INFO
from tests.hosts.test_composition import composed
from tests.support.repositories import RepositoryFolder, make_repository

TAKES_TOOLS = replace(INFO, takes_tools=True)
REQUEST = RequestId("1-aaaaaa")


def garden(tmp_path: Path, **files: str) -> RepositoryFolder:
    named: dict[str, str | bytes] = {name.replace("_", "."): text for name, text in files.items()}
    return make_repository(tmp_path / "garden", {"a.py": "x = 1\n", **named})


async def run_in(made: Composition) -> ToolRun:
    await made.ports.models.renew()
    conversation = await made.book.open(ConversationKey(ADA))
    request = RunRequest(
        conversation, REQUEST, "turn_1", "agent", TAKES_TOOLS, (), ActiveStream(REQUEST)
    )
    run = await made.agent.agent.begin(request)
    assert isinstance(run, ToolRun)
    return run


def names_of(made: Composition) -> list[str]:
    session = Conversation(ConversationKey(ADA)).session
    blocks = made.agent.agent.tools(session, "agent", TAKES_TOOLS)
    return [json.loads(block.text)["function"]["name"] for block in blocks]


async def test_all_tools_are_there_but_those_that_are_switched_off(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        every = names_of(made)
        assert {"read_file", "run_command", "run_cell", "fetch_url", "done"} <= set(every)
    admin = JupyterAC()
    admin.disabled_tools = ["run_command", "run_cell"]
    async with composed(folder.root, tmp_path / "cache", admin) as made:
        assert set(every) - set(names_of(made)) == {"run_command", "run_cell"}


async def test_a_run_begins_with_the_users_limits_and_what_the_repository_says(
    tmp_path: Path,
) -> None:
    long = "Be kind.\n" * MAX_INSTRUCTIONS
    folder = garden(tmp_path, AGENTS_md="Use tabs.\n", CLAUDE_md=long)
    async with composed(folder.root, tmp_path / "cache") as made:
        set_agent(tmp_path, max_steps=7)
        *instructions, opening = (await run_in(made)).opening()
        assert "Left: 7 steps" in opening.text
        assert [block.path for block in instructions] == [
            f"context://instructions/{name}" for name in INSTRUCTIONS
        ]
        assert "it widens no right" in instructions[0].text
        assert "Use tabs." in instructions[0].text
        assert len(instructions[1].text) < MAX_INSTRUCTIONS + 500
        set_agent(tmp_path, read_instructions=False)
        assert len((await run_in(made)).opening()) == 1


def set_agent(tmp_path: Path, **settings: object) -> None:
    config = tmp_path / "config"
    config.mkdir(exist_ok=True)
    (config / "app.json").write_text(json.dumps({"agent": settings}))


async def test_instructions_that_would_be_asked_for_stay_here(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("From outside.\n")
    folder = garden(tmp_path)
    place, rules = folder.root / "AGENTS.md", folder.root / ".gitignore"
    async with composed(folder.root, tmp_path / "cache") as made:
        place.write_text("OPENAI_API_KEY=sk-proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9\n")
        assert len((await run_in(made)).opening()) == 1
        place.write_text("Mine alone.\n")
        rules.write_text("AGENTS.md\n")
        assert len((await run_in(made)).opening()) == 1
        rules.unlink()
        assert len((await run_in(made)).opening()) == 2
        place.unlink()
        place.symlink_to(outside)
        assert len((await run_in(made)).opening()) == 1
        place.unlink()
        place.mkdir()
        assert len((await run_in(made)).opening()) == 1


async def test_the_breakdown_and_the_turns_know_the_same_agent(tmp_path: Path) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        assert made.ports.agent is made.agent.agent
        assert made.agent.approvals.pending(ADA) == []


def test_the_sdks_of_other_protocols_are_loaded_by_who_uses_them_only() -> None:
    code = (
        "import sys; import jupyter_ac.hosts.workspace, jupyter_ac.hosts.cli.main; "
        "print([name for name in ('mcp', 'mcp_types', 'acp', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_without_the_sdk_a_run_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = garden(tmp_path)
    config = tmp_path / "config"
    config.mkdir()
    servers = {"mcpServers": {"db": {"command": "db"}}}
    (config / "mcp.json").write_text(json.dumps(servers))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    async with composed(folder.root, tmp_path / "cache") as made:
        (row,) = (await run_in(made)).record().row["calls"]
        assert (row["tool"], row["status"]) == ("mcp_server", "failed")
        assert "pip install 'jupyter-ac[mcp]'" in row["reason"]
        assert all("mcp__" not in name for name in names_of(made))
