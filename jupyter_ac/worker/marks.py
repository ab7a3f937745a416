"""Marks for a provider's prompt cache: where they go, and how they are taken away.

A mark on a part says that the prompt up to there is worth keeping. They stand on the end of the
system text, of the talk before this turn, and of the request: what was sent last time is a prefix
of what is sent now. Parts that pass with this request stand behind the last mark. None stands
where the prompt is shorter than the provider's cache takes, because some providers then answer
with nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

Message = Mapping[str, object]

_MARK: Final = "cache_control"


def with_marks(
    messages: Sequence[Message],
    minimum_tokens: int,
    count: Callable[[str], int],
    passing_parts: int = 0,
) -> tuple[list[dict[str, object]], int]:
    """Set the marks.

    Args:
        messages: of the request, without marks.
        minimum_tokens: shortest prefix that the provider's cache takes.
        count: tokens in a text, rather too few than too many.
        passing_parts: at the end of the last message, which the next request won't have.

    Returns:
        the messages and the number of marks in them.
    """
    wanted = {len(messages) - 2, len(messages) - 1}
    marked = []
    tokens = marks = 0
    for index, message in enumerate(messages):
        parts = _parts(message)
        lasting = len(parts) - (passing_parts if index == len(messages) - 1 else 0)
        if tokens < minimum_tokens:
            tokens += sum(count(str(part.get("text", ""))) for part in parts[:lasting])
        is_wanted = index in wanted or message.get("role") == "system"
        last = _last_text(parts[:lasting])
        if is_wanted and last is not None and tokens >= minimum_tokens:
            parts[last] = {**parts[last], _MARK: {"type": "ephemeral"}}
            marked.append({**message, "content": parts})
            marks += 1
        else:
            marked.append(dict(message))
    return marked, marks


def without_marks(messages: Sequence[Message]) -> list[dict[str, object]]:
    """Take all marks away."""
    plain = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, list):
            content = [{name: part[name] for name in part if name != _MARK} for part in content]
        plain.append({**message, "content": content})
    return plain


def _parts(message: Message) -> list[dict[str, object]]:
    content = message.get("content")
    if isinstance(content, list):
        return [dict(part) for part in content]
    return [{"type": "text", "text": content}]


def _last_text(parts: Sequence[Message]) -> int | None:
    """Find the last part that can carry a mark: providers refuse one on an empty text."""
    for index in range(len(parts) - 1, -1, -1):
        if parts[index].get("type") == "text" and str(parts[index].get("text") or "").strip():
            return index
    return None
