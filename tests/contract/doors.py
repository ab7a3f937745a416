"""All doors to a workspace, each with a real host behind it: one suite knocks at all of them.

A door is started once, on the background loop, and opened many times. What is seen is the same at
each; where a door can't have a property, it says so in a field.
"""

import asyncio
import json
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.assembly import LocalHost, allow_everything, local_host
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.process import command
from jupyter_ac.hosts.kernel.relay.relay import Relay
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.ids import ClientId
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from tests.contract.wires import (
    LOST,
    Faults,
    FaultyWire,
    LinesWire,
    MemoryWire,
    RelayWire,
    SocketWire,
    Wire,
)
from tests.services.llm.pages import WITH_DELTAS, Page
from tests.support.checked_peer import CheckedPeer
from tests.support.jupyter_process import JupyterProcess
from tests.support.model_process import BackgroundLoop
from tests.support.repositories import RepositoryFolder
from tests.support.serve_process import ServeProcess, plain_environment

LISTED = (*WITH_DELTAS, "AcApp.filesModified")
LIMIT_S = 90.0
FRAME_MB = 2
"""The largest frame that the hosts take, by the administrator's settings."""

Result = TypeVar("Result")
HostEnvironment = Callable[[Path], dict[str, str]]


@dataclass(eq=False)
class Client(Page):
    """One connection through a door.

    Attributes:
        wire: what carries it, and can break.
        running: the peer's life; done when the connection has ended.
    """

    wire: Wire
    running: "asyncio.Task[None]" = field(init=False)

    def __post_init__(self) -> None:
        super().__init__(LISTED)
        self.peer = CheckedPeer(self.wire, self.methods)
        self.running = asyncio.create_task(self.peer.run())

    async def until(self, is_true: Callable[[Page], bool], limit_s: float = 90.0) -> None:
        """Wait for events, as long as a model's library may take to load."""
        await super().until(is_true, limit_s)

    async def repo(self, name: str, *args: object, timeout_s: float = 90.0) -> object:
        """Call a method of `Repo`."""
        return await self.peer.call(f"Repo.{name}", *args, timeout_s=timeout_s)

    async def ready(self) -> None:
        """Wait until the workspace has started, so that no time of a test goes to it."""
        async with asyncio.timeout(60):
            while not (await self.ask("get_current_state"))["init_complete"]:
                await asyncio.sleep(0.05)

    async def ended(self) -> int:
        """Wait for the end of the connection and give its code."""
        await asyncio.wait_for(asyncio.shield(self.running), 30)
        assert self.peer.ended is not None
        return self.peer.ended.close_code


@dataclass
class Door(ABC):
    """A host on a repository, and how one gets in.

    Attributes:
        is_shared: connections meet in one host; else each has a host of its own.
        too_large: the code that ends a connection with a frame over the administrator's limit;
            0: there is no limit.
        overloaded: the code that ends one that doesn't read; 0: nothing bounds what waits for it.
        repairs: what the wire loses is repaired below the frames.
    """

    loop: BackgroundLoop
    folder: RepositoryFolder
    environment: Mapping[str, str]
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)
    links: int = 0

    is_shared: ClassVar[bool] = True
    too_large: ClassVar[int] = 1009
    overloaded: ClassVar[int] = 1013
    repairs: ClassVar[bool] = False

    def run(self, work: Coroutine[object, object, Result]) -> Result:
        """Run a test's work on the doors' loop, within bounds."""
        return self.loop.run(work, LIMIT_S)

    @abstractmethod
    async def start(self) -> None:
        """Start the host."""

    async def aclose(self) -> None:
        """End it."""
        await self.closing.aclose()

    @asynccontextmanager
    async def open(self, client: str = "", faults: Faults | None = None) -> AsyncIterator[Client]:
        """Connect; the handshake is done."""
        self.links += 1
        async with AsyncExitStack() as leaving:
            wire = await self.connect(client or f"page-{self.links}", faults, leaving)
            if faults is not None and not self.repairs:
                wire = FaultyWire(wire, faults)
            page = Client(wire)
            leaving.push_async_callback(_leave, page)
            await page.peer.handshaken()
            yield page

    @abstractmethod
    async def connect(self, client: str, faults: Faults | None, leaving: AsyncExitStack) -> Wire:
        """Make the wire of a new connection; what it needs is left with it."""

    @abstractmethod
    async def kill(self) -> None:
        """End the host as a crash does, and whatever it takes to be let in again."""


async def _leave(page: Client) -> None:
    await page.peer.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(page.running, 30)


class MemoryDoor(Door):
    """A workspace in this process."""

    too_large = 0
    overloaded = 0
    host: LocalHost
    workspace: Workspace

    async def start(self) -> None:
        self.host = await self.closing.enter_async_context(local_host(dict(self.environment)))
        using = self.host.registry.use(await discover(self.folder.root))
        self.workspace = await self.closing.enter_async_context(using)

    async def connect(self, client: str, _faults: Faults | None, leaving: AsyncExitStack) -> Wire:
        near, far = direct_pair()
        remote = Remote(self.host.identity, ClientId(client))
        serving = asyncio.create_task(self.workspace.serve(far, remote, allow_everything))
        leaving.push_async_callback(asyncio.wait, {serving}, timeout=20)
        return MemoryWire(near)

    async def kill(self) -> None:
        """Close it: nothing else can end a part of this process."""
        await self.aclose()
        await self.start()


class JupyterDoor(Door):
    """The socket of a Jupyter server, a process of its own."""

    async def start(self) -> None:
        self.server = JupyterProcess(self.folder.root, self.environment)
        self.closing.push_async_callback(asyncio.to_thread, self.server.close)
        await asyncio.to_thread(self.server.start)

    async def connect(self, client: str, _faults: Faults | None, _leaving: AsyncExitStack) -> Wire:
        address = self.server.socket(self.folder.root, client=client)
        request = HTTPRequest(address, connect_timeout=30)
        return SocketWire(await websocket_connect(request, max_message_size=1 << 30))

    async def kill(self) -> None:
        os.kill(self.server.pid, signal.SIGKILL)
        await self.aclose()
        await self.start()


class StandaloneDoor(Door):
    """The socket of `jupyter ac serve`."""

    async def start(self) -> None:
        self.server = ServeProcess(self.folder.root, self.environment)
        self.closing.push_async_callback(asyncio.to_thread, self.server.close)
        await asyncio.to_thread(self.server.start)

    async def connect(self, client: str, _faults: Faults | None, _leaving: AsyncExitStack) -> Wire:
        request = HTTPRequest(f"{self.server.address}&client={client}", connect_timeout=30)
        return SocketWire(await websocket_connect(request, max_message_size=1 << 30))

    async def kill(self) -> None:
        os.kill(self.server.pid, signal.SIGKILL)
        await self.aclose()
        await self.start()


class StdioDoor(Door):
    """`jupyter ac stdio --jrpc-oo`, one for each connection.

    It lets who doesn't read wait, and makes the answers to its end after the end of its input.
    """

    is_shared = False
    too_large = LOST
    overloaded = 0

    async def start(self) -> None:
        """There is nothing before the first connection."""

    async def connect(self, _client: str, _faults: Faults | None, leaving: AsyncExitStack) -> Wire:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "jupyter_ac.hosts.cli.main", "stdio", "--jrpc-oo"),
            *("--repo", str(self.folder.root)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=dict(self.environment),
            limit=1 << 30,
        )
        self.newest = process
        leaving.push_async_callback(_end_of, process)
        return LinesWire(process)

    async def kill(self) -> None:
        """End the host of the newest connection; each gets one of its own."""
        self.newest.kill()
        await self.newest.wait()


async def _end_of(process: asyncio.subprocess.Process) -> None:
    """Wait for a host to end by itself: its input has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(30):
            while await process.stdout.read(1 << 20):
                pass
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class RelayDoor(Door):
    """The comm between a page and the kernel's own host; the kernel is this process."""

    repairs = True

    async def start(self) -> None:
        self.pages: list[RelayWire] = []
        environment = [f"{name}={value}" for name, value in self.environment.items()]
        host = command(self.folder.root)
        self.child = HostChild(self.folder.root, arguments=["env", "-i", *environment, *host])
        self.main = asyncio.get_running_loop()
        self.relay = Relay(lambda: self.child, self._send)
        self.closing.push_async_callback(asyncio.to_thread, self.child.close, 20)
        self.closing.callback(self.relay.close)

    async def connect(self, client: str, faults: Faults | None, leaving: AsyncExitStack) -> Wire:
        wire = RelayWire(f"link-{self.links}", self.relay.receive, faults)
        self.pages.append(wire)
        leaving.callback(self.pages.remove, wire)
        await wire.open(client)
        return wire

    async def kill(self) -> None:
        """End the kernel's host, which the next page makes it start again."""
        assert self.child.pid is not None
        os.kill(self.child.pid, signal.SIGKILL)

    def _send(self, message: Mapping[str, object]) -> None:
        self.main.call_soon_threadsafe(self._tell, message)

    def _tell(self, message: Mapping[str, object]) -> None:
        for page in list(self.pages):
            page.hear(message)


DOORS: dict[str, type[Door]] = {
    "memory": MemoryDoor,
    "jupyter": JupyterDoor,
    "standalone": StandaloneDoor,
    "stdio": StdioDoor,
    "relay": RelayDoor,
}


def environment_for(home: Path, api_base: str) -> dict[str, str]:
    """Give a host's environment: nothing of this machine's, a scripted model, small frames."""
    chosen = {"JUPYTER_AC_MODEL": "openai/scripted-slow@0.05", "JUPYTER_AC_API_BASE": api_base}
    environment = plain_environment(home, **chosen)
    user = Path(environment["JUPYTER_AC_CONFIG_DIR"])
    user.mkdir(parents=True, exist_ok=True)
    key = json.dumps({"env": {"OPENAI_API_KEY": "sk-scripted-0123456789"}})
    (user / "llm.json").write_text(key, encoding="utf-8")
    settings = Path(environment["JUPYTER_CONFIG_DIR"])
    settings.mkdir(parents=True, exist_ok=True)
    limits = json.dumps({"JupyterAC": {"max_message_mb": FRAME_MB}})
    (settings / "jupyter_ac_config.json").write_text(limits, encoding="utf-8")
    return environment
