"""A prompt as a value, and its conversion to messages."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, call_id_of
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.models.providers import GEMINI
from jupyter_ac.workers.wire import ToolCall

MESSAGE_OVERHEAD: Final = 4
"""Tokens that a provider adds to each message for its role and its ends; a stated convention."""

MAX_NAME_CHARS: Final = 64
"""Of the name of a tool."""

_SIGNED: Final = "__thought__"
"""Stands before the signature in an id, as litellm writes it; others refuse ids so long."""

_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request, in the order in which it goes out.

    Attributes:
        head: the system message: the rules, and the map of the repository.
        past: exchanges of the log.
        ask: news about files and of the map, then the question, which a preview may lack.
        carried: files out of the log that stand before the news.
        ranked: a part of the map that an older version has sent behind the question.
        reminder: the rules in short; it stands, as `ranked` did, at the end of this request only,
            and no log has it.
        tools: the definitions of the tools, as the provider takes them beside the messages.
        family: of the model that answers (`reasoning_family`); reasoning that another one has
            signed is left out.
    """

    head: tuple[Block, ...] = ()
    past: tuple[Exchange, ...] = ()
    ask: tuple[Block, ...] = ()
    carried: tuple[Block, ...] = ()
    ranked: tuple[Block, ...] = ()
    reminder: tuple[Block, ...] = ()
    tools: tuple[Block, ...] = ()
    family: str = ""

    @property
    def blocks(self) -> list[Block]:
        """All blocks in order."""
        past = [block for exchange in self.past for block in (*exchange.sent, *exchange.reply)]
        last = (*self.carried, *self.ask, *self.ranked, *self.reminder)
        return [*self.tools, *self.head, *past, *last]

    @property
    def last(self) -> tuple[Block, ...]:
        """The blocks of the last message."""
        return (*self.carried, *self.ask, *self.passing)

    @property
    def passing(self) -> tuple[Block, ...]:
        """The blocks that pass with this request."""
        return (*self.ranked, *self.reminder)

    @property
    def lasting(self) -> list[Block]:
        """All blocks but those that pass with this request."""
        blocks = self.blocks
        return blocks[: len(blocks) - len(self.passing)]

    @property
    def message_count(self) -> int:
        """How many messages `messages` gives."""
        count = bool(self.head) + len(self.past)
        last = (*self.carried, *self.ask, *self.ranked, *self.reminder)
        for sent in (*(exchange.sent for exchange in self.past), last):
            results = sum(bool(call_id_of(block)) for block in sent) if self.tools else 0
            count += results + (len(sent) > results)
        return count

    def messages(self) -> list[Mapping[str, object]]:
        """Write the request: a plain string for one block, a list of text parts for several.

        Without tools, calls of earlier runs and their results are texts: the model takes no others.
        """
        written = [_message("system", self.head)] if self.head else []
        for exchange in self.past:
            written += self._written(exchange.sent)
            if self.tools and exchange.calls:
                written.append(_called(exchange, self.family))
            else:
                written.append(_message("assistant", exchange.reply))
        return written + self._written(self.last)

    def _written(self, blocks: Sequence[Block]) -> list[Mapping[str, object]]:
        if self.tools:
            return _with_results(blocks, self.family)
        return [_message("user", blocks)] if blocks else []


def _with_results(blocks: Sequence[Block], family: str) -> list[Mapping[str, object]]:
    """Write what was sent with one request: results of calls first, as messages of their own."""
    results = [block for block in blocks if call_id_of(block)]
    others = [block for block in blocks if not call_id_of(block)]
    written: list[Mapping[str, object]] = [
        {"role": "tool", "tool_call_id": _id(call_id_of(block), family), "content": block.text}
        for block in results
    ]
    return [*written, _message("user", others)] if others else written


def _called(exchange: Exchange, family: str) -> Mapping[str, object]:
    message: dict[str, object] = {
        "role": "assistant",
        "content": exchange.answer.text or None,
        "tool_calls": [
            {
                "id": _id(call.call_id, family),
                "type": "function",
                "function": {"name": _name(call), "arguments": _arguments(call)},
            }
            for call in exchange.calls
        ],
    }
    if exchange.thinking and exchange.family == family:
        message["thinking_blocks"] = list(exchange.thinking)
    return message


def _id(call_id: str, family: str) -> str:
    """Return the id of a call, verbatim for Gemini, whose signatures are at the end of its ids."""
    return call_id if family == GEMINI else call_id.partition(_SIGNED)[0] or call_id


def _name(call: ToolCall) -> str:
    """Return a name that each provider takes: a model may have made up any."""
    return _NO_NAME.sub("_", call.name)[:MAX_NAME_CHARS]


def _arguments(call: ToolCall) -> str:
    """Return the arguments as they came, broken ones as an object with their text.

    Providers other than OpenAI refuse what is no JSON object, and would refuse the whole log.
    """
    try:
        is_object = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return call.arguments if is_object else json.dumps({"broken": call.arguments})


def _message(role: str, blocks: Sequence[Block]) -> Mapping[str, object]:
    if len(blocks) == 1:
        return {"role": role, "content": blocks[0].text}
    return {"role": role, "content": [{"type": "text", "text": block.text} for block in blocks]}
