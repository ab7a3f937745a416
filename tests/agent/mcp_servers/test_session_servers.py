"""Which tools of servers a session has, with servers that are made up."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_ac.agent.grants import offered_scopes
from jupyter_ac.agent.mcp_servers.pin_store import PinStore
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.server_connection import ServerConnection
from jupyter_ac.agent.mcp_servers.server_tools import ServerToolRow
from jupyter_ac.agent.mcp_servers.session_servers import (
    MAX_SESSIONS,
    MAX_TOOLS,
    SWITCH,
    Connect,
    Connection,
    ServerParts,
    SessionServers,
)
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.errors import NotFound, NotReady
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import SessionId
from tests.agent.mcp_servers.probing import Person, command
from tests.agent.runs import MadeUpTool
from tests.agent.tools.calls import Caller
from tests.support.probe_mcp_server import INJECTION
from tests.support.repositories import make_repository

ONE, TWO = SessionId("sess_1_aaaaaa"), SessionId("sess_2_bbbbbb")
LOOK = ServerToolRow("look", "Looks.", '{"type": "object"}')


class MadeUpServer:
    """A server that lists rows."""

    def __init__(self, world: "World", server: ServerConfig) -> None:
        self._world, self._server = world, server
        self.is_open = False

    async def start(self) -> None:
        if self._server.name in self._world.broken:
            raise NotReady(f"The MCP server {self._server.name} has ended at its start.")
        self._world.started.append(self._server.name)
        self.is_open = True

    async def list_tools(self) -> tuple[ServerToolRow, ...]:
        return tuple(self._world.rows.get(self._server.name, [LOOK]))

    async def call(self, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        return f"{self._server.name} {name} {json.dumps(arguments)}", False

    async def aclose(self) -> None:
        self.is_open = False
        self._world.closed.append(self._server.name)


class World:
    """A repository and a user who configures servers.

    Attributes:
        rows: what servers list, by name.
        broken: servers that don't start.
    """

    def __init__(self, tmp_path: Path) -> None:
        self.folder = make_repository(tmp_path / "garden", {"a.py": "x\n"})
        self.config_dir = tmp_path / "config"
        self.config_dir.mkdir()
        self.rows: dict[str, list[ServerToolRow]] = {}
        self.broken: set[str] = set()
        self.started: list[str] = []
        self.closed: list[str] = []
        self.connections: list[MadeUpServer] = []

    def configure(self, *names: str, repository: bool = False, command: str = "run") -> None:
        place = self.folder.root / ".mcp.json" if repository else self.config_dir / "mcp.json"
        servers = {name: {"command": command, "args": [name]} for name in names}
        place.write_text(json.dumps({"mcpServers": servers}))

    async def servers(self, *disabled: str, connect: Connect | None = None) -> SessionServers:
        repository = await discover(self.folder.root)
        own = [MadeUpTool("look")]
        parts = ServerParts(
            self.config_dir,
            repository.root,
            PinStore(self.config_dir, repository),
            connect or self._connect,
            ResultMasker({}),
            frozenset(disabled),
        )
        return SessionServers(parts, own, Toolbox(own, ()))

    async def _connect(self, server: ServerConfig) -> Connection:
        self.connections.append(MadeUpServer(self, server))
        return self.connections[-1]


def names_of(toolbox: Toolbox) -> list[str]:
    return [json.loads(block.text)["function"]["name"] for block in toolbox.blocks]


async def test_the_users_servers_join_the_first_run_without_a_question(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person()
    world.configure("db", "web")
    servers = await world.servers()
    assert names_of(servers.toolbox(ONE)) == ["look"]
    assert world.started == []
    joined = await servers.join(ONE, person)
    assert names_of(joined) == ["look", "mcp__db__look", "mcp__web__look"]
    assert (sorted(world.started), person.asked) == (["db", "web"], [])
    await servers.aclose()
    assert sorted(world.closed) == ["db", "web"]


async def test_the_tools_of_a_session_stay_to_the_byte(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person("once")
    world.configure("db")
    servers = await world.servers()
    before = (await servers.join(ONE, person)).blocks
    world.configure("db", "web")
    world.rows["db"] = [ServerToolRow("look", "Looks elsewhere.", LOOK.schema)]
    assert (await servers.join(ONE, person)).blocks == before
    assert servers.toolbox(ONE).blocks == before
    # Another session has what is configured now; the change is asked about.
    other = await servers.join(TWO, person)
    assert names_of(other) == ["look", "mcp__db__look", "mcp__web__look"]
    ((title, question),) = person.asked
    assert title == "db: changed tools"
    assert "+ look: Looks elsewhere." in question.text
    assert "- look: Looks." in question.text


async def test_a_repositorys_server_is_started_after_a_question_only(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person(None, "once", "prefix", "once")
    world.configure("theirs", repository=True)
    servers = await world.servers()
    assert names_of(await servers.join(ONE, person)) == ["look"]
    assert world.started == []
    ((_, question),) = person.asked
    assert (question.text, question.prefix) == ("run theirs", ("run", "theirs"))
    assert not question.is_sandboxed
    # Once is for one session, from now on is for all.
    assert "mcp__theirs__look" in names_of(await servers.join(TWO, person))
    await servers.join(SessionId("3"), person)
    await servers.join(SessionId("4"), person)
    assert len(person.asked) == 3
    # Another command is another question.
    world.configure("theirs", repository=True, command="rm")
    await servers.join(SessionId("5"), person)
    assert person.asked[-1][1].text == "rm theirs"


async def test_a_changed_file_that_the_command_names_is_another_question(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person("prefix", "prefix", "once")
    world.folder.write("serve.py", "print(1)\n")
    world.configure("serve.py", repository=True, command="python3")
    place = world.folder.root / ".mcp.json"
    place.write_text(place.read_text().replace('"serve.py":', '"theirs":'))
    servers = await world.servers()
    toolbox = await servers.join(ONE, person)
    await servers.join(TWO, person)
    assert len(person.asked) == 1
    world.folder.write("serve.py", "print(2)\n")
    prepared = toolbox.prepare(ToolCall("c1", "mcp__theirs__look", "{}"))
    with pytest.raises(NotReady, match="a file that its command names"):
        await Caller().allowed(prepared.tool)
    await servers.join(SessionId("3"), person)
    assert len(person.asked) == 2
    # What can't be looked at whole can't be allowed from now on.
    (world.folder.root / "serve.py").unlink()
    with (world.folder.root / "serve.py").open("wb") as file:
        file.truncate(1 << 40)
    await servers.join(SessionId("4"), person)
    assert offered_scopes(person.asked[-1][1]) == ("once",)


async def test_changed_tools_that_are_refused_are_not_offered(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person(None, None)
    world.configure("db")
    servers = await world.servers()
    await servers.join(ONE, person)
    world.rows["db"] = [ServerToolRow("look", "Send keys.", LOOK.schema)]
    for session in ("2", "3"):  # a refusal pins nothing
        assert names_of(await servers.join(SessionId(session), person)) == ["look"]
    world.rows.clear()
    assert "mcp__db__look" in names_of(await servers.join(SessionId("4"), person))


async def test_a_missing_server_keeps_its_tools_and_refuses_calls(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person()
    world.configure("db")
    before = (await (await world.servers()).join(ONE, person)).blocks
    # After a restart of the host, first without tools, then in a run.
    world.broken.add("db")
    servers = await world.servers()
    assert (await servers.join(ONE, None)).blocks == before
    servers = await world.servers()
    toolbox = await servers.join(ONE, person)
    assert toolbox.blocks == before
    assert "has ended at its start" in person.failures[-1][1]
    prepared = toolbox.prepare(ToolCall("c1", "mcp__db__look", "{}"))
    with pytest.raises(NotReady, match="has ended at its start"):
        await Caller().allowed(prepared.tool)
    world.broken.clear()
    assert "db look {}" in (await Caller().allowed(prepared.tool)).text
    # One that is configured otherwise is not started in its name.
    world.configure("db", command="rm")
    with pytest.raises(NotReady, match="no longer as it was"):
        await Caller().allowed(prepared.tool)


async def test_a_server_that_has_ended_is_started_again(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure("db")
    servers = await world.servers()
    prepared = (await servers.join(ONE, Person())).prepare(ToolCall("c1", "mcp__db__look", "{}"))
    world.connections[-1].is_open = False
    assert not (await Caller().allowed(prepared.tool)).is_error
    assert world.started == ["db", "db"]


async def test_a_server_never_seen_that_does_not_start_is_left_out(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person()
    world.configure("db")
    world.broken.add("db")
    assert names_of(await (await world.servers()).join(ONE, person)) == ["look"]
    assert person.failures[0][0] == "db: run db"


async def test_without_a_run_nothing_is_started_and_no_repository_has_tools(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    world.configure("theirs", repository=True)
    servers = await world.servers()
    assert names_of(await servers.join(ONE, None)) == ["look"]
    assert world.started == []


async def test_administrators_switch_off_single_tools_or_all_servers(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person()
    world.configure("db", "web")
    servers = await world.servers("mcp__db__look", "look")
    assert names_of(await servers.join(ONE, person)) == ["mcp__web__look"]
    world.started.clear()
    servers = await world.servers(SWITCH)
    toolbox = await servers.join(ONE, person)
    assert names_of(toolbox) == ["look"]
    assert world.started == []
    with pytest.raises(NotFound):
        toolbox.prepare(ToolCall("c1", "mcp__db__look", "{}"))


async def test_a_real_server_that_changes_its_words_is_asked_about_before_the_model_reads_them(
    tmp_path: Path,
) -> None:
    world, person = World(tmp_path), Person(None, "once")
    kind = tmp_path / "kind"
    program, *arguments = command("as", str(kind))
    row = {"command": program, "args": arguments}
    (world.config_dir / "mcp.json").write_text(json.dumps({"mcpServers": {"probe": row}}))

    async def connect(server: ServerConfig) -> Connection:
        return ServerConnection(server, tmp_path, os.environ)

    async def joined(session_id: str) -> str:
        """Join anew, as another host; return what the model is told."""
        servers = await world.servers(connect=connect)
        try:
            toolbox = await servers.join(SessionId(session_id), person)
            return "".join(block.text for block in toolbox.blocks)
        finally:
            await servers.aclose()

    kind.write_text("good")
    before = await joined("1")
    assert "Say it again." in before
    kind.write_text("changed")
    assert INJECTION not in await joined("2")
    ((_, question),) = person.asked
    assert f"+ echo: {INJECTION}" in question.text
    assert INJECTION in await joined("3")
    kind.write_text("gone")
    assert INJECTION in await joined("4")
    assert person.started == ["probe"] * 4
    assert "has ended at its start" in person.failures[-1][1]


async def test_names_cannot_take_the_place_of_other_tools(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure("a", "a__b")
    world.rows = {
        "a": [ServerToolRow("b__c", "", LOOK.schema), ServerToolRow("look", "", LOOK.schema)],
        "a__b": [ServerToolRow("c", "", LOOK.schema)],
    }
    toolbox = await (await world.servers()).join(ONE, Person())
    assert names_of(toolbox) == ["look", "mcp__a__b__c", "mcp__a__look"]
    prepared = toolbox.prepare(ToolCall("c1", "mcp__a__b__c", "{}"))
    assert "a b__c {}" in (await Caller().allowed(prepared.tool)).text


async def test_tools_and_sessions_are_bounded_and_broken_files_are_told(tmp_path: Path) -> None:
    world, person = World(tmp_path), Person()
    world.configure(*(f"s{number}" for number in range(9)))
    rows = [ServerToolRow(f"t{number}", "", LOOK.schema) for number in range(40)]
    world.rows = {f"s{number}": rows for number in range(9)}
    servers = await world.servers()
    assert len(names_of(await servers.join(ONE, person))) == MAX_TOOLS + 1
    (world.config_dir / "mcp.json").write_text("{")
    for number in range(MAX_SESSIONS + 1):
        await servers.join(SessionId(f"{number}"), person)
    assert names_of(servers.toolbox(ONE)) == ["look"]
    assert "mcp.json can't be read" in person.failures[0][1]
