"""The changes of a tree that have not been sent yet, joined to as few messages as possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.rpc.codec import Encoded, encode, utf8_bytes

MAX_MUTATIONS: Final = 20_000
MAX_BYTES: Final = 2 << 20
"""Of a joined batch; beyond these the whole tree is sent instead."""

_MOVE: Final = "moveBefore"


@dataclass(frozen=True, slots=True)
class Change:
    """One message to the pages, encoded once for all of them.

    Attributes:
        method: `updateTree` or `applyMutations`.
        payload: the tree or the batch.
        has_moves: only pages that know `moveBefore` can apply it.
    """

    method: str
    payload: Encoded[object]
    has_moves: bool = False

    @property
    def is_tree(self) -> bool:
        """Whether it is the whole tree."""
        return self.method == "updateTree"


class PendingChanges:
    """A tree that waits, and a batch behind it; never more than these."""

    def __init__(self) -> None:
        self._tree: Encoded[object] | None = None
        self._batches: list[str] = []
        self._mutations = 0
        self._bytes = 0
        self._has_moves = False
        self.is_torn = False
        """Whether a batch was given up, so that pages need the whole tree."""

    def __bool__(self) -> bool:
        return self._tree is not None or bool(self._batches)

    def replace(self, tree: object) -> None:
        """Send this tree in place of all that waits."""
        self.clear()
        try:
            self._tree = Encoded([encode(tree)])
        except AcError:
            self.is_torn = True

    def add(self, batch: Sequence[object]) -> None:
        """Send these mutations, joined with those that wait."""
        if self.is_torn or not batch:
            return
        try:
            text = encode(list(batch))
        except AcError:
            text = ""
        self._mutations += len(batch)
        self._bytes += utf8_bytes(text)
        if not text or self._mutations > MAX_MUTATIONS or self._bytes > MAX_BYTES:
            tree = self._tree
            self.clear()
            self._tree, self.is_torn = tree, True
            return
        self._batches.append(text[1:-1])
        self._has_moves = self._has_moves or any(map(_is_move, batch))

    def take(self) -> Change | None:
        """Remove the next message; None if nothing waits."""
        tree, self._tree = self._tree, None
        if tree is not None:
            return Change("updateTree", tree)
        if not self._batches:
            return None
        joined = Encoded[object](["[", ",".join(self._batches), "]"])
        change = Change("applyMutations", joined, self._has_moves)
        self.clear()
        return change

    def clear(self) -> None:
        """Forget all."""
        self._tree = None
        self._batches = []
        self._mutations = self._bytes = 0
        self._has_moves = self.is_torn = False


def _is_move(mutation: object) -> bool:
    return isinstance(mutation, dict) and mutation.get("type") == _MOVE
