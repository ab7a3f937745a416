"""How long an event loop stalls: a heartbeat every 5 ms that notes how late it is.

As a Jupyter server extension it beats on the loop under test, and `GET /benchmarks/pulse` gives the
longest stall since the last question. Run as a module it beats on a loop that does nothing: what
the machine alone does to a loop in the same minute.
"""

import asyncio
import logging
import sys
import time
from dataclasses import dataclass
from typing import Final, TypedDict

from jupyter_server.serverapp import ServerApp
from tornado.ioloop import IOLoop
from tornado.web import Application, RequestHandler

INTERVAL_S: Final = 0.005
STARTING: Final = ("start of ", "tokens for ", "model ")
"""How the tasks are called with which a workspace and its workers start."""


class Stall(TypedDict):
    """The longest stall, and the most processor time between two beats, in milliseconds."""

    longest_ms: float
    busiest_ms: float


@dataclass
class Pulse:
    """The heartbeat of the running loop; it ends with the loop.

    Attributes:
        longest_s: the longest that a beat was late.
        busiest_s: the most processor time that this process took between two beats, all threads:
            on a busy machine a beat is late for other reasons too.
    """

    longest_s: float = 0.0
    busiest_s: float = 0.0
    due: float = 0.0
    worked: float = 0.0

    def start(self) -> None:
        """Begin to beat."""
        loop = asyncio.get_running_loop()
        self.worked = time.process_time()
        self.due = loop.time() + INTERVAL_S
        loop.call_at(self.due, self._beat)

    def take(self) -> Stall:
        """Give what happened since the last question."""
        self._note()
        stall = Stall(longest_ms=self.longest_s * 1000, busiest_ms=self.busiest_s * 1000)
        self.longest_s = self.busiest_s = 0.0
        return stall

    def _beat(self) -> None:
        self._note()
        self.start()

    def _note(self) -> None:
        late_s = asyncio.get_running_loop().time() - self.due
        self.longest_s = max(self.longest_s, late_s)
        self.busiest_s = max(self.busiest_s, time.process_time() - self.worked)


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

    def begin() -> None:
        pulse.start()
        print(f"READY {server.port}", flush=True)

    IOLoop.current().add_callback(begin)


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
