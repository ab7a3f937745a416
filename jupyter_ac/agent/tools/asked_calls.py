"""Remembers what the user was asked before a call runs, so that nothing else is run."""

from collections import OrderedDict
from typing import Final, Generic, TypeVar

from jupyter_ac.agent.tool import ToolContext
from jupyter_ac.errors import Conflict

MAX_REMEMBERED: Final = 200

Asked = TypeVar("Asked")


class AskedCalls(Generic[Asked]):
    """What was shown in the questions of a tool, by call; the oldest are forgotten."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Asked] = OrderedDict()

    def keep(self, context: ToolContext, asked: Asked) -> None:
        """Remember what is asked for a call."""
        key = context.request_id, context.call_id
        self._kept[key] = asked
        self._kept.move_to_end(key)
        if len(self._kept) > MAX_REMEMBERED:
            self._kept.popitem(last=False)

    def taken(self, context: ToolContext) -> Asked | None:
        """Return what was kept for a call, once; None if nothing was."""
        return self._kept.pop((context.request_id, context.call_id), None)

    def require(self, context: ToolContext, present: Asked) -> None:
        """Check that the user was asked about what is about to be done; good once.

        Raises:
            Conflict: it has changed, or was never asked.
        """
        require_same(self.taken(context), present)


def require_same(asked: object, present: object) -> None:
    """Check that the user was asked about what is about to be done.

    Args:
        asked: what the question was about; None for no question.
        present: what is about to be done.

    Raises:
        Conflict: they differ.
    """
    if asked is None or asked != present:
        raise Conflict("What the user was asked about has changed meanwhile; call again.")
