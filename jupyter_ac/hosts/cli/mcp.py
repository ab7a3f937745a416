"""`jupyter ac mcp`: serves the tools of a repository to other agents, as an MCP server."""

import asyncio
import importlib
import importlib.util
import logging
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.signals import STOPPING, until_signal
from jupyter_ac.transports.streams import open_streams
from jupyter_ac.workers.pipes import claim_pipes

if TYPE_CHECKING:
    from types import ModuleType

    from jupyter_ac.hosts.mcp.mcp_server import McpOptions


def run(options: Namespace) -> int:
    """Serve until standard input ends; logs and everything else go to standard error.

    Raises:
        NotReady: a standard stream is closed, or the SDK isn't installed.
    """
    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise NotReady("Standard input, output and error must all be open.")
    if importlib.util.find_spec("mcp") is None:
        raise NotReady("`jupyter ac mcp` needs the SDK of MCP: pip install 'jupyter-ac[mcp]'.")
    read_fd, write_fd = claim_pipes()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    # It warns of children that were stopped and collected, which is what an end does to git.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    return asyncio.run(until_signal(_serve(options, read_fd, write_fd), STOPPING))


def asked(options: Namespace) -> "McpOptions":
    """Return what the server is started with."""
    return _server().McpOptions(
        absolute(options.repo), options.allow_plans, HostOptions(options.model or None)
    )


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
