"""`jupyter ac stdio`: JSON-RPC over standard input and output, for scripts and for the kernel."""

import asyncio
import logging
import signal
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import exits
from jupyter_ac.hosts.signals import STOPPING, until_signal
from jupyter_ac.hosts.stdio.host import StdioOptions, serve
from jupyter_ac.hosts.stdio.streams import open_streams
from jupyter_ac.workers.pipes import claim_pipes


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--repo",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="a folder in the repository (default: the current one)",
    )
    parser.add_argument(
        "--jrpc-oo", action="store_true", help="speak jrpc-oo instead of JSON-RPC 2.0"
    )
    parser.add_argument(
        "--links", action="store_true", help="carry many jrpc-oo connections, as docs/cli.md says"
    )
    parser.add_argument(
        "--model", metavar="M", help="the model, by litellm's name, instead of the chosen one"
    )


def run(options: Namespace) -> int:
    """Serve until standard input ends; logs and everything else go to standard error."""
    # The number of one that was closed may have been given to another file since.
    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise NotReady("Standard input, output and error must all be open.")
    read_fd, write_fd = claim_pipes()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    # It warns of children that were stopped and collected, which is what an end does to git.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asked = StdioOptions(options.repo, options.links, options.jrpc_oo, HostOptions(options.model))
    return asyncio.run(_serve(asked, read_fd, write_fd))


async def _serve(options: StdioOptions, read_fd: int, write_fd: int) -> int:
    stopping = dict(STOPPING)
    if options.links:
        # An interrupt reaches all processes of a kernel and is meant for its cell.
        stopping.pop(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    async def work() -> int:
        await serve(options, await open_streams(read_fd, write_fd))
        return exits.DONE

    return await until_signal(work(), stopping)
