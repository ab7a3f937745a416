"""The kernel's own host for one repository, for callers on any thread."""

import asyncio
import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.kernel.child.links import Ends, HostLinks, Link
from jupyter_ac.hosts.kernel.child.process import command, environment
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.link_lines import Opened, open_line, read_line

_Result = TypeVar("_Result")

NAME: Final = "jupyter-ac-child"


class LoopThread:
    """Runs callbacks and coroutines for callers on any thread, until it is stopped.

    The loop is asyncio's plain one, whatever policy the user's code has installed.
    """

    def __init__(self) -> None:
        self._loop = asyncio.SelectorEventLoop()
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    @property
    def is_here(self) -> bool:
        """Whether the caller runs on this thread."""
        return threading.current_thread() is self._thread

    def call(self, function: Callable[..., object], *args: object) -> bool:
        """Run a function on the loop soon, in the order of the calls; False after the end."""
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def submit(self, work: Coroutine[object, object, _Result]) -> Future[_Result]:
        """Run a coroutine on the loop.

        Raises:
            NotReady: the thread has ended.
        """
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError as error:
            work.close()
            raise NotReady("the kernel's helper thread has ended") from error

    def stop(self) -> None:
        """End the thread soon; what still runs on the loop is cancelled."""
        self.call(self._loop.stop)

    def join(self, timeout_s: float) -> None:
        """Wait for the end; not on the thread itself."""
        if not self.is_here:
            self._thread.join(timeout_s)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        finally:
            self._loop.close()


class HostLink:
    """One connection to the host; to be used from any thread."""

    def __init__(self, links: HostLinks, link: Link, thread: LoopThread) -> None:
        self._links = links
        self._link = link
        self._thread = thread

    def send(self, frame: str) -> None:
        """Send a frame, one JSON value; never blocks, and drops it after the end."""
        self._thread.call(self._links.send, self._link, frame)

    def close(self) -> None:
        """Close the link; neither callback is called for it any more, but for what is under way."""
        self._thread.call(self._links.close, self._link)


@dataclass(frozen=True, slots=True)
class Connected:
    """A peer over a link.

    Attributes:
        peer: for calls.
        life: runs the peer; done when the connection has ended.
    """

    peer: Peer
    life: "asyncio.Task[None]"


class HostChild:
    """A `jupyter ac stdio --links` process that is started on demand when a link is opened.

    Nothing here blocks its caller. The process and the thread that talks to it begin with the first
    link; a process that has ended is started again by the next link. It ends by itself after this
    process has ended for any reason. In a process that is forked from this one it is closed.

    Args:
        folder: in the repository.
        model: for all questions; "" for the user's choice.
        arguments: command line instead of the real host's.

    Attributes:
        folder: as given.
        known_environment: of this process when this was made: the host's has it all.
    """

    def __init__(
        self, folder: Path, *, model: str = "", arguments: Sequence[str] | None = None
    ) -> None:
        self.folder = folder
        self.known_environment: Mapping[str, str] = dict(os.environ)
        self._links = HostLinks(arguments or command(folder, model), environment)
        self._lock = threading.Lock()
        self._thread: LoopThread | None = None
        self._is_closed = False
        forked = weakref.WeakMethod(self._after_fork)
        os.register_at_fork(after_in_child=lambda: _call(forked))

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        process = self._links.process
        return None if process is None else process.pid

    def open(self, link: str, ends: Ends, *, client: str = "", aside: str = "") -> HostLink:
        """Open a link. Later errors are reported by its `on_close`.

        Args:
            link: its name, none that is open.
            ends: callbacks for frames and for the end: the other side's, or the process's (1006).
            client: the page's name.
            aside: which conversation of the user's; "" for the one that panels show.

        Raises:
            LinkFault: a name has characters that it must not have.
            NotReady: this is closed.
        """
        read_line(open_line(link, client, aside))
        thread = self._running()
        owned = Link(ends)
        thread.call(self._links.open, owned, Opened(link, client, aside))
        return HostLink(self._links, owned, thread)

    def call(self, function: Callable[..., object], *args: object) -> None:
        """Run a function on the child's loop soon; after the end it is forgotten."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.call(function, *args)

    def submit(self, work: Coroutine[object, object, _Result]) -> Future[_Result]:
        """Run a coroutine on the child's loop.

        Raises:
            NotReady: this is closed.
        """
        try:
            thread = self._running()
        except NotReady:
            work.close()
            raise
        return thread.submit(work)

    async def connect(self, link: str, aside: str, methods: Mapping[str, Method]) -> Connected:
        """Open a link with a peer of ours at this end; only on the child's loop.

        Returns:
            The running peer, its handshake done; to be closed by the caller.

        Raises:
            NotReady: this is closed.
            ConnectionClosed: the host refused, can't be started or has ended; says why.
            TimedOut: the host doesn't answer.
        """
        self._running()
        transport = await self._links.connect(Opened(link, aside=aside))
        peer = Peer(transport, methods)
        life = asyncio.create_task(peer.run(), name=f"kernel's link {link}")
        try:
            await peer.handshaken()
        except BaseException:
            await peer.close()
            raise
        return Connected(peer, life)

    def close(self, wait_s: float = 0.0) -> None:
        """End the process and the thread, and open no further link.

        Args:
            wait_s: how long to wait for the end.
        """
        with self._lock:
            self._is_closed = True
            thread = self._thread
        if thread is None:
            return
        thread.call(self._begin_end, thread)
        if wait_s:
            thread.join(wait_s)

    def _running(self) -> LoopThread:
        with self._lock:
            if self._is_closed:
                raise NotReady("the kernel's jupyter ac stdio is closed; %reload_ext jupyter_ac")
            if self._thread is None:
                self._thread = LoopThread()
            return self._thread

    def _begin_end(self, thread: LoopThread) -> None:
        asyncio.ensure_future(self._links.aclose()).add_done_callback(lambda _: thread.stop())

    def _after_fork(self) -> None:
        """Let go of the pipes, in a forked process, so that the kernel's end is the child's.

        The thread isn't there and its locks may be held for good, so nothing of it is touched. The
        descriptors stay open, on nothing: somebody will close them.
        """
        self._lock = threading.Lock()
        self._is_closed = True
        self._thread = None
        process = self._links.process
        if process is not None:
            nothing = os.open(os.devnull, os.O_RDWR)
            for fd in process.fds:
                os.dup2(nothing, fd)
            os.close(nothing)


def _call(method: "weakref.WeakMethod[Callable[[], None]]") -> None:
    bound = method()
    if bound is not None:
        bound()
