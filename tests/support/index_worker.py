"""A real index worker over a working tree."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from jupyter_ac.workers.process import Worker

LIMIT_S: Final = 90.0


@asynccontextmanager
async def opened_index(root: Path, cache: Path) -> AsyncIterator[Worker]:
    """Give a worker that has read the whole tree; ended behind the block."""
    worker = Worker("index")
    try:
        await worker.call("Index.open", str(root), str(cache), timeout_s=LIMIT_S)
        await worker.run("Index.refresh", None, on_event=lambda _: None, timeout_s=LIMIT_S)
        yield worker
    finally:
        await worker.aclose()
