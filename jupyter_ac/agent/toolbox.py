"""The tools of a workspace: what a model is offered, and what a call of it means."""

import json
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from jupyter_ac.agent.definitions import ArgumentsCheck, tools_array
from jupyter_ac.agent.text_calls import teach
from jupyter_ac.agent.tool import Arguments, Right, Tool
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.errors import NotFound
from jupyter_ac.tool_rows import AgentMode

log = logging.getLogger(__name__)

_MAX_NAME: Final = 64
_READING: Final = frozenset({Right.READ, Right.USER, Right.NETWORK})


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call that can be carried out.

    Attributes:
        tool: that is called.
        arguments: decoded and checked.
        title: what it does, in one line.
    """

    tool: Tool
    arguments: Arguments
    title: str


class Toolbox:
    """The tools, without those that the administrator has switched off.

    Args:
        tools: all that there are.
        disabled: names of those that are switched off.
    """

    def __init__(self, tools: Sequence[Tool], disabled: Collection[str]) -> None:
        known = {tool.definition.name for tool in tools}
        for name in sorted(set(disabled) - known):
            log.warning(
                "disabled_tools names %r, which no tool has; the tools are %s.",
                name[:_MAX_NAME],
                ", ".join(sorted(known)),
            )
        found = [tool for tool in tools if tool.definition.name not in disabled]
        self._tools = {tool.definition.name: tool for tool in found}
        self._checks = {tool.definition.name: ArgumentsCheck(tool.definition) for tool in found}

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The definitions as a provider takes them, each as JSON; always the same bytes."""
        definitions = (tool.definition for tool in self._tools.values())
        return tuple(
            Block(Category.TOOLS, json.dumps(one, sort_keys=True, separators=(",", ":")))
            for one in tools_array(definitions)
        )

    @cached_property
    def lesson(self) -> Block:
        """The definitions as a text, for models whose provider takes none."""
        definitions = sorted(
            (tool.definition for tool in self._tools.values()), key=lambda one: one.name
        )
        return Block(Category.TOOLS, teach(definitions))

    def right_of(self, call: ToolCall) -> Right | None:
        """Return what the tool of a call needs; None if there is no such tool."""
        tool = self._tools.get(call.name)
        return tool.definition.right if tool is not None else None

    def prepare(self, call: ToolCall) -> PreparedCall:
        """Find the tool of a call and check its arguments.

        Raises:
            NotFound: there is no such tool.
            InvalidParams: the arguments are broken, or don't fit.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(sorted(self._tools))
            raise NotFound(f"There is no tool {call.name[:_MAX_NAME]!r}; there are {known}.")
        arguments = self._checks[call.name].decoded(call.arguments)
        return PreparedCall(tool, arguments, tool.title(arguments))


def refusal(mode: AgentMode, right: Right, *, is_reviewing: bool) -> str:
    """Return why a tool may not be called in a run; "" if it may."""
    if mode == "plan" and right not in _READING:
        return "Refused: this run only reads (mode plan); propose it in your answer."
    if is_reviewing and right is Right.EXECUTE:
        return "Refused: a branch is under review, and runs only read meanwhile."
    return ""
