"""The process of an MCP server as a transport of the SDK's client: bounded output, no keys, an end.

The environment has what programs need to be found, and what the server's configuration says. The
process has a session of its own, and all that it has started ends with it.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from jupyter_ac.agent.commands.environment import MARK, absolute_entries
from jupyter_ac.agent.commands.process_group import (
    GRACE_S,
    KILL_WAIT_S,
    end_group,
    has_ended,
    made_whole,
)
from jupyter_ac.agent.commands.resource_limits import limit_memory
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.store.shield import run_to_completion

log = logging.getLogger(__name__)

MAX_LINE: Final = 4 * 1024 * 1024
"""Bytes of a message."""

MAX_UNASKED: Final = 16 * 1024 * 1024
"""Bytes that a server may write between two messages to it."""

_KEPT: Final = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")

Streams: TypeAlias = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]


def server_environment(
    server: ServerConfig, environ: Mapping[str, str], mark: str
) -> dict[str, str]:
    """Return the environment of a server: no variable of this process that may hold a key.

    Args:
        server: whose variables come on top.
        environ: of this process.
        mark: by which its processes are found.
    """
    found = {name: environ[name] for name in _KEPT if name in environ}
    found["PATH"] = os.pathsep.join(absolute_entries(found.get("PATH", os.defpath)))
    return {**found, **dict(server.env), MARK: mark}


@asynccontextmanager
async def server_streams(
    server: ServerConfig, folder: Path, environ: Mapping[str, str]
) -> AsyncIterator[Streams]:
    """Start a server and give what its client reads and writes; at the end it is gone.

    Args:
        server: to be started.
        folder: in which it runs.
        environ: of this process.

    Raises:
        OSError: the system doesn't start it.
    """
    mark = secrets.token_hex(8)
    creating = asyncio.create_subprocess_exec(
        *(part.encode("utf-8", "surrogateescape") for part in server.command),
        cwd=folder,
        env=server_environment(server, environ, mark),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        limit=MAX_LINE,
    )
    process = await made_whole(creating, partial(_end, mark=mark))
    limit_memory(process.pid)
    pipes = _Pipes(process, server.name)
    to_client, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_client = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pipes.read, to_client)
            tasks.start_soon(pipes.write, from_client)
            yield incoming, outgoing
            tasks.cancel_scope.cancel()
    finally:
        for stream in (to_client, incoming, outgoing, from_client):
            stream.close()
        await run_to_completion(_end(process, mark))


class _Pipes:
    """Both pipes of a server."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self._process, self._name = process, name
        self._unasked = 0

    async def read(self, to_client: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Pass messages on until the output ends, or is too much."""
        output = self._process.stdout
        async with to_client:
            while output is not None:
                try:
                    line = await output.readline()
                except ValueError:
                    log.warning("The MCP server %s wrote too long a line.", self._name)
                    return
                self._unasked += len(line)
                if not line or self._unasked > MAX_UNASKED:
                    return
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    continue  # programs print other lines, too
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await to_client.send(SessionMessage(message))

    async def write(self, from_client: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write messages until the client ends."""
        target = self._process.stdin
        async with from_client:
            async for sent in from_client:
                self._unasked = 0
                text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                if target is not None:
                    with suppress(ConnectionError):
                        target.write(text.encode(errors="replace") + b"\n")
                        await target.drain()


async def _end(process: asyncio.subprocess.Process, mark: str) -> None:
    """End all processes of a server; takes a second or two."""
    if process.stdin is not None:
        process.stdin.close()
    await has_ended(process, GRACE_S)
    await end_group(process, mark)
    # What the pipe still holds would keep its transport open.
    if process.stdout is not None:
        with suppress(TimeoutError, ValueError):
            async with asyncio.timeout(GRACE_S):
                while await process.stdout.read(1 << 16):
                    pass
    await has_ended(process, KILL_WAIT_S)
