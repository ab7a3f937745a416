"""What a server and a client have in common: objects that are served, remotes that are there."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from jupyter_ac.errors import AcError, AlreadyExists, ConnectionClosed
from jupyter_ac.ids import ClientId
from jupyter_ac.jrpc_oo.exposure import Getter, exposed, inject
from jupyter_ac.jrpc_oo.remotes import RemoteEnd, Remotes
from jupyter_ac.jrpc_oo.threads import Threads
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.overload import CallAges, HostLoad
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport

if TYPE_CHECKING:
    from jupyter_ac.rpc.methods import Method

_logger = logging.getLogger(__name__)

END_S: Final = 10.0
"""What the end of a connection may take."""

_GRACE_S: Final = 2.0
"""What a callback may take after the end of its connection."""


class Events:
    """What happens to connections; to be overridden, by plain methods or coroutines."""

    def remote_is_up(self) -> Awaitable[None] | None:
        """Override: a connection has been made."""

    def setup_done(self) -> Awaitable[None] | None:
        """Override: a remote has listed its methods, so that it can be called."""

    def remote_disconnected(self, uuid: str) -> Awaitable[None] | None:
        """Override: a connection has ended."""


class Hub:
    """Serves connections; belongs to one event loop.

    Attributes:
        remotes: who is connected.

    Args:
        events: told what happens.
        timeout_s: how long a remote may take to answer.
        nobody: see `Remotes`.
        coming: see `Remotes`.

    Raises:
        ValueError: the timeout is not positive.
    """

    def __init__(
        self,
        events: Events,
        timeout_s: float,
        nobody: Callable[[], AcError] | None = None,
        coming: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        if not timeout_s > 0:
            raise ValueError(f"remote_timeout must be more than 0 seconds, not {timeout_s!r}")
        self.remotes = Remotes(nobody, coming)
        self._events = events
        self._timeout_s = timeout_s
        self._methods: dict[str, Method] = {}
        self._objects: list[tuple[object, str]] = []
        self._threads = Threads()
        self._load = HostLoad()
        self._tasks: set[asyncio.Task[None]] = set()

    def add_class(self, instance: object, obj_name: str | None) -> None:
        """Serve the public methods of an object; remotes that are there are told.

        Raises:
            TypeError: it is a class.
            ValueError: the name is empty.
            AlreadyExists: another object serves a method of that name.
        """
        if isinstance(instance, type):
            raise TypeError(f"add_class takes an object: {instance.__name__}(), not the class")
        name = type(instance).__name__ if obj_name is None else obj_name
        if not name:
            raise ValueError("obj_name must not be empty")
        if any(served is instance and known == name for served, known in self._objects):
            return
        found = {method.name: method for method in exposed(instance, name, self._threads)}
        if taken := sorted(found.keys() & self._methods.keys()):
            raise AlreadyExists(
                f"{taken[0]} is served already; give the second object a name of its own: "
                "add_class(object, 'Name')"
            )
        self._objects.append((instance, name))
        inject(instance, self._getters())
        self._methods.update(found)
        for end in list(self.remotes.by_uuid.values()):
            end.home.do(end.peer.announce)

    async def serve(self, transport: Transport) -> ConnectionClosed | None:
        """Serve a connection to its end, and say how it ended."""
        uuid = str(uuid4())
        remote = Remote(client=ClientId(uuid))
        peer = Peer(transport, self._methods, remote=remote, timeout_s=self._timeout_s)
        peer.ages = CallAges(self._load)
        greeting = asyncio.create_task(self._greet(peer), name="jrpc_oo handshake")
        self.remotes.add(RemoteEnd(uuid, peer, greeting))
        try:
            self.tell(self._events.remote_is_up)
            await peer.run()
        finally:
            self.remotes.remove(uuid)
            greeting.cancel()
            self.tell(self._events.remote_disconnected, uuid)
        return peer.ended

    async def disconnect(self, code: int, reason: str) -> None:
        """Close all connections; what serves them ends soon after."""
        peers = [end.peer for end in self.remotes.by_uuid.values()]
        await asyncio.gather(*(peer.close(code, reason) for peer in peers))

    async def release(self) -> None:
        """Let the threads go, and wait for callbacks: for a moment, then they are cancelled."""
        self._threads.close()
        # A callback may be what ends all this.
        tasks = self._tasks - {asyncio.current_task()}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_GRACE_S)
            for task in late:
                task.cancel()

    def is_calling_back(self) -> bool:
        """Whether the task that asks is a callback."""
        return asyncio.current_task() in self._tasks

    async def _greet(self, peer: Peer) -> None:
        try:
            await peer.handshaken()
        except AcError as error:
            _logger.info("a remote never listed its methods: %s", error)
        else:
            self.tell(self._events.setup_done)

    def tell(self, event: Callable[..., Awaitable[None] | None], *args: object) -> None:
        """Call back; whatever that does, the connection goes on."""
        try:
            waits = event(*args)
        except Exception:
            _logger.exception("%s failed", event.__name__)
            return
        if inspect.isawaitable(waits):
            task = asyncio.create_task(self._finish(event.__name__, waits))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _finish(self, name: str, waits: Awaitable[None]) -> None:
        try:
            await waits
        except Exception:
            _logger.exception("%s failed", name)

    def _getters(self) -> dict[str, Getter]:
        return {
            "get_call": Getter(self.remotes.call),
            "get_remotes": Getter(self.remotes.by_uuid),
            "get_server": Getter(self.remotes.server),
        }
