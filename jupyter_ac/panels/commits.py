"""What one commit means for a host: mutations, or the whole tree where that is shorter."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from jupyter_ac.panels.instances import Node
from jupyter_ac.panels.tree_changes import Change, Placement
from jupyter_ac.panels.wire import Mutation, UINode
from jupyter_ac.rpc.codec import encode, utf8_bytes

_SET_ROOT_BYTES: Final = len('[{"type":"setRoot","node":}]')


@dataclass(frozen=True)
class Commit:
    """The difference between two trees; to be used before the next flush.

    Attributes:
        root: of the new tree; None: nothing is shown.
        tree_bytes: of the new tree as JSON.
        changes: of nodes below the root.
        is_new_tree: the root is another one, or the host has not got the tree before.
    """

    root: Node | None
    tree_bytes: int
    changes: Sequence[Change]
    is_new_tree: bool

    @property
    def is_empty(self) -> bool:
        """Whether the host need not be told anything."""
        return not self.changes and not self.is_new_tree

    @cached_property
    def tree(self) -> UINode | None:
        """The new tree."""
        return None if self.root is None else self.root.to_wire()

    @cached_property
    def mutations(self) -> list[Mutation]:
        """The batch that leads a host to the new tree; never longer than `setRoot`."""
        return self._batch(moves=False)

    @cached_property
    def mutations_with_moves(self) -> list[Mutation]:
        """The same for a host that knows `moveBefore`."""
        return self._batch(moves=True)

    def _batch(self, *, moves: bool) -> list[Mutation]:
        if not self.is_new_tree:
            batch = [
                change.to_wire(moves=moves) if isinstance(change, Placement) else change
                for change in self.changes
            ]
            if utf8_bytes(encode(batch)) <= self.tree_bytes + _SET_ROOT_BYTES:
                return batch
        return [{"type": "setRoot", "node": self.tree}]
