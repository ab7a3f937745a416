"""Sets and removes the markers of a provider's prompt cache in a request.

A mark on a part asks the provider to cache the prompt up to there. Marks are at the end of the
system text, of the previous question, and of the request: the previous request is a prefix of this
one, and its end is marked again at the same position. Another mark is before the first question,
after its files: they may remain when the conversation is compacted. Parts that only this request
has come after the last mark. No mark is set where the prompt is shorter than the provider's minimum
for its cache, because some providers then return an empty answer.
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
        passing_parts: number of parts at the end of the last message that only this request has.

    Returns:
        the messages and the number of marks in them.
    """
    answered = max(
        (at for at, one in enumerate(messages) if one.get("role") == "assistant"), default=0
    )
    wanted = {answered - 1, len(messages) - 1}
    first = next((at for at, one in enumerate(messages) if one.get("role") == "user"), -1)
    marked: list[dict[str, object]] = []
    tokens = marks = 0
    for index, message in enumerate(messages):
        parts = _parts(message)
        lasting = len(parts) - (passing_parts if index == len(messages) - 1 else 0)
        is_wanted = index in wanted or message.get("role") == "system"
        ends = {lasting - 1: index == first, lasting: is_wanted}
        places: set[int] = set()
        begin = 0
        for end, is_end_wanted in ends.items():
            if tokens < minimum_tokens:
                tokens += sum(count(str(part.get("text", ""))) for part in parts[begin:end])
            begin = max(0, end)
            last = _last_text(parts[:begin])
            if is_end_wanted and last is not None and tokens >= minimum_tokens:
                places.add(last)
        for place in places:
            parts[place] = {**parts[place], _MARK: {"type": "ephemeral"}}
        marked.append({**message, "content": parts} if places else dict(message))
        marks += len(places)
    return marked, marks


def without_marks(messages: Sequence[Message]) -> list[dict[str, object]]:
    """Remove all marks."""
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
