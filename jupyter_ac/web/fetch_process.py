"""Fetches addresses, each in a child process of its own that is ended afterwards."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

from jupyter_ac.errors import (
    Busy,
    ConnectionClosed,
    NotReady,
    RemoteError,
    TimedOut,
    Unsupported,
)
from jupyter_ac.web.addresses import WebAddress
from jupyter_ac.web.fetch_request import (
    MAX_ARCHIVE_BYTES,
    MAX_PAGE_BYTES,
    PAGE_S,
    REPOSITORY_S,
    FetchedPage,
    FetchRequest,
    GitHubHosts,
)
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.workers.process import Worker
from jupyter_ac.workers.wire import decoded_record

MAX_PROCESSES: Final = 4
"""Addresses that are fetched at the same time; further ones wait."""

MAX_WAITING: Final = 60
"""Addresses that wait for a process; further ones are refused."""

_SPARE_S: Final = 120.0
"""A process that was started ahead is ended when nothing is fetched for so long."""

_GRACE_S: Final = 2.0
"""A process ends its fetch by itself at the limit; after this time it is killed."""


class Fetcher:
    """Fetches addresses in child processes.

    Belongs to the event loop that first uses it.

    Args:
        rules: gives the rules about hosts that are in force.
        let_through: see `HttpClient`; for tests.
        github: where GitHub is; for tests.
    """

    def __init__(
        self,
        rules: Callable[[], HostRules],
        let_through: Sequence[str] = (),
        github: GitHubHosts | None = None,
    ) -> None:
        self._rules = rules
        self._let_through, self._github = tuple(let_through), github or GitHubHosts()
        self._slots = asyncio.Semaphore(MAX_PROCESSES)
        self._waiting = 0
        self._spare: Worker | None = None
        self._spare_end: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._is_closed = False

    def warm(self) -> None:
        """Start a process ahead, since an address will probably be fetched; returns at once."""
        if self._is_closed:
            return
        if self._spare is None:
            self._spare = Worker("fetch")
            self._background(_started(self._spare))
        if self._spare_end is not None:
            self._spare_end.cancel()
        loop = asyncio.get_running_loop()
        self._spare_end = loop.call_later(_SPARE_S, self._end_spare)

    async def fetch(
        self, address: WebAddress, folder: Path, report: Callable[[int], None]
    ) -> FetchedPage:
        """Fetch an address; cancelling this ends its process.

        Args:
            address: which one.
            folder: an empty folder, into which a repository is unpacked.
            report: is told the number of bytes that have arrived.

        Raises:
            TimedOut: it took too long.
            Unsupported: there is no text, for the reason in the message.
            Busy: too many addresses wait.
            NotReady: no process can be started.
        """
        request = self._request(address, folder)
        async with self._slot():
            worker = self._taken()
            try:
                await worker.start()
                answer = await worker.run(
                    "Fetch.fetch",
                    asdict(request),
                    on_event=lambda count: report(count if isinstance(count, int) else 0),
                    timeout_s=request.limit_s + _GRACE_S,
                )
            except TimedOut as error:
                raise TimedOut(f"it did not come within {request.limit_s:g} seconds") from error
            except ConnectionClosed as error:
                raise Unsupported("its content needs too much memory, or it is damaged") from error
            except RemoteError as error:
                raise Unsupported(error.message) from error
            finally:
                self._background(worker.aclose())
        return decoded_record(FetchedPage, answer)

    async def aclose(self) -> None:
        """End all processes; bounded."""
        self._is_closed = True
        self._end_spare()
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        if self._waiting >= MAX_WAITING:
            raise Busy(f"{MAX_WAITING} other pages wait to be fetched; try again later")
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._slots.release()

    def _request(self, address: WebAddress, folder: Path) -> FetchRequest:
        is_repository = address.type == "github_repo"
        rules = self._rules()
        return FetchRequest(
            address.url,
            str(folder),
            REPOSITORY_S if is_repository else PAGE_S,
            MAX_ARCHIVE_BYTES if is_repository else MAX_PAGE_BYTES,
            tuple(rules.allowed),
            tuple(rules.denied),
            self._let_through,
            self._github,
        )

    def _taken(self) -> Worker:
        worker, self._spare = self._spare or Worker("fetch"), None
        return worker

    def _end_spare(self) -> None:
        if self._spare_end is not None:
            self._spare_end.cancel()
            self._spare_end = None
        spare, self._spare = self._spare, None
        if spare is not None:
            self._background(spare.aclose())

    def _background(self, work: Coroutine[object, object, object]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _started(worker: Worker) -> None:
    """Start a process ahead; one that can't be started says so when it is used."""
    try:
        await worker.start()
    except (NotReady, ConnectionClosed):
        return
