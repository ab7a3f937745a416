"""Parses AC-DC's `history.jsonl`: one message a line, in the order of the conversation.

Only `session_id`, `role` and `content` are needed; other keys are ignored. The file is untrusted: a
line that can't be used is counted and named, and the length and depth of its values are limited.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal

from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.errors import TooLarge

MAX_MESSAGES: Final = 200_000
MAX_LINE_CHARS: Final = 16_000_000
MAX_CONTENT_CHARS: Final = 1_000_000

_MARK: Final = "\ufeff"
"""That the file is UTF-8, before its first line; of bytes `json` itself takes it off."""

_MOST_NAMED: Final = 20
_MOST_ID_CHARS: Final = 100
_MS_FROM: Final = 100_000_000_000
"""A number that is greater is a time in milliseconds."""


@dataclass(frozen=True, slots=True)
class ForeignMessage:
    """One message.

    Attributes:
        session_id: as in the file.
        name: unique in its session, the same whenever the file is read.
        role: who says it; `system` for what has happened beside the talk.
        content: the text.
        at_ms: when, milliseconds since 1970.
    """

    session_id: str
    name: str
    role: Literal["user", "assistant", "system"]
    content: str
    at_ms: int


@dataclass(slots=True)
class ForeignHistory:
    """The parsed messages of a file.

    Attributes:
        messages: in its order.
        bad_lines: the numbers of the first lines that could not be used.
        bad: how many there were.
        images: how many images were passed over.
    """

    messages: list[ForeignMessage] = field(default_factory=list)
    bad_lines: list[int] = field(default_factory=list)
    bad: int = 0
    images: int = 0


def read_foreign(lines: Iterable[str | bytes], now_ms: int) -> ForeignHistory:
    """Read a file.

    Args:
        lines: of the file; one that is too long may be cut.
        now_ms: no message is later.

    Raises:
        TooLarge: there are too many messages.
    """
    found = ForeignHistory()
    at_ms = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        message = _message(line, number, found, (at_ms, now_ms))
        if message is None:
            found.bad += 1
            if len(found.bad_lines) < _MOST_NAMED:
                found.bad_lines.append(number)
            continue
        at_ms = message.at_ms
        found.messages.append(message)
        if len(found.messages) > MAX_MESSAGES:
            raise TooLarge(f"The history has more than {MAX_MESSAGES:,} messages; split the file.")
    return found


def _message(
    line: str | bytes, number: int, found: ForeignHistory, times: tuple[int, int]
) -> ForeignMessage | None:
    record = _record(line)
    session_id, content = record.get("session_id"), _content(record.get("content"))
    role = _role(record)
    if not isinstance(session_id, str) or not session_id.strip() or content is None or not role:
        return None
    found.images += _images(record)
    name = record.get("id")
    if not isinstance(name, str) or not name or len(name) > _MOST_ID_CHARS:
        digest = hashlib.sha256(f"{role}\0{content}".encode("utf-8", "surrogatepass"))
        name = f"{number}-{digest.hexdigest()[:16]}"
    return ForeignMessage(
        session_id=wellformed(session_id),
        name=wellformed(name),
        role=role,
        content=wellformed(content[:MAX_CONTENT_CHARS]),
        at_ms=min(_moment(record.get("timestamp"), times), times[1]),
    )


def _record(line: str | bytes) -> Mapping[str, object]:
    if len(line) > MAX_LINE_CHARS:
        return {}
    try:
        record = json.loads(line.removeprefix(_MARK) if isinstance(line, str) else line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _role(record: Mapping[str, object]) -> Literal["", "user", "assistant", "system"]:
    if record.get("system_event") is True:
        return "system"
    match record.get("role"):
        case "user" | "assistant" | "system" as role:
            return role
        case _:
            return ""


def _content(value: object) -> str | None:
    """Return a text, or the text parts of a list; None for what is neither."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    parts = [part.get("text") for part in value if isinstance(part, dict)]
    return "\n".join(part for part in parts if isinstance(part, str))


def _images(record: Mapping[str, object]) -> int:
    for key in ("image_refs", "images"):
        value = record.get(key)
        if isinstance(value, list):
            return len(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return min(max(value, 0), 100)
    return 0


def _moment(value: object, times: tuple[int, int]) -> int:
    """Return when a message was said; right after the one before where that can't be.

    A time that is yet to come says nothing; the present in its place would give the session
    another name whenever the file is read.
    """
    before_ms, now_ms = times
    at_ms = _milliseconds(value)
    return before_ms + 1 if at_ms is None or at_ms > now_ms else at_ms


def _milliseconds(value: object) -> int | None:
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            moment = read if read.tzinfo is not None else read.replace(tzinfo=UTC)
            return max(0, int(moment.timestamp() * 1000))
        if isinstance(value, int | float) and not isinstance(value, bool):
            return max(0, int(value if value > _MS_FROM else value * 1000))
    except (ValueError, OverflowError):
        pass
    return None
