"""Runs code in the kernel while one of its cells is running, and captures the outputs.

It runs on the main thread, as a call inside the running cell. Nothing of it is shown, neither its
outputs nor its errors: who asked for it gets them.
"""

import base64
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Final, Literal, TypeAlias

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import CapturedIO, capture_output

from jupyter_ac.errors import Unsupported

MAX_TEXT: Final = 1_000_000
"""Characters of a stream and of a traceback that are passed on."""

MAX_SHOWN: Final = 100
"""Displayed values that are passed on."""

MAX_VALUE: Final = 10_000_000
"""Characters of one of them; a longer one is left out."""

_SIGNAL_S: Final = 1.0
_SHOW_ERROR: Final = "_showtraceback"

Status: TypeAlias = Literal["ok", "error", "timed_out", "interrupted"]
Output: TypeAlias = Mapping[str, object]
"""An output as in a notebook file."""


@dataclass(frozen=True, slots=True)
class NestedResult:
    """How the code has ended.

    Attributes:
        status: how.
        outputs: the streams, what was displayed, the errors; in this order.
        is_by_user: the user has interrupted the kernel, and with it the cell around the code.
    """

    status: Status
    outputs: Sequence[Output]
    is_by_user: bool = False


class NestedCell:
    """Code that runs once.

    Args:
        shell: of the kernel.
        code: as in a cell.
        limit_s: after so many seconds it is interrupted.
    """

    def __init__(self, shell: InteractiveShell, code: str, limit_s: float) -> None:
        self._shell, self._code, self._limit_s = shell, code, limit_s
        self._lock = threading.Lock()
        self._is_running = False
        self._stopped: Status | None = None
        self._signals = 0

    def run(self) -> NestedResult:
        """Run it; only on the main thread.

        Raises:
            Unsupported: this is another thread, or the code awaits at its top level.
        """
        if threading.current_thread() is not threading.main_thread():
            raise Unsupported("Cells run on the kernel's main thread only; not on a subshell.")
        if _awaits(self._shell, self._code):
            raise Unsupported(
                "Code with `await` at its top level can't run while the cell that asked is "
                "running; use asyncio.run in a thread, or do without."
            )
        before = signal.signal(signal.SIGINT, self._take_signal)
        timer = threading.Timer(self._limit_s, partial(self._stop, "timed_out"))
        timer.daemon = True
        try:
            timer.start()
            return self._result()
        finally:
            timer.cancel()
            self._end()
            signal.signal(signal.SIGINT, before)

    def interrupt(self) -> None:
        """Interrupt it, if it is running; from any thread."""
        self._stop("interrupted")

    def _result(self) -> NestedResult:
        errors: list[Output] = []
        with capture_output() as captured, _errors_to(self._shell, errors):
            self._is_running = True
            try:
                done = self._shell.run_cell(self._code, store_history=False)
                error = done.error_before_exec or done.error_in_exec
            except KeyboardInterrupt as interrupt:  # between two steps of IPython's own
                error = interrupt
            finally:
                with self._lock:
                    self._is_running = False
        outputs = [*_outputs(captured), *errors]
        if isinstance(error, KeyboardInterrupt):
            status = self._stopped or "interrupted"
            return NestedResult(status, outputs, is_by_user=self._stopped is None)
        return NestedResult("error" if error is not None else "ok", outputs)

    def _stop(self, status: Status) -> None:
        main = threading.main_thread().ident
        with self._lock:
            if self._is_running and self._stopped is None and main is not None:
                self._stopped = status
                # Unlike `interrupt_main`, this wakes what waits in a system call.
                signal.pthread_kill(main, signal.SIGINT)

    def _end(self) -> None:
        """Wait for a signal that is on its way, so that it doesn't strike the cell around."""
        with self._lock:
            self._is_running = False
        until = time.monotonic() + _SIGNAL_S
        while self._stopped is not None and not self._signals and time.monotonic() < until:
            time.sleep(0.01)

    def _take_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._signals += 1
        if self._is_running or self._stopped is None:
            raise KeyboardInterrupt


def _awaits(shell: InteractiveShell, code: str) -> bool:
    try:
        cell = shell.transform_cell(code)
        return bool(shell.should_run_async(code, transformed_cell=cell))
    except SyntaxError:  # which running it shows better
        return False


@contextmanager
def _errors_to(shell: InteractiveShell, errors: list[Output]) -> Iterator[None]:
    """Keep the tracebacks that the shell would show."""

    def keep(kind: type[BaseException], error: BaseException, lines: Sequence[str]) -> None:
        text = "\n".join(lines)[-MAX_TEXT:].splitlines()
        found = {"ename": kind.__name__, "evalue": str(error)[:MAX_TEXT], "traceback": text}
        errors.append({"output_type": "error", **found})

    own = vars(shell)
    had, before = _SHOW_ERROR in own, own.get(_SHOW_ERROR)
    own[_SHOW_ERROR] = keep
    try:
        yield
    finally:
        if had:
            own[_SHOW_ERROR] = before
        else:
            own.pop(_SHOW_ERROR, None)


def _outputs(captured: CapturedIO) -> Iterator[Output]:
    for name, text in (("stdout", captured.stdout), ("stderr", captured.stderr)):
        if text:
            yield {"output_type": "stream", "name": name, "text": text[:MAX_TEXT]}
    for shown in captured.outputs[:MAX_SHOWN]:
        data = {kind: _encoded(value) for kind, value in (shown.data or {}).items()}
        kept = {kind: text for kind, text in data.items() if len(text) <= MAX_VALUE}
        yield {"output_type": "display_data", "data": kept, "metadata": {}}


def _encoded(value: object) -> str:
    """Return a value of a bundle as it stands in a notebook file."""
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else str(value)
