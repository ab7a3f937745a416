"""The client of the `syntax` worker, which is started by the first text."""

import asyncio
from collections.abc import Callable
from typing import Final, cast

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut, Unsupported
from jupyter_ac.planner.validation.diagnostics import Diagnostic, Findings
from jupyter_ac.workers.process import Worker

_START_S: Final = 60.0
_CRASHED: Final = (
    "The parser gave up on this code: it is nested too deep, or takes too much memory or time. "
    "Check a smaller piece."
)


def _syntax() -> Worker:
    return Worker("syntax")


class SyntaxClient:
    """Asks the worker for syntax errors. Belongs to the event loop that first uses it.

    Args:
        make: makes the worker.
    """

    def __init__(self, make: Callable[[], Worker] = _syntax) -> None:
        self._make = make
        self._worker = make()
        self._ready_pid: int | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the worker, if it doesn't run, and wait until it has loaded its parsers.

        Raises:
            NotReady: it can't be started.
            TimedOut: it hasn't loaded within a minute.
        """
        if self._ready_pid is None or self._worker.pid != self._ready_pid:
            await self.find("json", "0", _START_S)
            self._ready_pid = self._worker.pid

    async def find(self, language: str, text: str, limit_s: float) -> Findings:
        """Find the syntax errors of a text.

        Args:
            language: its name in the index.
            text: of a file or a cell; lone surrogates become replacement characters.
            limit_s: seconds, the start of the worker included.

        Raises:
            Unsupported: there is no parser for the language, or it can't stand the text.
            TimedOut: no answer in time.
        """
        worker, sound = self._worker, text.encode("utf-8", "replace").decode()
        try:
            found = await worker.call("Syntax.find", language, sound, timeout_s=limit_s)
        except ConnectionClosed as error:
            raise Unsupported(_CRASHED) from error
        except RemoteError as error:
            raise Unsupported(str(error)) from error
        except TimedOut:
            self._replace(worker)
            raise
        answer = cast("dict[str, object]", found)
        diagnostics = cast("list[Diagnostic]", answer["diagnostics"])
        return Findings(str(answer["tool"]), str(answer["tool_version"]), diagnostics)

    async def aclose(self) -> None:
        """End the worker; bounded."""
        if self._ending:
            await asyncio.wait(self._ending)
        await self._worker.aclose()

    def _replace(self, stuck: Worker) -> None:
        """End a worker that is stuck, and let the next text start another."""
        if stuck is not self._worker:
            return
        ending = asyncio.create_task(stuck.aclose(), name="syntax: ending")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        self._worker = self._make()
