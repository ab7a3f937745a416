"""Serves one editor over standard input and output."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from acp import run_agent

from jupyter_ac.hosts.acp.engine_agent import EngineAgent
from jupyter_ac.hosts.assembly import HostOptions, local_host
from jupyter_ac.transports.streams import Streams

if TYPE_CHECKING:
    from acp.interfaces import Agent


@dataclass(frozen=True, slots=True)
class AcpOptions:
    """What the agent is started with.

    Attributes:
        host: what all hosts understand.
    """

    host: HostOptions = field(default_factory=HostOptions)


async def serve(options: AcpOptions, streams: Streams) -> None:
    """Serve until the input ends.

    Raises:
        AcError: the administrator's settings are broken, or lock what is asked for.
    """
    async with local_host(os.environ, options.host) as host:
        agent = EngineAgent(host)
        try:
            # The protocol names methods of unstable parts, too, which the SDK finds missing.
            await run_agent(cast("Agent", agent), streams.writer, streams.reader)
        finally:
            await agent.aclose()
