"""All connections of a server: their workspaces, their tasks, their activity."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Final

from jupyter_ac.errors import Busy
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.panels.connected_panels import AskedPanel
from jupyter_ac.hosts.panels.plugin_transport import QueueingTransport
from jupyter_ac.hosts.registry import WorkspaceRegistry
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.dispatch import Authorize
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.state_feed.feed import StateFeed

ACTIVITY_INTERVAL_S: Final = 15.0
CLOSE_TIMEOUT_S: Final = 5.0

_NO_LIMITS: Final = ConnectionLimits()


class Connections:
    """Serves connections until it is closed. Belongs to the server's event loop.

    Args:
        registry: the workspaces; closed with the connections.
        max_message_bytes: largest frame that a client may send.
        report_activity: called while something goes on that must keep the server alive; None when
            nobody ends it for being idle.
        limits: how many connections are served at once.
    """

    def __init__(
        self,
        registry: WorkspaceRegistry[Workspace],
        max_message_bytes: int,
        report_activity: Callable[[], None] | None = None,
        limits: ConnectionLimits = _NO_LIMITS,
    ) -> None:
        self.max_message_bytes = max_message_bytes
        self._registry = registry
        self._report_activity = report_activity
        self._limits = limits
        self._open_of: Counter[Identity] = Counter()
        self._streams = 0
        self._serving: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a turn is running in any workspace."""
        return self._registry.is_busy

    def serve(
        self,
        repository: Repository,
        transport: Transport,
        remote: Remote,
        authorize: Authorize,
        profile: WireDialect = JRPC_OO,
    ) -> "asyncio.Task[None]":
        """Serve a connection in a task that ends with it.

        If the workspace can't be opened, the task fails with the error.

        Raises:
            Busy: as many connections as are allowed are open.
        """
        serving = self._serve(repository, transport, remote, authorize, profile)
        return self._begin(serving, repository, remote)

    def serve_exchange(
        self,
        repository: Repository,
        transport: Transport,
        remote: Remote,
        authorize: Authorize,
        profile: WireDialect,
        *,
        takes_events: bool,
    ) -> "asyncio.Task[None]":
        """Serve one request in a task that ends when it is answered; else as `serve`.

        Raises:
            Busy: as many connections as are allowed are open.
        """

        async def serving() -> None:
            async with self._registry.use(repository) as workspace:
                await workspace.serve_exchange(
                    transport, remote, authorize, profile, takes_events=takes_events
                )

        return self._begin(serving(), repository, remote)

    def serve_panel(
        self,
        repository: Repository,
        transport: QueueingTransport,
        remote: Remote,
        asked: AskedPanel,
    ) -> "asyncio.Task[None]":
        """Serve a plugin that has connected, in a task that ends with it; else as `serve`.

        Raises:
            Busy: as many connections as are allowed are open.
        """

        async def serving() -> None:
            async with self._registry.use(repository) as workspace:
                await workspace.serve_panel(transport, remote, asked)

        return self._begin(serving(), repository, remote)

    def _begin(
        self, serving: Coroutine[None, None, None], repository: Repository, remote: Remote
    ) -> "asyncio.Task[None]":
        try:
            self.require_room(remote.identity)
        except Busy:
            serving.close()
            raise
        if self._watch is None and self._report_activity is not None:
            watch = self._watch_turns(self._report_activity)
            self._watch = asyncio.create_task(watch, name="jupyter_ac activity")
        name = f"jupyter_ac connection to {repository.name}"
        task = asyncio.create_task(serving, name=name)
        self._serving.add(task)
        self._open_of[remote.identity] += 1
        task.add_done_callback(lambda ended: self._forget(ended, remote.identity))
        return task

    @asynccontextmanager
    async def follow(self, repository: Repository, remote: Remote) -> AsyncIterator[StateFeed]:
        """Give the state of a person's conversation; the workspace is open during the block.

        Raises:
            Busy: as many clients as are allowed follow one.
            AcError: the workspace can't be opened.
        """
        self.require_stream_room()
        self._streams += 1
        try:
            async with (
                self._registry.use(repository) as workspace,
                workspace.follow(remote) as feed,
            ):
                yield feed
        finally:
            self._streams -= 1

    def note_activity(self) -> None:
        """Record activity of a person."""
        if self._report_activity is not None:
            self._report_activity()

    async def aclose(self) -> None:
        """Close all workspaces, and with them all connections; bounded."""
        if self._watch is not None:
            self._watch.cancel()
        await self._registry.aclose()
        tasks = {*self._serving, *filter(None, (self._watch,))}
        for task in self._serving:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_TIMEOUT_S)

    def require_room(self, identity: Identity) -> None:
        """Make sure that another connection may be served; for before anything is done for it.

        Raises:
            Busy: as many as are allowed are open.
        """
        if len(self._serving) >= self._limits.open or self._is_full:
            raise Busy(
                f"This server keeps {self._limits.open} connections open and has no room for "
                "another; close some pages and connect again."
            )
        if self._open_of[identity] >= self._limits.each:
            raise Busy(
                f"You have {self._limits.each} connections open, as many as one user may; close "
                "some pages and connect again."
            )

    def require_stream_room(self) -> None:
        """Make sure that another client may follow a state; for before anything is done for it.

        Raises:
            Busy: as many as are allowed do.
        """
        if self._streams >= self._limits.streams or self._is_full:
            raise Busy(
                f"This server has {self._streams} event streams open and has no room for another; "
                "close some and try again."
            )

    @property
    def _is_full(self) -> bool:
        return len(self._serving) + self._streams >= self._limits.total

    def _forget(self, ended: "asyncio.Task[None]", identity: Identity) -> None:
        self._serving.discard(ended)
        self._open_of[identity] -= 1
        if not self._open_of[identity]:
            del self._open_of[identity]

    async def _serve(
        self,
        repository: Repository,
        transport: Transport,
        remote: Remote,
        authorize: Authorize,
        profile: WireDialect,
    ) -> None:
        async with self._registry.use(repository) as workspace:
            await workspace.serve(transport, remote, authorize, profile)

    async def _watch_turns(self, report: Callable[[], None]) -> None:
        """Report activity as long as turns run, also when nobody looks at them."""
        while True:
            if self._registry.is_busy:
                report()
            await asyncio.sleep(ACTIVITY_INTERVAL_S)
