"""What a panel's code says to the hosts: lines of its log, and its errors; bounded."""

import asyncio
import logging
from collections.abc import Collection
from typing import Final, Protocol

from jupyter_ac.errors import AcError
from jupyter_ac.panels.commits import Commit
from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.guard import Guarded
from jupyter_ac.panels.json_values import json_copy
from jupyter_ac.panels.tracebacks import ErrorReport, error_report
from jupyter_ac.panels.wire import JsonValue

MAX_LINES: Final = 200
"""Lines and errors in one iteration of the loop."""

MAX_REPEATS: Final = 10
"""Errors with the same text in a row."""

_SHOWN_CHARS: Final = 1_000
"""Of the `repr` of an object in the log."""

_logger = logging.getLogger(__name__)


class Audience(Protocol):
    """A view of a panel: hears what happens in it."""

    def committed(self, commit: Commit) -> None:
        """The tree has changed."""

    def logged(self, level: LogLevel, args: list[JsonValue]) -> None:
        """The panel's code has written a line to the log."""

    def failed(self, report: ErrorReport) -> None:
        """The panel's code has failed."""


class Reports:
    """Lines and errors of one panel; those beyond the bounds are counted instead.

    Args:
        audience: who is told; may change.
    """

    def __init__(self, audience: Collection[Audience]) -> None:
        self._audience = audience
        self._lines = 0
        self._last_message = ""
        self._repeats = 0

    def log(self, level: LogLevel, *args: object) -> None:
        """Send a line to the hosts' log."""
        if self._has_room():
            self._send(level, [loggable(arg) for arg in args])

    def report(self, error: BaseException) -> None:
        """Tell the hosts of an error."""
        _logger.debug("the code of a panel has failed", exc_info=error)
        report = error_report(error)
        is_repeated = report["message"] == self._last_message
        self._last_message = report["message"]
        self._repeats = self._repeats + 1 if is_repeated else 0
        if self._repeats == MAX_REPEATS and self._has_room():
            self._send("warn", [f"Not reported again: {report['message']}"])
        if self._repeats < MAX_REPEATS and self._has_room():
            for view in tuple(self._audience):
                view.failed(report)

    def _has_room(self) -> bool:
        if not self._lines:
            asyncio.get_running_loop().call_soon(self._begin_anew)
        self._lines += 1
        return self._lines <= MAX_LINES

    def _begin_anew(self) -> None:
        left_out, self._lines = self._lines - MAX_LINES, 0
        if left_out > 0:
            self._send("warn", [f"{left_out:,} more lines were left out."])

    def _send(self, level: LogLevel, args: list[JsonValue]) -> None:
        for view in tuple(self._audience):
            view.logged(level, args)


def loggable(value: object) -> JsonValue:
    """Return a copy of a JSON value; of other objects the `repr`."""
    try:
        return json_copy(value, "the line")
    except AcError:
        return _shown(value)


def _shown(value: object) -> str:
    with Guarded(lambda _error: None):
        return repr(value)[:_SHOWN_CHARS]
    return f"<{type(value).__name__}, whose repr fails>"
