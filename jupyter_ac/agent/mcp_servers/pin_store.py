"""What is known of MCP servers from before: commands that may be started, tools as they were.

It is in a file of the user's configuration folder. Servers of the user's own file are the same for
all repositories; what a repository names is kept for that repository alone.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.server_tools import ServerToolRow
from jupyter_ac.errors import NotFound
from jupyter_ac.git.allowed_programs import repository_key
from jupyter_ac.git.repository import Repository
from jupyter_ac.store.repository_tables import change_repository, read_repositories

FILE: Final = "mcp_servers.json"

_LOCK: Final = "mcp_servers"
_USER: Final = "user"


@dataclass(frozen=True, slots=True)
class ServerPin:
    """What is known of a server.

    Attributes:
        digest: of the command that it is about; another command is another server.
        line: the command, for people.
        is_allowed: it may be started without a question.
        tools: as they were described when the user last agreed; None: they were never seen.
    """

    digest: str
    line: str
    is_allowed: bool = False
    tools: tuple[ServerToolRow, ...] | None = None


class PinStore:
    """The pins for one repository; every host of the user sees changes at once.

    Args:
        config_dir: the user's configuration folder.
        repository: whose `.mcp.json` may name servers.
    """

    def __init__(self, config_dir: Path, repository: Repository) -> None:
        self._place = config_dir / FILE
        self._repository = repository

    async def find(self, server: ServerConfig) -> ServerPin:
        """Return what is known of exactly this command; nothing is allowed if nothing is."""
        pins = await asyncio.to_thread(self._read, self._key(server.source))
        pin = pins.get(server.name)
        if pin is None or pin.digest != server.digest:
            return ServerPin(server.digest, server.line)
        return pin

    async def of_repository(self) -> Mapping[str, ServerPin]:
        """Return the servers of the repository's file that may be started, by name."""
        pins = await asyncio.to_thread(self._read, self._key("repository"))
        return {name: pin for name, pin in pins.items() if pin.is_allowed}

    async def allow(self, server: ServerConfig) -> None:
        """Start exactly this command from now on without a question; raises as `pin`."""
        await self._change(server, lambda pin: replace(pin, is_allowed=True))

    async def pin(self, server: ServerConfig, tools: tuple[ServerToolRow, ...]) -> None:
        """Keep how the tools of a server are described.

        Raises:
            Busy: another host has been writing for seconds.
            AcError: the file can't be written.
        """
        await self._change(server, lambda pin: replace(pin, tools=tools))

    async def revoke(self, name: str) -> None:
        """Ask again before a server of the repository is started.

        Raises:
            NotFound: it isn't allowed.
            AcError: the file can't be written.
        """

        def change(pins: dict[str, ServerPin]) -> None:
            if name not in pins or not pins[name].is_allowed:
                raise NotFound("This MCP server isn't allowed; read the list again.")
            del pins[name]

        await self._change_all(self._key("repository"), change)

    async def _change(
        self, server: ServerConfig, changed: Callable[[ServerPin], ServerPin]
    ) -> None:
        def change(pins: dict[str, ServerPin]) -> None:
            known = pins.get(server.name)
            if known is None or known.digest != server.digest:
                known = ServerPin(server.digest, server.line)
            pins[server.name] = changed(known)

        await self._change_all(self._key(server.source), change)

    async def _change_all(self, key: str, change: Callable[[dict[str, ServerPin]], None]) -> None:
        def changed(found: object) -> object:
            pins = _pins(found)
            change(pins)
            return {name: _row(pin) for name, pin in pins.items()}

        await change_repository(self._place, _LOCK, key, changed)

    def _read(self, key: str) -> dict[str, ServerPin]:
        try:
            return _pins(read_repositories(self._place).get(key))
        except (OSError, ValueError, TypeError, RecursionError):
            return {}

    def _key(self, source: str) -> str:
        return _USER if source == "user" else repository_key(self._repository)


def _row(pin: ServerPin) -> Mapping[str, object]:
    tools = None
    if pin.tools is not None:
        tools = [[row.name, row.description, row.schema] for row in pin.tools]
    return {"digest": pin.digest, "line": pin.line, "allowed": pin.is_allowed, "tools": tools}


def _pins(found: object) -> dict[str, ServerPin]:
    """Read what `_row` wrote; what isn't valid is left out."""
    pins: dict[str, ServerPin] = {}
    for name, row in found.items() if isinstance(found, dict) else ():
        match row:
            case {"digest": str(digest), "line": str(line), "allowed": bool(allowed)}:
                pins[name] = ServerPin(digest, line, allowed, _tools(row.get("tools")))
    return pins


def _tools(found: object) -> tuple[ServerToolRow, ...] | None:
    if not isinstance(found, list):
        return None
    rows: list[ServerToolRow] = []
    for row in found:
        match row:
            case [str(name), str(description), str(schema)]:
                rows.append(ServerToolRow(name, description, schema))
            case _:
                return None
    return tuple(rows)
