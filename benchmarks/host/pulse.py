"""How long an event loop stalls, told over HTTP or a pipe.

As a Jupyter server extension it beats on the loop under test, and `GET /benchmarks/pulse` gives the
longest stall since the last question. Run as a module it beats on a loop that does nothing: what
the machine alone does to a loop in the same minute.
"""

import asyncio
import logging
import sys
from typing import Final

from jupyter_server.serverapp import ServerApp
from tornado.ioloop import IOLoop
from tornado.web import Application, RequestHandler

from benchmarks.host.heartbeat import Pulse

STARTING: Final = ("start of ", "tokens for ", "model ")
"""How the tasks are called with which a workspace and its workers start."""


class PulseHandler(RequestHandler):
    """Tells how the loop was stalled, and how much of the start is still going on."""

    def initialize(self, pulse: Pulse) -> None:
        """Take what the extension passes to each request."""
        self._pulse = pulse

    def get(self) -> None:
        """Answer with `{"longest_ms", "busiest_ms", "starting"}`."""
        names = [task.get_name() for task in asyncio.all_tasks()]
        starting = sum(name.startswith(STARTING) for name in names)
        self.write({**self._pulse.take(), "starting": starting})


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    server.log.setLevel(logging.CRITICAL + 1)  # its farewell is critical to it
    pulse = Pulse()
    route = ("/benchmarks/pulse", PulseHandler, {"pulse": pulse})
    # The server's own method has no types; what it adds is a check that this route does without.
    Application.add_handlers(server.web_app, ".*$", [route])
    IOLoop.current().add_callback(pulse.start)


async def _start_jupyter_server_extension(server: ServerApp) -> None:
    """Say the port; the server listens by now, as it does not yet when it loads extensions."""
    print(f"READY {server.port}", flush=True)


async def main() -> None:
    """Beat on an idle loop; answer each line of standard input with the longest stall."""
    pulse = Pulse()
    pulse.start()
    print("READY", flush=True)
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    while await reader.readline():
        print(pulse.take()["longest_ms"], flush=True)


if __name__ == "__main__":
    asyncio.run(main())
