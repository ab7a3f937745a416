"""`jupyter ac mcp`: serves the tools of a repository to other agents, as an MCP server."""

import asyncio
import importlib
from argparse import Namespace
from typing import TYPE_CHECKING

from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.protocol_streams import claim_for
from jupyter_ac.hosts.cli.signals import STOPPING, until_signal
from jupyter_ac.transports.streams import open_streams

if TYPE_CHECKING:
    from types import ModuleType

    from jupyter_ac.hosts.mcp.mcp_server import McpOptions


def run(options: Namespace) -> int:
    """Serve until standard input ends; logs and everything else go to standard error.

    Raises:
        NotReady: a standard stream is closed, or the SDK isn't installed.
    """
    read_fd, write_fd = claim_for("mcp", "mcp", "mcp")
    return asyncio.run(until_signal(_serve(options, read_fd, write_fd), STOPPING))


def asked(options: Namespace) -> "McpOptions":
    """Return what the server is started with."""
    made: McpOptions = _server().McpOptions(
        absolute(options.repo), options.allow_plans, HostOptions(options.model or None)
    )
    return made


async def _serve(options: Namespace, read_fd: int, write_fd: int) -> int:
    streams = await open_streams(read_fd, write_fd)
    try:
        await _server().serve(asked(options), streams)
    finally:
        streams.close_input()
    return exit_codes.DONE


def _server() -> "ModuleType":
    """Import the server, for which the SDK must be there; the help needs neither."""
    return importlib.import_module("jupyter_ac.hosts.mcp.mcp_server")
