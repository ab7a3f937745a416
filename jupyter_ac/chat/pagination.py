"""Pagination of a conversation: newest first, each page bounded by its serialized size."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from jupyter_ac.edit_rows import EditResult
from jupyter_ac.message_rows import ChatMessage
from jupyter_ac.rpc.codec import encode, utf8_bytes
from jupyter_ac.tool_rows import RunRow

PAGE_MESSAGES: Final = 200
PAGE_BYTES: Final = 2 << 20
"""JSON of all messages of a page; one turn is on it in any case."""

MESSAGE_BYTES: Final = 1 << 19
"""JSON of one message; what is longer is cut."""

MAX_NOTICES: Final = 20
NOTICE_CHARS: Final = 2000
_NAME_CHARS: Final = 200
_MAX_ROWS: Final = 100
_PROMPT_CHARS: Final = 20_000

Message = TypeVar("Message", bound=ChatMessage)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class MessagePage(Generic[Message]):
    """Part of a conversation.

    Attributes:
        messages: oldest first.
        begin: how many of the items are left out before them.
    """

    messages: list[Message]
    begin: int


def page_of(
    items: Sequence[Item],
    messages_of: Callable[[Item], Iterable[Message]],
    most: int = PAGE_MESSAGES,
    most_bytes: int = PAGE_BYTES,
) -> MessagePage[Message]:
    """Return the last messages that fit.

    Args:
        items: what has messages, such as turns; an item is on the page as a whole or not at all.
        messages_of: gives an item's messages, which may be changed.
        most: how many messages there may be.
        most_bytes: of their JSON.
    """
    found: list[list[Message]] = []
    count = size = 0
    begin = len(items)
    while begin > 0:
        messages = list(messages_of(items[begin - 1]))
        for message in messages:
            size += shorten(message)
        count += len(messages)
        if found and (count > most or size > most_bytes):
            break
        found.append(messages)
        begin -= 1
    return MessagePage([message for messages in reversed(found) for message in messages], begin)


def shorten(message: ChatMessage, most_bytes: int = MESSAGE_BYTES) -> int:
    """Cut what makes a message too long, and note in it how much; return its size as JSON."""
    size = json_bytes(message)
    if size <= most_bytes:
        return size
    _shorten_texts(message, most_bytes)
    _shorten_edits(message, most_bytes)
    size = json_bytes(message)
    return size if size <= most_bytes else _empty(message)


def json_bytes(value: object) -> int:
    """Return how long a value is on the wire."""
    return utf8_bytes(encode(value))


def fitting(text: str, most_bytes: int) -> str:
    """Return the beginning of a text whose JSON has at most so many bytes."""
    part = text[:most_bytes]
    while (size := json_bytes(part)) > most_bytes:
        part = part[: len(part) * most_bytes // size]
    return part


def _shorten_texts(message: ChatMessage, most_bytes: int) -> None:
    content = fitting(message["content"], most_bytes // 2)
    if content != message["content"]:
        message["content_left_out"] = _units(message["content"]) - _units(content)
        message["content"] = content
    if "reasoning" in message:
        reasoning = fitting(message["reasoning"], most_bytes // 8)
        if reasoning != message["reasoning"]:
            message["reasoning_left_out"] = _units(message["reasoning"]) - _units(reasoning)
            message["reasoning"] = reasoning
    if "notices" in message:
        message["notices"] = [each[:NOTICE_CHARS] for each in message["notices"][:MAX_NOTICES]]
    if "error" in message:
        said = message["error"]
        message["error"] = {
            "type": said["type"][:_NAME_CHARS],
            "message": said["message"][:NOTICE_CHARS],
        }
    if "retry_prompt" in message:
        message["retry_prompt"] = message["retry_prompt"][:_PROMPT_CHARS]
    if "images" in message:
        message["images"] = message["images"][:_MAX_ROWS]


def _shorten_edits(message: ChatMessage, most_bytes: int) -> None:
    rows = message.get("edit_results", [])
    kept = _rows_that_fit(rows, most_bytes // 8)
    if len(kept) < len(rows):
        message["edit_results"] = kept
        shown = {row["index"] for row in kept}
        blocks = message.get("edit_blocks", [])
        message["edit_blocks"] = [block for block in blocks if block["index"] in shown]
        message["edits_left_out"] = message.get("edits_left_out", 0) + len(rows) - len(kept)
    if "files_modified" in message:
        message["files_modified"] = message["files_modified"][:_MAX_ROWS]
    if "attempts" in message:
        message["attempts"] = message["attempts"][:_MAX_ROWS]
    if "run" in message:
        message["run"] = _shorter_run(message["run"], most_bytes // 8)


def _shorter_run(run: RunRow, most_bytes: int) -> RunRow:
    """Leave out results of calls, the oldest first, and then whole calls."""
    calls = list(run["calls"][-_MAX_ROWS:])
    sizes = [json_bytes(call) for call in calls]
    for number, call in enumerate(calls):
        if sum(sizes) <= most_bytes:
            break
        left_out = call["left_out"] + len(call["result"])
        calls[number] = {**call, "result": "", "arguments": "", "left_out": left_out}
        sizes[number] = json_bytes(calls[number])
    while calls and sum(sizes) > most_bytes:
        del calls[: len(calls) // 2 + 1], sizes[: len(sizes) // 2 + 1]
    return {**run, "calls": calls, "files_changed": run["files_changed"][:_MAX_ROWS]}


def _rows_that_fit(rows: Sequence[EditResult], most_bytes: int) -> list[EditResult]:
    found: list[EditResult] = []
    for row in rows:
        most_bytes -= json_bytes(row)
        if most_bytes < 0:
            break
        found.append(row)
    return found


def _empty(message: ChatMessage) -> int:
    """Leave nothing of a message but its place; only a damaged history has such."""
    message["content"] = "This message is too large to be shown."
    message["request_id"] = message["request_id"][:_NAME_CHARS]
    message["edits_left_out"] = message.get("edits_left_out", 0)
    message["edits_left_out"] += len(message.pop("edit_results", []))
    message.pop("edit_blocks", None)
    message.pop("files_modified", None)
    message.pop("attempts", None)
    message.pop("run", None)
    message.pop("retry_prompt", None)
    message.pop("notices", None)
    message.pop("reasoning", None)
    message.pop("images", None)
    message.pop("error", None)
    message.pop("model", None)
    message.pop("finish_reason", None)
    message.pop("kind", None)
    return json_bytes(message)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
