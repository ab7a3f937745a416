"""The client of the jedi worker, which is killed when a question takes too long."""

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, TimedOut
from jupyter_ac.ids import RepoPath
from jupyter_ac.workers.process import Worker

_logger = logging.getLogger(__name__)

PATIENCE_S: Final = 2.0
"""For one question; also how long the first one waits for the child."""

_OPEN_S: Final = 30.0
_PAUSE_S: Final = 60.0
"""For which a file that has ended a child is not asked about."""


def _jedi() -> Worker:
    return Worker("jedi")


class JediClient:
    """Asks about Python files of one working tree; no answer is None, whatever the reason.

    The child is started by the first question. Belongs to one event loop.

    Args:
        root: top of the working tree.
        cache_dir: where the machine keeps what jedi has parsed.
        make: makes the worker.
        patience_s: for one question.
    """

    def __init__(
        self,
        root: Path,
        cache_dir: Path,
        make: Callable[[], Worker] = _jedi,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._places = str(root), str(cache_dir)
        self._make = make
        self._patience_s = patience_s
        self._worker = make()
        self._opened_pid: int | None = None
        self._opening: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._shunned: dict[RepoPath, float] = {}

    async def ask(
        self, question: str, path: RepoPath, line: int, column: int, *, patient: bool = True
    ) -> object:
        """Ask for `help`, `goto`, `references` or `complete` at a place.

        Args:
            question: which.
            path: of the file.
            line: 1-based.
            column: 0-based, in UTF-16 code units.
            patient: whether to wait for a child that has just been started.
        """
        is_shunned = time.monotonic() < self._shunned.get(path, 0.0)
        if is_shunned or not await self._is_open(self._patience_s if patient else 0.0):
            return None
        worker = self._worker
        try:
            return await worker.call(
                f"Jedi.{question}", path, line, column, timeout_s=self._patience_s
            )
        except AcError as error:
            if isinstance(error, TimedOut) and worker is self._worker:
                self._shun(path)
            _logger.info("jedi does not answer for %s: %s", path, error)
            return None

    async def aclose(self) -> None:
        """End the child; bounded."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.wait({self._opening})
        if self._ending:
            await asyncio.wait(self._ending)
        await self._worker.aclose()

    async def _is_open(self, wait_s: float) -> bool:
        if self._opened_pid is not None and self._opened_pid == self._worker.pid:
            return True
        if self._opening is None or self._opening.done():
            self._opening = asyncio.create_task(self._open(), name="jedi: opening")
        await asyncio.wait({self._opening}, timeout=wait_s)
        return self._opened_pid is not None and self._opened_pid == self._worker.pid

    async def _open(self) -> None:
        try:
            await self._worker.start()
            pid = self._worker.pid
            await self._worker.call("Jedi.open", *self._places, timeout_s=_OPEN_S)
            self._opened_pid = pid
        except TimedOut:
            self._replace()
        except AcError as error:
            _logger.warning("jedi can't be started: %s", error)

    def _shun(self, path: RepoPath) -> None:
        self._shunned[path] = time.monotonic() + _PAUSE_S
        self._replace()

    def _replace(self) -> None:
        """End the child, which is stuck, and let the next question start another."""
        ending = asyncio.create_task(self._worker.aclose(), name="jedi: ending")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        self._worker, self._opened_pid = self._make(), None
