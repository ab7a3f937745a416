"""A child process that is started on demand, again after an exit.

Started ahead or at the first call, started again after a crash (the calls in flight fail), ended
with its owner.
"""

import asyncio
import itertools
import logging
import time
from collections.abc import Callable, Mapping
from typing import Final

from jupyter_ac.errors import ConnectionClosed, NotReady, TimedOut
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.workers.child import Child

_logger = logging.getLogger(__name__)

_CALL_S: Final = 60.0

_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 5.0

_HEALTHY_S: Final = 30.0
"""A child that has run for this long has started successfully."""


class _Events:
    """Receives the events of a child's running jobs, and passes them to the callers."""

    def __init__(self) -> None:
        self.listeners: dict[int, Callable[[object], None]] = {}

    @method(Access.READ)
    def event(self, channel: int, event: object) -> None:
        """Take an event of the job with this channel number; a job that nobody awaits is over."""
        listener = self.listeners.get(channel)
        if listener is not None:
            listener(event)


class Worker:
    """A child interpreter running `python -m jupyter_ac.worker KIND`.

    Belongs to the event loop that first uses it. The child ends itself when this process has ended
    for any reason.

    Args:
        kind: a key of `KINDS` in `jupyter_ac/worker/__main__.py`.
        env: variables on top of this process's environment.
    """

    def __init__(self, kind: str, *, env: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self._env = dict(env or {})
        self._events = _Events()
        self._methods = MethodTable(Namespace("Host", self._events))
        self._channels = itertools.count(1)
        self._child: Child | None = None
        self._mourned: Child | None = None
        self._starting = asyncio.Lock()
        self._early_deaths = 0
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Process id of the running child, or None."""
        child = self._child
        return child.pid if child is not None and child.is_running else None

    async def start(self) -> None:
        """Start the child when none runs.

        Raises:
            NotReady: it can't be started, or the worker is closed.
        """
        await self._running()

    async def peer(self) -> Peer:
        """Give the peer that talks to the running child, which is started when none runs."""
        return (await self._running()).peer

    async def call(self, name: str, *args: object, timeout_s: float = _CALL_S) -> object:
        """Call a method of the child that answers soon.

        Args:
            name: with its namespace: `Tokens.count`.
            args: JSON values.
            timeout_s: bound of the call.

        Raises:
            RemoteError: the child answered with an error.
            ConnectionClosed: the child died during the call; the next call starts another.
            TimedOut: no answer in time.
            NotReady: it can't be started.
        """
        child = await self._running()
        try:
            return await child.peer.call(name, *args, timeout_s=timeout_s)
        except ConnectionClosed as closed:
            raise await self._death(child) from closed

    async def run(
        self, name: str, *args: object, on_event: Callable[[object], None], timeout_s: float
    ) -> object:
        """Run a long job of the child; cancelling this, or its time running out, ends the job.

        Args:
            name: with its namespace; the method's first parameter is the job's channel number.
            args: JSON values, those that follow.
            on_event: gets what the child sends while it works, in order, before the result.
            timeout_s: bound of the whole job.

        Raises:
            RemoteError, ConnectionClosed, TimedOut, NotReady: as `call`.
        """
        child = await self._running()
        channel = next(self._channels)
        self._events.listeners[channel] = on_event
        try:
            return await child.peer.call(name, channel, *args, timeout_s=timeout_s)
        except ConnectionClosed as closed:
            raise await self._death(child) from closed
        except (asyncio.CancelledError, TimedOut):
            child.peer.notify("Worker.cancel", channel)
            raise
        finally:
            del self._events.listeners[channel]

    async def aclose(self) -> None:
        """End the child and start no other; bounded."""
        self._is_closed = True
        async with self._starting:
            child, self._child = self._child, None
        if child is not None:
            await child.end()

    async def _running(self) -> Child:
        child = self._child
        if child is not None and child.is_running:
            return child
        async with self._starting:
            if self._is_closed:
                raise NotReady(f"the {self.kind} worker is closed")
            if self._child is not None:
                if self._child.is_running:
                    return self._child
                await self._bury(self._child)
            self._child = await Child.launch(self.kind, self._env, self._methods)
            return self._child

    async def _bury(self, child: Child) -> None:
        if time.monotonic() - child.started_at > _HEALTHY_S:
            self._early_deaths = 0
        await child.end()
        if self._early_deaths:
            pause_s = _FIRST_PAUSE_S * 2.0 ** (self._early_deaths - 1)
            await asyncio.sleep(min(pause_s, _LONGEST_PAUSE_S))
        self._early_deaths += 1

    async def _death(self, child: Child) -> ConnectionClosed:
        how = await child.obituary()
        if child is not self._mourned:  # all calls in flight meet the same death
            self._mourned = child
            words = "\n".join(child.last_lines)
            _logger.warning("the %s worker (pid %d) %s\n%s", self.kind, child.pid, how, words)
        return ConnectionClosed(f"the {self.kind} worker process {how}")
