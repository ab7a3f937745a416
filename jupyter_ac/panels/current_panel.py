"""The panel whose code runs now: in its components, handlers, effects and their tasks."""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Final, Literal, Protocol, TypeAlias, get_args

from jupyter_ac.errors import PanelError

LogLevel: TypeAlias = Literal["log", "info", "warn", "error"]
_LEVELS: Final = get_args(LogLevel)


class RunningPanel(Protocol):
    """What a panel's code may use of its runtime without being given it."""

    def start_task(self, work: Coroutine[object, object, object]) -> asyncio.Task[object]:
        """Run a coroutine beside; what it raises is reported, and it ends with the panel."""

    def log(self, level: LogLevel, *args: object) -> None:
        """Send a line to the hosts' log; from any thread."""

    def report(self, error: BaseException) -> None:
        """Tell the hosts of an error; on the panel's loop."""

    def on_loop(self, work: Callable[[], None]) -> None:
        """Do work on the panel's loop; from any thread."""


CURRENT_PANEL: Final[ContextVar[RunningPanel | None]] = ContextVar("jupyter_ac_panel", default=None)


def current_panel() -> RunningPanel:
    """Return the panel whose code runs now.

    Raises:
        PanelError: no panel's code does.
    """
    panel = CURRENT_PANEL.get()
    if panel is None:
        raise PanelError(
            "This works in the code of a panel only: in a component, a handler or an effect."
        )
    return panel


def log(*args: object, level: LogLevel = "log") -> None:
    """Write a line to the log of the hosts that show the panel.

    Args:
        args: JSON values; of other objects the `repr` is taken.
        level: as of the browser's console: log, info, warn or error.

    Raises:
        PanelError: called outside of a panel's code, or with another level.
    """
    if level not in _LEVELS:
        raise PanelError(f"{level!r} is no level of a log; there are {', '.join(_LEVELS)}.")
    current_panel().log(level, *args)


def report_error(error: BaseException) -> None:
    """Tell the hosts that show the panel of an error that its code has caught.

    Raises:
        PanelError: called outside of a panel's code.
    """
    panel = current_panel()
    panel.on_loop(lambda: panel.report(error))
