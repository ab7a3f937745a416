"""What came of taking edits back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jupyter_ac.ids import RepoPath


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of an undo.

    Attributes:
        blocks: the edit blocks that were taken back, by their number in the turn; () when it was
            refused.
        files: that have changed by it, or were as before already.
        clean: those of them of which nothing of the turn is left.
        back: those of them that were gone.
        reason: why it was refused; "" when it was done.
        possible: with a reason, the blocks that can be taken back all the same.
        protected: by path, why files that it would change need a word of their own; nothing was
            changed when there are any.
    """

    blocks: Sequence[int] = ()
    files: Sequence[RepoPath] = ()
    clean: Sequence[RepoPath] = ()
    back: Sequence[RepoPath] = ()
    reason: str = ""
    possible: Sequence[int] = ()
    protected: Mapping[RepoPath, str] = field(default_factory=dict)
