"""The representation of a value by its own `__repr__`: runs only when the user asks for it."""

import logging
import threading
from typing import Final, TypedDict

from jupyter_ac.errors import Busy
from jupyter_ac.inspection.raw_access import class_name, exact_text

logger = logging.getLogger(__name__)

REPR_CHARS: Final = 2048
REPR_S: Final = 0.2
MOST_RUNNING: Final = 8
"""Representations that may go on in the background."""


class ReprResult(TypedDict):
    """The outcome of a representation.

    Attributes:
        state: `done`; `running`: it has not ended in time and goes on without anybody waiting;
            `failed`.
        text: the text, `REPR_CHARS` characters at most; what happened, in the other states.
        is_cut: whether the text was longer.
    """

    state: str
    text: str
    is_cut: bool


class ReprRunner:
    """Makes representations, each in a thread of its own, since a thread can't be stopped.

    Args:
        wait_s: time that a caller waits.
    """

    def __init__(self, wait_s: float = REPR_S) -> None:
        self._wait_s = wait_s
        self._running: list[threading.Thread] = []
        self._lock = threading.Lock()

    def represent(self, value: object) -> ReprResult:
        """Run `repr(value)`; blocks for `wait_s` at most.

        Raises:
            Busy: too many of them have not ended yet.
        """
        found: list[ReprResult] = []
        thread = threading.Thread(
            target=lambda: found.append(_represented(value)), name="jupyter_ac-repr", daemon=True
        )
        with self._lock:
            self._running = [each for each in self._running if each.is_alive()]
            if len(self._running) >= MOST_RUNNING:
                raise Busy(
                    f"{MOST_RUNNING} representations are still running in the kernel; "
                    "wait for their end or restart the kernel."
                )
            self._running.append(thread)
            thread.start()
        thread.join(self._wait_s)
        if found:
            return found[0]
        waited_ms = round(self._wait_s * 1000)
        text = f"still running after {waited_ms} ms; it goes on in the kernel"
        return {"state": "running", "text": text, "is_cut": False}


def _represented(value: object) -> ReprResult:
    try:
        text = repr(value)
    except BaseException as error:  # the code is the user's, and may raise anything
        logger.debug("a representation failed", exc_info=True)
        failed = f"its __repr__ has raised {class_name(type(error))}"
        return {"state": "failed", "text": failed, "is_cut": False}
    cut = exact_text(text, REPR_CHARS)
    return {"state": "done", "text": cut, "is_cut": str.__len__(text) > REPR_CHARS}
