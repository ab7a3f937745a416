"""Collects the tool calls of a streamed answer, and its reasoning as the provider wants it back.

A call comes in pieces: its id and name first, then its arguments as increments of JSON text, which
stay as they are. Some providers repeat the index of a call for the next one, or give none; a new id
is a new call then. Anthropic signs parts of the reasoning and refuses the results of calls without
them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MAX_CALLS: Final = 64
"""Calls of one answer; further ones are left out."""

MAX_CHARS: Final = 2_000_000
"""Characters of all arguments and of all signed reasoning of one answer."""

SIGNING_FAMILIES: Final = ("anthropic", "azure_ai", "bedrock", "vertex_ai", "gemini", "databricks")
"""How the names of the providers begin that sign their reasoning; others may refuse it."""

_THINKING: Final = "thinking_blocks"


@dataclass(slots=True)
class _Call:
    index: object
    call_id: str
    name: str = ""
    arguments: str = ""


class ToolCallCollector:
    """The calls of one answer so far.

    Attributes:
        characters: of their names and arguments.
    """

    def __init__(self) -> None:
        self.characters = 0
        self._calls: list[_Call] = []
        self._thinking: list[dict[str, object]] = []
        self._is_open = False
        self._thought = 0

    @property
    def has_any(self) -> bool:
        """Whether there is a call."""
        return bool(self._calls)

    def take(self, delta: object) -> None:
        """Take an increment of the answer, as litellm gives it."""
        for piece in getattr(delta, "tool_calls", None) or ():
            self._take_call(piece)
        for block in getattr(delta, _THINKING, None) or ():
            if isinstance(block, Mapping):
                self._take_thinking(block)

    def calls(self) -> list[list[str]]:
        """Return id, name and arguments of each call, in order; calls without a name are none."""
        return [
            [call.call_id or f"call_{number}", *map(_wellformed, (call.name, call.arguments))]
            for number, call in enumerate(self._calls, 1)
            if call.name
        ]

    def thinking(self) -> list[Mapping[str, object]]:
        """Return the signed parts of the reasoning, in order; none without a call."""
        if not self._calls:
            return []
        return [
            block
            for block in self._thinking
            if block.get("signature") or block.get("type") == "redacted_thinking"
        ]

    def _take_call(self, piece: object) -> None:
        index, call_id = getattr(piece, "index", None), str(getattr(piece, "id", None) or "")
        function = getattr(piece, "function", None)
        name = str(getattr(function, "name", None) or "")
        arguments = str(getattr(function, "arguments", None) or "")
        call = self._of(index, call_id)
        room = MAX_CHARS - self.characters
        if call is None or len(name) + len(arguments) > room:
            return
        self.characters += len(name) + len(arguments)
        call.name += name
        call.arguments += arguments

    def _of(self, index: object, call_id: str) -> _Call | None:
        """Find the call that a piece belongs to, or begin it."""
        known = next((call for call in reversed(self._calls) if call.index == index), None)
        if known is not None and (not call_id or call_id == known.call_id):
            return known
        if len(self._calls) == MAX_CALLS:
            return None
        self._calls.append(_Call(index, call_id))
        return self._calls[-1]

    def _take_thinking(self, block: Mapping[str, object]) -> None:
        size = len(str(block.get("thinking") or "")) + len(str(block.get("data") or ""))
        if self._thought + size > MAX_CHARS:
            return
        self._thought += size
        if block.get("type") == "redacted_thinking":
            self._thinking.append(dict(block))
            self._is_open = False
            return
        if not self._is_open:
            self._thinking.append({"type": "thinking", "thinking": "", "signature": ""})
            self._is_open = True
        part = self._thinking[-1]
        part["thinking"] = f"{part['thinking']}{block.get('thinking') or ''}"
        if block.get("signature"):
            part["signature"] = f"{part['signature']}{block['signature']}"
            self._is_open = False


def without_thinking(messages: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Leave out the signed reasoning, for a provider that signs none: another model has."""
    return [
        {name: value for name, value in message.items() if name != _THINKING}
        for message in messages
    ]


def _wellformed(text: str) -> str:
    """Join the surrogates of a character that came in two pieces, and replace lone ones."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
