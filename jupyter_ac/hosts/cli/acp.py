"""`jupyter ac acp`: is the agent of an editor, by the Agent Client Protocol."""

import asyncio
import importlib
from argparse import Namespace
from typing import TYPE_CHECKING

from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.protocol_streams import claim_for
from jupyter_ac.hosts.cli.signals import STOPPING, until_signal
from jupyter_ac.settings.limit_overrides import LimitOverrides
from jupyter_ac.transports.streams import open_streams

if TYPE_CHECKING:
    from types import ModuleType

    from jupyter_ac.hosts.acp.agent_process import AcpOptions


def run(options: Namespace) -> int:
    """Serve until standard input ends; logs and everything else go to standard error.

    Raises:
        NotReady: a standard stream is closed, or the SDK isn't installed.
    """
    read_fd, write_fd = claim_for("acp", "acp", "acp")
    return asyncio.run(until_signal(_serve(options, read_fd, write_fd), STOPPING))


def asked(options: Namespace) -> "AcpOptions":
    """Return what the agent is started with."""
    limits = LimitOverrides(options.max_steps, options.max_usd)
    made: AcpOptions = _agent().AcpOptions(HostOptions(options.model or None, limits=limits))
    return made


async def _serve(options: Namespace, read_fd: int, write_fd: int) -> int:
    streams = await open_streams(read_fd, write_fd)
    try:
        await _agent().serve(asked(options), streams)
    finally:
        streams.close_input()
    return exit_codes.DONE


def _agent() -> "ModuleType":
    """Import the agent, for which the SDK must be there; the help needs neither."""
    return importlib.import_module("jupyter_ac.hosts.acp.agent_process")
