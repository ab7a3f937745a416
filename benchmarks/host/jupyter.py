"""A Jupyter server with the extension, in a process of its own, and what a benchmark asks of it."""

import asyncio
import json
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tornado.websocket import websocket_connect

from benchmarks.host.heartbeat import Stall
from benchmarks.host.processes import module
from tests.support.pages import EVENTS, Page

TOKEN: Final = "benchmark"  # noqa: S105 - of a server that lives for a minute, on loopback
LIMIT_S: Final = 120.0
MAX_FRAME: Final = 64 << 20
KEY: Final = "sk-scripted-0123456789"
DELTAS: Final = (*EVENTS, "streamDelta")
"""What the product's own page listens to; without `streamDelta` a page gets the whole text."""


class PulseAnswer(Stall):
    """What `benchmarks.host.pulse` answers."""

    starting: int


@dataclass(frozen=True)
class JupyterServer:
    """A running server.

    Attributes:
        port: on loopback.
        root: the folder it shows.
        config: the folder with `llm.json`.
    """

    port: int
    root: Path
    config: Path

    def socket(self, repo: str) -> str:
        """The address of the socket for a repository in the root."""
        return f"ws://127.0.0.1:{self.port}/jupyter-ac/rpc?repo={repo}&client=bench&token={TOKEN}"

    def use_model(self, model: str, api_base: str) -> None:
        """Let the workspaces that open from now on use a model."""
        settings = {"model": model, "api_base": api_base, "env": {"OPENAI_API_KEY": KEY}}
        (self.config / "llm.json").write_text(json.dumps(settings), encoding="utf-8")

    @asynccontextmanager
    async def page(self, repo: str, events: tuple[str, ...] = DELTAS) -> AsyncIterator[Page]:
        """Connect a page; it leaves with the block."""
        socket = await websocket_connect(self.socket(repo), max_message_size=MAX_FRAME)
        if socket.protocol is not None:
            socket.protocol.set_nodelay(True)  # as browsers do
        page = Page(socket, events)
        try:
            yield page
        finally:
            await page.leave()

    @asynccontextmanager
    async def warm_page(self, repo: str, events: tuple[str, ...] = DELTAS) -> AsyncIterator[Page]:
        """Connect a page and wait until nothing of the workspace's start goes on."""
        async with self.page(repo, events) as page:
            await page.ready()
            await self.quiet()
            yield page

    async def quiet(self) -> Stall:
        """Wait until nothing of a start goes on; gives the worst stall meanwhile."""
        end = time.monotonic() + LIMIT_S
        worst = Stall(longest_ms=0.0, busiest_ms=0.0)
        while True:
            pulse = await self.pulse()
            worst["longest_ms"] = max(worst["longest_ms"], pulse["longest_ms"])
            worst["busiest_ms"] = max(worst["busiest_ms"], pulse["busiest_ms"])
            if not pulse["starting"]:
                return worst
            if time.monotonic() > end:
                raise TimeoutError("the workspace does not come to rest")
            await asyncio.sleep(0.1)

    async def pulse(self) -> PulseAnswer:
        """Ask for the worst stall since the last question."""
        return await asyncio.to_thread(self._pulse)

    def _pulse(self) -> PulseAnswer:
        url = f"http://127.0.0.1:{self.port}/benchmarks/pulse"
        with urllib.request.urlopen(url, timeout=LIMIT_S) as answer:
            found: PulseAnswer = json.load(answer)
        return found


@contextmanager
def jupyter_server(root: Path, env: Mapping[str, str] | None = None) -> Iterator[JupyterServer]:
    """Run a server on a folder; its state and settings stand beside it, in `<root>.jupyter`."""
    own = root.with_name(f"{root.name}.jupyter")
    config = own / "config"
    config.mkdir(parents=True, exist_ok=True)
    extensions = {"jupyter_ac": True, "benchmarks.host.pulse": True}
    arguments = (
        f"--ServerApp.root_dir={root}",
        "--ServerApp.port=0",
        "--ServerApp.open_browser=False",
        "--ServerApp.allow_root=True",
        "--ServerApp.log_level=ERROR",
        f"--ServerApp.jpserver_extensions={extensions}",
        f"--IdentityProvider.token={TOKEN}",
    )
    places = {
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTER_AC_CONFIG_DIR": str(config),
        "JUPYTER_AC_CACHE_DIR": str(own / "cache"),
    }
    with module("jupyter_server", *arguments, env=places | dict(env or {})) as (_, told):
        yield JupyterServer(int(told), root, config)
