"""A connection to an MCP server: it is started, listed, called, and ended, each within a time."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Final, TypeVar

from mcp import Client
from mcp_types import CallToolResult, Implementation, TextContent

from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.server_process import server_streams
from jupyter_ac.agent.mcp_servers.server_tools import ServerToolRow, rows_within_bounds
from jupyter_ac.errors import NotReady, TimedOut, Unsupported
from jupyter_ac.store.shield import run_to_completion
from jupyter_ac.version import __version__

log = logging.getLogger(__name__)

START_S: Final = 20.0
CALL_S: Final = 120.0
MAX_PAGES: Final = 20
MAX_RESULT: Final = 400_000
"""Characters of a result that are read."""

_CLOSE_S: Final = 15.0

T = TypeVar("T")


class ServerConnection:
    """One server process and the client that talks to it.

    Args:
        server: to be started.
        folder: in which it runs.
        environ: of this process.
    """

    def __init__(self, server: ServerConfig, folder: Path, environ: Mapping[str, str]) -> None:
        self._server, self._folder, self._environ = server, folder, environ
        self._closing = asyncio.Event()
        self._client: asyncio.Future[Client] | None = None
        self._life: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it was started and runs."""
        return self._life is not None and not self._life.done()

    async def start(self) -> None:
        """Start it and greet it; cancelling this ends it.

        Raises:
            NotReady: it can't be started, or doesn't speak MCP.
            TimedOut: it doesn't answer in time; it is ended.
        """
        self._client = asyncio.get_running_loop().create_future()
        name = f"MCP server {self._server.name}"
        self._life = asyncio.create_task(self._live(self._client), name=name)
        waits: set[asyncio.Future[Client] | asyncio.Future[None]] = {self._client, self._life}
        try:
            await asyncio.wait(waits, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await run_to_completion(self.aclose())
            raise
        if self._life.done():
            raise NotReady(f"The MCP server {self._server.name} {_reason(self._life)}.")
        if not self._client.done():
            await self.aclose()
            raise TimedOut(
                f"The MCP server {self._server.name} hasn't answered within {START_S:g} s."
            )

    async def list_tools(self) -> tuple[ServerToolRow, ...]:
        """Return its tools, within bounds.

        Raises:
            AcError: it fails, or takes too long.
        """

        async def listed(client: Client) -> list[ServerToolRow]:
            rows: list[ServerToolRow] = []
            cursor: str | None = None
            for _ in range(MAX_PAGES):
                page = await client.list_tools(cursor=cursor)
                rows += [
                    ServerToolRow.of(tool.name, tool.description or "", tool.input_schema)
                    for tool in page.tools
                ]
                cursor = page.next_cursor
                if cursor is None:
                    break
            return rows

        return rows_within_bounds(await self._answered(listed, START_S))

    async def call(self, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        """Call a tool; returns its text, and whether the server calls it an error.

        Raises:
            AcError: the server fails, has ended, or takes too long.
        """

        async def called(client: Client) -> CallToolResult:
            return await client.call_tool(name, dict(arguments))

        result = await self._answered(called, CALL_S)
        return _text(result), result.is_error is True

    async def aclose(self) -> None:
        """End the process; bounded."""
        self._closing.set()
        if self._life is not None and not self._life.done():
            await asyncio.wait({self._life}, timeout=_CLOSE_S)
            if self._life.cancel():
                await asyncio.wait({self._life}, timeout=_CLOSE_S)

    async def _live(self, client: "asyncio.Future[Client]") -> None:
        """Keep the client in one task, as its scopes need it."""
        streams = server_streams(self._server, self._folder, self._environ)
        us = Implementation(name="jupyter_ac", version=__version__)
        async with Client(streams, client_info=us, cache=None) as entered:
            client.set_result(entered)
            await self._closing.wait()

    async def _answered(
        self, ask: Callable[[Client], Coroutine[object, object, T]], limit_s: float
    ) -> T:
        """Wait for an answer.

        Raises:
            NotReady: the server has ended.
            TimedOut: it takes too long.
            Unsupported: it answers with an error.
        """
        if self._client is None or not self._client.done() or not self.is_open:
            raise NotReady(f"The MCP server {self._server.name} isn't running.")
        asking = asyncio.create_task(ask(self._client.result()))
        try:
            await asyncio.wait({asking}, timeout=limit_s)
            if not asking.done():
                raise TimedOut(
                    f"The MCP server {self._server.name} hasn't answered within {limit_s:g} s."
                )
        finally:
            if asking.cancel():
                await asyncio.wait({asking}, timeout=_CLOSE_S)
        if asking.cancelled() or (error := asking.exception()) is not None:
            said = "" if asking.cancelled() else f": {str(error)[:300]}"
            raise Unsupported(f"The MCP server {self._server.name} has failed{said}")
        return asking.result()


def _reason(life: "asyncio.Task[None]") -> str:
    """Say why a server has ended."""
    error = life.exception() if not life.cancelled() else None
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError):
        return f"can't be started: {error.strerror}"
    return "has ended at its start, or doesn't speak MCP"


def _text(result: CallToolResult) -> str:
    """Return the texts of a result; anything else is named."""
    parts: list[str] = []
    for block in result.content:
        is_text = isinstance(block, TextContent)
        parts.append(block.text if isinstance(block, TextContent) else f"[{block.type} left out]")
        if is_text and sum(map(len, parts)) > MAX_RESULT:
            break
    return "\n".join(parts)[:MAX_RESULT]
