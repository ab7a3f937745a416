"""The `fetch` worker: fetches one address and extracts its text.

The content comes from strangers. A page that needs too much memory, or on which a parser crashes,
ends this process and no other; the parent ends it when its time is over.
"""

import importlib
import resource
import sys
from typing import Final

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.web.fetch_request import FetchedPage, FetchRequest
from jupyter_ac.web.fetching import fetch
from jupyter_ac.web.http_client import certificates
from jupyter_ac.web.page_text import warm_up
from jupyter_ac.worker.jobs import Jobs, emitter
from jupyter_ac.workers.wire import decoded_record

_MEMORY_BYTES: Final = 1 << 30
_REPORT_BYTES: Final = 100_000
_IMPORTED_LATE: Final = ("httpcore", "anyio._backends._asyncio")
"""What httpx imports at its first request."""


class FetchWorker:
    """Fetches addresses.

    Args:
        jobs: by which the host cancels.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    @method(Access.EXECUTE)
    async def fetch(self, channel: int, request: dict[str, object]) -> FetchedPage:
        """Fetch an address; the number of bytes so far goes out as events of the channel."""
        emit, reported = emitter(channel), 0

        def report(count: int) -> None:
            nonlocal reported
            if count - reported >= _REPORT_BYTES:
                reported = count
                emit(count)

        wanted = decoded_record(FetchRequest, request)
        return await self._jobs.run(channel, fetch(wanted, report))


def part(jobs: Jobs) -> FetchWorker:
    """Create the part that a worker of this kind serves."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
    for name in _IMPORTED_LATE:
        importlib.import_module(name)
    certificates()
    warm_up()
    return FetchWorker(jobs)
