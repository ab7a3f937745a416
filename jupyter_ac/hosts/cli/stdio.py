"""`jupyter ac stdio`: JSON-RPC over standard input and output, for scripts and for the kernel."""

import asyncio
import logging
import os
import signal
import sys
from argparse import Namespace

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.call_lines import write_call_lines
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.signals import STOPPING, until_signal
from jupyter_ac.hosts.gc_tuning import spare_what_is_there
from jupyter_ac.hosts.stdio.host import StdioOptions, serve
from jupyter_ac.settings.limit_overrides import LimitOverrides
from jupyter_ac.transports.streams import open_streams
from jupyter_ac.workers.pipes import claim_pipes


def run(options: Namespace) -> int:
    """Serve until standard input ends; logs and everything else go to standard error."""
    # The number of one that was closed may have been given to another file since.
    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise NotReady("Standard input, output and error must all be open.")
    read_fd, write_fd = claim_pipes()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    write_call_lines(os.environ)
    # It warns of children that were stopped and collected, which is what an end does to git.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asked = StdioOptions(
        absolute(options.repo),
        options.links,
        options.jrpc_oo,
        HostOptions(
            options.model,
            is_child=options.links,
            limits=LimitOverrides(options.max_steps, options.max_usd),
        ),
    )
    return asyncio.run(_serve(asked, read_fd, write_fd))


async def _serve(options: StdioOptions, read_fd: int, write_fd: int) -> int:
    stopping = dict(STOPPING)
    if options.links:
        # An interrupt reaches all processes of a kernel and is meant for its cell.
        stopping.pop(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    async def work() -> int:
        streams = await open_streams(read_fd, write_fd)
        spare_what_is_there()
        await serve(options, streams)
        return exit_codes.DONE

    return await until_signal(work(), stopping)
