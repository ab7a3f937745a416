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
import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

WAIT_S: Final = 10.0
_LINE_LIMIT: Final = 64 * 1024 * 1024
_ROOT: Final = Path(__file__).parents[2]


class NodeCallError(Exception):
    """What the JavaScript promise was rejected with, as a value."""

    def __init__(self, error: object) -> None:
        super().__init__(repr(error))
        self.error = error


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
        self._process = process
        self._ids = itertools.count(1)
        self._answers: dict[object, asyncio.Future[object]] = {}
        self._pages: dict[object, NodePage] = {}
        self._reader = asyncio.create_task(self._read())

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
        page = NodePage(self, f"page-{next(self._ids)}")
        self._pages[page.name] = page
        await self.command(
            "connect", page.name, url=url, expose=expose, ack=ack, headers=headers, **options
        )
        if ready:
            await page.event("ready")
        return page

    async def command(self, name: str, client: str, /, **members: object) -> object:
        """Send a command and wait for its answer."""
        command_id = next(self._ids)
        future = asyncio.get_running_loop().create_future()
        self._answers[command_id] = future
        line = json.dumps({"cmd": name, "id": command_id, "client": client, **members})
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        async with asyncio.timeout(WAIT_S):
            return await future

    async def aclose(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(WAIT_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._reader

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            if "event" in message:
                named = self._pages.get(message.get("client"))
                for page in [named] if named else list(self._pages.values()):
                    page.take(message)
                continue
            future = self._answers.pop(message["id"], None)
            if future is None or future.done():
                continue
            if "error" in message:
                future.set_exception(NodeCallError(message["error"]))
            else:
                future.set_result(message["value"])


def node_modules() -> Path:
    """Find the npm packages."""
    return Path(os.environ.get("JUPYTER_AC_TEST_NODE_MODULES") or _ROOT / "node_modules")


@asynccontextmanager
async def node_clients() -> AsyncIterator[NodeClients]:
    """Run a node process for the time of a test."""
    modules = node_modules()
    assert (modules / "@flatmax" / "jrpc-oo").is_dir(), f"no jrpc-oo in {modules}; run npm ci"
    process = await asyncio.create_subprocess_exec(
        "node",
        str(Path(__file__).with_suffix(".mjs")),
        str(modules),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE_LIMIT,
    )
    node = NodeClients(process)
    try:
        yield node
    finally:
        await node.aclose()
