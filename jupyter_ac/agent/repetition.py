"""Notices that a model goes round in circles: the same calls with the same results."""

import hashlib
import json
from collections import deque
from typing import Final

from jupyter_ac.chat.tool_calls import ToolCall, ToolResult

TIMES: Final = 3
"""So often the same call, or the same two calls in turn, are one too many."""

_REMEDY: Final = "say in another question what it should do instead"
_MAX_NAME_CHARS: Final = 64


class RepetitionDetector:
    """The last calls of one run, as hashes."""

    def __init__(self) -> None:
        self._last: deque[tuple[str, str]] = deque(maxlen=2 * TIMES)

    def note(self, call: ToolCall, result: ToolResult) -> str:
        """Note a call with its result.

        Returns:
            Why the run ends, in a sentence; "" if it goes on.
        """
        self._last.append((_hash_of(call, result), call.name[:_MAX_NAME_CHARS]))
        hashes = [each for each, _ in self._last]
        if len(hashes) >= TIMES and len(set(hashes[-TIMES:])) == 1:
            return (
                f"The model has called {self._last[-1][1]} {TIMES} times in a row with the same "
                f"arguments and the same result; {_REMEDY}."
            )
        if len(hashes) == 2 * TIMES and len(set(hashes[::2])) == len(set(hashes[1::2])) == 1:
            names = " and ".join(name for _, name in list(self._last)[:2])
            return (
                f"The model has repeated the same two calls, {names}, {TIMES} times with the same "
                f"results; {_REMEDY}."
            )
        return ""


def canonical_arguments(arguments: str) -> str:
    """Return arguments that mean the same as one text: sorted, without spaces.

    Args:
        arguments: as the model wrote them; broken JSON is returned unchanged.
    """
    try:
        return json.dumps(json.loads(arguments), sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return arguments


def _hash_of(call: ToolCall, result: ToolResult) -> str:
    parts = [
        call.name,
        canonical_arguments(call.arguments),
        result.text,
        result.is_error,
        result.images,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
