"""The real `@flatmax/jrpc-oo` node client under Python's control.

    async with node_clients() as node:
        page = await node.connect(url, expose={"AcApp": ["streamChunk"]}, ack="true")
        assert await page.call("Repo.is_clean") is True
        event = await page.event("called")

The npm packages are taken from the repository's `node_modules`, or from the directory that
`JUPYTER_AC_TEST_NODE_MODULES` names.
"""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.support.json_lines import WAIT_S, CommandError, Event, LineProcess, start

NodeCallError = CommandError
"""What the JavaScript promise was rejected with, as a value."""

_ROOT: Final = Path(__file__).parents[2]


class NodePage:
    """One connection of the node client."""

    def __init__(self, node: "NodeClients", name: str) -> None:
        self._node = node
        self.name = name
        self.seen: list[dict[str, object]] = []
        """All events so far, those already waited for included."""
        self._taken: set[int] = set()
        self._changed = asyncio.Event()

    def take(self, event: dict[str, object]) -> None:
        """Note an event; for the reader of the process's lines."""
        self.seen.append(event)
        self._changed.set()

    async def event(self, kind: str, wait_s: float = WAIT_S) -> dict[str, object]:
        """Wait for the next event of a kind; each is given once."""
        async with asyncio.timeout(wait_s):
            while True:
                for at, event in enumerate(self.seen):
                    if event["event"] == kind and at not in self._taken:
                        self._taken.add(at)
                        return event
                self._changed.clear()
                await self._changed.wait()

    async def called(self, wait_s: float = WAIT_S) -> tuple[str, object]:
        """Wait for the next call of an exposed method: its name and arguments."""
        event = await self.event("called", wait_s)
        return str(event["method"]), event["args"]

    async def call(self, method: str, *args: object, via: str = "call") -> object:
        """Call a method of the server; `NodeCallError` when the promise is rejected."""
        return await self._node.command("call", self.name, method=method, args=args, via=via)

    async def ack(self, mode: str) -> None:
        """Choose how exposed methods answer from now on; see `jrpc_client.mjs`."""
        await self._node.command("ack", self.name, mode=mode)

    async def expose(self, name: str, methods: Sequence[str]) -> None:
        """Add a class while connected."""
        await self._node.command("expose", self.name, name=name, methods=methods)

    async def raw(self, text: str) -> None:
        """Send one frame as it stands."""
        await self._node.command("raw", self.name, text=text)

    async def close(self, *, terminate: bool = False) -> dict[str, object]:
        """Close the connection, or cut it; gives the close event."""
        await self._node.command("close", self.name, terminate=terminate)
        return await self.event("close")


class NodeClients:
    """A node process and its connections."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._names = itertools.count(1)
        self._pages: dict[object, NodePage] = {}
        self._process = LineProcess(process, self._on_event)

    async def connect(
        self,
        url: str,
        *,
        ready: bool = True,
        expose: Mapping[str, Sequence[str]] | None = None,
        ack: str = "true",
        headers: Mapping[str, str] | None = None,
        **options: object,
    ) -> NodePage:
        """Open a connection.

        Args:
            url: as the client is to use it.
            ready: wait until its handshake is done.
            expose: class name to method names.
            ack: how exposed methods answer.
            headers: of the opening request.
            options: `silent=True`, `timeout_s=…`; see `jrpc_client.mjs`.
        """
        page = NodePage(self, f"page-{next(self._names)}")
        self._pages[page.name] = page
        await self.command(
            "connect", page.name, url=url, expose=expose, ack=ack, headers=headers, **options
        )
        if ready:
            await page.event("ready")
        return page

    async def command(self, name: str, client: str, /, **members: object) -> object:
        """Send a command and wait for its answer."""
        return await self._process.command({"cmd": name, "client": client, **members})

    async def aclose(self) -> None:
        """End the process."""
        await self._process.aclose()

    def _on_event(self, event: Event) -> None:
        named = self._pages.get(event.get("client"))
        for page in [named] if named else list(self._pages.values()):
            page.take(event)


def node_modules() -> Path:
    """Find the npm packages."""
    return Path(os.environ.get("JUPYTER_AC_TEST_NODE_MODULES") or _ROOT / "node_modules")


@asynccontextmanager
async def node_clients() -> AsyncIterator[NodeClients]:
    """Run a node process for the time of a test."""
    modules = node_modules()
    assert (modules / "@flatmax" / "jrpc-oo").is_dir(), f"no jrpc-oo in {modules}; run npm ci"
    script = Path(__file__).with_suffix(".mjs")
    node = NodeClients(await start("node", str(script), str(modules)))
    try:
        yield node
    finally:
        await node.aclose()
