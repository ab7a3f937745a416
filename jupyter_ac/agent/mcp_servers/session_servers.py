"""The MCP servers of a workspace: which tools of theirs a session has, fixed at its first run."""

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from jupyter_ac.agent.mcp_servers.pin_store import PinStore, ServerPin
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig, read_servers
from jupyter_ac.agent.mcp_servers.server_tool import ServerTool
from jupyter_ac.agent.mcp_servers.server_tools import (
    ServerToolRow,
    changes_text,
    definition_of,
)
from jupyter_ac.agent.tool import Question, Tool
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.ids import SessionId
from jupyter_ac.tool_rows import ToolScope

log = logging.getLogger(__name__)

MAX_TOOLS: Final = 128
"""Of all servers."""

MAX_SESSIONS: Final = 100
SWITCH: Final = "mcp_servers"
"""The name by which administrators switch all servers off, as they do with tools."""

_START: Final = (
    "The repository's .mcp.json wants to start this program, outside of any sandbox, as you."
)
_CHANGED: Final = (
    "This MCP server describes its tools otherwise than when you last agreed; the model would read "
    "these words."
)


class Connection(Protocol):
    """A running server, as `ServerConnection` is."""

    @property
    def is_open(self) -> bool:
        """Whether it runs."""

    async def start(self) -> None:
        """Start it; raises AcError."""

    async def list_tools(self) -> tuple[ServerToolRow, ...]:
        """Return its tools; raises AcError."""

    async def call(self, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        """Call a tool; raises AcError."""

    async def aclose(self) -> None:
        """End it."""


Connect: TypeAlias = Callable[[ServerConfig], Awaitable[Connection]]
"""Makes a connection that isn't started; raises AcError if the SDK isn't installed."""


class Asking(Protocol):
    """Asks the user about a server, before a run, and tells what has failed."""

    async def ask(self, title: str, question: Question) -> ToolScope | None:
        """Return for how long the user allows something; None: it is refused."""

    def starting(self, name: str) -> None:
        """Tell that a server is being started."""

    def failed(self, title: str, reason: str) -> None:
        """Tell that a server can't be used."""


@dataclass(frozen=True, slots=True)
class ServerParts:
    """What the servers need.

    Attributes:
        config_dir: the user's configuration folder.
        root: the repository's top folder.
        pins: what is known of servers from before.
        connect: makes connections.
        masker: masks secrets in results.
        disabled: names of tools that the administrator has switched off.
    """

    config_dir: Path
    root: Path
    pins: PinStore
    connect: Connect
    masker: ResultMasker
    disabled: frozenset[str] = field(default=frozenset())


class SessionServers:
    """The servers. Belongs to one event loop.

    Args:
        parts: what they need.
        own: the agent's own tools, all there are.
        toolbox: with the own tools, for sessions without servers.
    """

    def __init__(self, parts: ServerParts, own: Sequence[Tool], toolbox: Toolbox) -> None:
        self._parts, self._own, self._plain = parts, own, toolbox
        self._fixed: OrderedDict[SessionId, Toolbox] = OrderedDict()
        self._running: dict[str, Connection] = {}
        self._starting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def toolbox(self, session_id: SessionId) -> Toolbox:
        """Return the tools of a session as they were fixed; the own ones before that."""
        return self._fixed.get(session_id, self._plain)

    async def join(self, session_id: SessionId, asking: Asking | None) -> Toolbox:
        """Fix the tools of a session, the first time; always the same afterwards.

        Args:
            session_id: of the session.
            asking: asks the user; None: no server is started, and the tools are those that the
                user has agreed to before.
        """
        if session_id in self._fixed:
            return self._fixed[session_id]
        parts = self._parts
        if SWITCH in parts.disabled:
            return self._plain
        found = await asyncio.to_thread(read_servers, parts.config_dir, parts.root)
        for problem in found.problems:
            log.warning("%s", problem)
            if asking is not None:
                asking.failed("configuration of MCP servers", problem)
        tools = await self._tools(found.servers, asking)
        toolbox = self._plain
        if tools:
            names = {tool.definition.name for tool in (*self._own, *tools)}
            toolbox = Toolbox((*self._own, *tools), names & parts.disabled)
        self._fixed[session_id] = toolbox
        if len(self._fixed) > MAX_SESSIONS:
            self._fixed.popitem(last=False)
        return toolbox

    async def aclose(self) -> None:
        """End all servers."""
        running, self._running = list(self._running.values()), {}
        await asyncio.gather(*(connection.aclose() for connection in running))

    async def _tools(
        self, servers: Sequence[ServerConfig], asking: Asking | None
    ) -> Sequence[ServerTool]:
        listing = [self._rows(server, asking) for server in servers]
        listed = await asyncio.gather(*listing)
        return await asyncio.to_thread(self._offered, servers, listed)

    def _offered(
        self, servers: Sequence[ServerConfig], listed: Sequence[Sequence[ServerToolRow]]
    ) -> Sequence[ServerTool]:
        taken = {tool.definition.name for tool in self._own}
        tools: list[ServerTool] = []
        for server, rows in zip(servers, listed, strict=True):
            for row in rows:
                definition = definition_of(server.name, row, taken)
                if definition is None or len(tools) == MAX_TOOLS:
                    log.warning("A tool of the MCP server %s can't be offered.", server.name)
                    continue
                taken.add(definition.name)
                call = partial(self._call, server)
                tools.append(
                    ServerTool(definition, server.name, row.name, call, self._parts.masker)
                )
        return tools

    async def _rows(self, server: ServerConfig, asking: Asking | None) -> tuple[ServerToolRow, ...]:
        """Return the tools of a server to which the user has agreed."""
        pin = await self._parts.pins.find(server)
        known = pin.tools or ()
        if asking is None:
            return known if server.source == "user" or pin.is_allowed else ()
        title = f"{server.name}: {server.line}"
        if not await self._may_start(server, pin, asking, title):
            return ()
        asking.starting(server.name)
        try:
            listed = await (await self._connected(server)).list_tools()
            return await self._agreed(server, pin, listed, asking)
        except AcError as error:
            log.warning("%s", error.message)
            asking.failed(title, error.message)
            return known

    async def _may_start(
        self, server: ServerConfig, pin: ServerPin, asking: Asking, title: str
    ) -> bool:
        if server.source == "user" or pin.is_allowed:
            return True
        question = Question(
            server.line,
            why=_START,
            argv=server.command,
            prefix=server.command,
            keeps_whole=server.files is not None,
        )
        scope = await asking.ask(title, question)
        if scope == "prefix":
            await self._parts.pins.allow(server)
        return scope is not None

    async def _agreed(
        self,
        server: ServerConfig,
        pin: ServerPin,
        listed: tuple[ServerToolRow, ...],
        asking: Asking,
    ) -> tuple[ServerToolRow, ...]:
        """Return the tools as they are listed, if they are as before or the user agrees."""
        if pin.tools is not None and pin.tools != listed:
            question = Question(changes_text(pin.tools, listed), why=_CHANGED)
            if await asking.ask(f"{server.name}: changed tools", question) is None:
                return ()
        if pin.tools != listed:
            await self._parts.pins.pin(server, listed)
        return listed

    async def _connected(self, server: ServerConfig) -> Connection:
        """Return a running connection to a server, which is started once.

        Raises:
            AcError: it can't be started.
        """
        async with self._starting[server.digest]:
            connection = self._running.get(server.digest)
            if connection is None or not connection.is_open:
                connection = await self._parts.connect(server)
                await connection.start()
                self._running[server.digest] = connection
            return connection

    async def _call(
        self, server: ServerConfig, name: str, arguments: Mapping[str, object]
    ) -> tuple[str, bool]:
        """Call a tool of a server, which is started again if it has ended.

        Raises:
            NotReady: it is no longer configured so, or can't be started.
            AcError: it fails.
        """
        found = await asyncio.to_thread(read_servers, self._parts.config_dir, self._parts.root)
        if server not in found.servers:
            raise NotReady(
                f"The MCP server {server.name}, or a file that its command names, is no longer as "
                "it was at the beginning of this conversation; a new one has it as it is now."
            )
        connection = await self._connected(server)
        return await connection.call(name, arguments)
