"""Sets and removes the markers of a provider's prompt cache in a request.

A mark on a part says that the prompt up to there is worth keeping. They stand on the end of the
system text, of the question before this one, and of the request: what was sent last time is a
prefix of what is sent now, and its end is marked again at the same place. One more stands in front
of the first question, behind the files that came with it: when the talk is shortened, those may
stay. Parts that pass with this request stand behind the last mark. None stands where the prompt is
shorter than the provider's cache takes, because some providers then answer with nothing.
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
    wanted = {len(messages) - 3, len(messages) - 1}
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
