"""The common core of server and client: exposed objects and connected remotes."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from jupyter_ac.errors import AcError, AlreadyExists, ConnectionClosed
from jupyter_ac.ids import ClientId
from jupyter_ac.jrpc_oo.exposure import Getter, exposed_methods, inject
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
"""Time limit for closing a connection."""

_GRACE_S: Final = 2.0
"""Time limit for a callback after the end of its connection."""


class Events:
    """Callbacks for connections, to be overridden by plain methods or coroutines."""

    def remote_is_up(self) -> Awaitable[None] | None:
        """Override: a connection was made."""

    def setup_done(self) -> Awaitable[None] | None:
        """Override: a remote has listed its methods and can be called."""

    def remote_disconnected(self, uuid: str) -> Awaitable[None] | None:
        """Override: a connection has ended."""


class Hub:
    """Serves connections. Belongs to one event loop.

    Attributes:
        remotes: the connected remotes.

    Args:
        events: callbacks.
        timeout_s: time limit for a remote's answer.
        not_connected: see `Remotes`.
        connecting: see `Remotes`.

    Raises:
        ValueError: the timeout is not positive.
    """

    def __init__(
        self,
        events: Events,
        timeout_s: float,
        not_connected: Callable[[], AcError] | None = None,
        connecting: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        if not timeout_s > 0:
            raise ValueError(f"remote_timeout must be more than 0 seconds, not {timeout_s!r}")
        self.remotes = Remotes(not_connected, connecting)
        self._events = events
        self._timeout_s = timeout_s
        self._methods: dict[str, Method] = {}
        self._objects: list[tuple[object, str]] = []
        self._threads = Threads()
        self._load = HostLoad()
        self._tasks: set[asyncio.Task[None]] = set()

    def add_class(self, instance: object, obj_name: str | None) -> None:
        """Expose the public methods of an object; connected remotes are notified.

        Raises:
            TypeError: it is a class.
            ValueError: the name is empty.
            AlreadyExists: another object has a method of that name.
        """
        if isinstance(instance, type):
            raise TypeError(f"add_class takes an object: {instance.__name__}(), not the class")
        name = type(instance).__name__ if obj_name is None else obj_name
        if not name:
            raise ValueError("obj_name must not be empty")
        if any(served is instance and known == name for served, known in self._objects):
            return
        found = {method.name: method for method in exposed_methods(instance, name, self._threads)}
        if taken := sorted(found.keys() & self._methods.keys()):
            raise AlreadyExists(
                f"{taken[0]} is served already; give the second object a name of its own: "
                "add_class(object, 'Name')"
            )
        self._objects.append((instance, name))
        inject(instance, self._getters())
        self._methods.update(found)
        for end in list(self.remotes.by_uuid.values()):
            end.loop.call(end.peer.announce)

    async def serve(self, transport: Transport) -> ConnectionClosed | None:
        """Serve a connection to its end, and return the reason for the end."""
        uuid = str(uuid4())
        remote = Remote(client=ClientId(uuid))
        peer = Peer(transport, self._methods, remote=remote, timeout_s=self._timeout_s)
        peer.calls.ages = CallAges(self._load)
        handshake = asyncio.create_task(self._await_handshake(peer), name="jrpc_oo handshake")
        self.remotes.add(RemoteEnd(uuid, peer, handshake))
        try:
            self.notify(self._events.remote_is_up)
            await peer.run()
        finally:
            self.remotes.remove(uuid)
            handshake.cancel()
            self.notify(self._events.remote_disconnected, uuid)
        return peer.ended

    async def disconnect(self, code: int, reason: str) -> None:
        """Close all connections; their `serve` calls return soon after."""
        peers = [end.peer for end in self.remotes.by_uuid.values()]
        await asyncio.gather(*(peer.close(code, reason) for peer in peers))

    async def release(self) -> None:
        """Stop the threads, and wait briefly for callbacks; then cancel them."""
        self._threads.close()
        # This may run inside a callback.
        tasks = self._tasks - {asyncio.current_task()}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_GRACE_S)
            for task in late:
                task.cancel()

    def is_calling_back(self) -> bool:
        """Return whether the current task is a callback."""
        return asyncio.current_task() in self._tasks

    async def _await_handshake(self, peer: Peer) -> None:
        try:
            await peer.handshaken()
        except AcError as error:
            _logger.info("a remote never listed its methods: %s", error)
        else:
            self.notify(self._events.setup_done)

    def notify(self, event: Callable[..., Awaitable[None] | None], *args: object) -> None:
        """Run a callback; its errors are logged and don't affect the connection."""
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
