"""One log line for each finished call, in the format of seed 004.

    {"timestamp": "2024-01-15T10:30:00Z", "level": "INFO", "message": "RPC Request",
     "data": {"method": "execute_task", "id": "task_001", "duration_ms": 1234, "status": "success"}}

A failed call has the level WARNING and `error_type`; one that failed by a fault of ours has ERROR
and `error_id`, which its caller was told as well. Parameters and results are never in it.
"""

import json
import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from jupyter_ac.rpc.messages import ErrorObject, MessageId

LOGGER: Final = "jupyter_ac.rpc.calls"
"""Name of the logger; lines are written while its effective level is INFO or lower."""

MESSAGE: Final = "RPC Request"
MAX_CHARS: Final = 100
MAX_NAMES: Final = 512
"""Names of methods and of types of errors whose shown form is kept."""

_INTERNAL: Final = "internal"
_REDACTED_CHARS: Final = 1000
"""Of a longer text only this much is searched for secrets; most of it is cut off afterwards."""

_EXACT: Final = 2**63


def new_error_id() -> str:
    """Return a random id for an internal error: for `data.error_id` and for the log."""
    return secrets.token_hex(6)


class CallLog:
    """Writes the lines.

    Args:
        logger: its level is asked at each call.
        redact: hides secrets in a text; ids and names of methods are the caller's.
    """

    def __init__(self, logger: logging.Logger, redact: Callable[[str], str]) -> None:
        self._logger = logger
        self._redact = redact
        # To look for secrets takes a tenth of a millisecond, and there are few names.
        self._shown_name = lru_cache(MAX_NAMES)(self._shown)

    def finished(
        self, method: str, call_id: MessageId, seconds: float, error: ErrorObject | None
    ) -> None:
        """Write a line if the logger is enabled for INFO.

        Args:
            method: as the caller wrote it.
            call_id: the same; None for a notification.
            seconds: from the frame to the answer.
            error: the answer, if it was an error.
        """
        if self._logger.isEnabledFor(logging.INFO):
            self._write(method, call_id, seconds, error)

    def _write(
        self, method: str, call_id: MessageId, seconds: float, error: ErrorObject | None
    ) -> None:
        data: dict[str, object] = {
            "method": self._shown_name(method[:_REDACTED_CHARS]),
            "id": self._shown_id(call_id),
            "duration_ms": round(seconds * 1000),
            "status": "success" if error is None else "error",
        }
        level = logging.INFO
        if error is not None:
            members = error.data if isinstance(error.data, dict) else {}
            error_type = error.kind or str(members.get("type", _INTERNAL))
            level = logging.ERROR if error_type == _INTERNAL else logging.WARNING
            data["error_type"] = self._shown_name(error_type[:_REDACTED_CHARS])
            if "error_id" in members:
                data["error_id"] = self._shown(str(members["error_id"]))
        self._logger.log(level, MESSAGE, extra={"data": data})

    def _shown_id(self, call_id: MessageId) -> MessageId:
        if isinstance(call_id, str):
            return self._shown(call_id)
        # Converting an integer of thousands of digits to text is refused by Python.
        return call_id if call_id is None or abs(call_id) < _EXACT else "a large number"

    def _shown(self, text: str) -> str:
        # Redacted before it is cut: the first half of a secret isn't recognised.
        shown = self._redact(text[:_REDACTED_CHARS])[:MAX_CHARS]
        return "".join(char if char.isprintable() else "?" for char in shown)


class CallLogFormatter(logging.Formatter):
    """Formats the records of `CallLog` as JSON on one line of ASCII; others without `data`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(int(record.created), UTC)
        line: dict[str, object] = {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "level": record.levelname,
            "message": record.getMessage(),
        }
        data: object = getattr(record, "data", None)
        if isinstance(data, dict):
            line["data"] = data
        return json.dumps(line, default=str)
