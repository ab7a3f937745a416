"""What tests need of a link: its frames and its end, waited for within bounds."""

import json
import queue
import sys
from pathlib import Path

from jupyter_ac.hosts.kernel.child.host import HostChild, HostLink
from jupyter_ac.hosts.kernel.child.links import Ends

FAKE = [sys.executable, str(Path(__file__).parents[3] / "support/fake_host.py")]
LIMIT_S = 90.0


class End:
    """The owner of a link."""

    def __init__(self) -> None:
        self.frames: queue.Queue[str] = queue.Queue()
        self.closes: queue.Queue[tuple[int, str]] = queue.Queue()

    def open(self, child: HostChild, name: str, *, client: str = "", aside: str = "") -> HostLink:
        return child.open(name, Ends(self.frames.put, self.lost), client=client, aside=aside)

    def lost(self, code: int, reason: str) -> None:
        self.closes.put((code, reason))

    def frame(self) -> object:
        return json.loads(self.frames.get(timeout=LIMIT_S))

    def closed(self) -> tuple[int, str]:
        return self.closes.get(timeout=LIMIT_S)
