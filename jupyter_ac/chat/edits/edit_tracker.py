"""Tracks the edits of a running turn: the blocks so far, and their outcomes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS, EditParser
from jupyter_ac.chat.edit_blocks.stored_edits import DocumentStep
from jupyter_ac.chat.edits.apply_options import Applied
from jupyter_ac.chat.edits.selection_updates import SelectionChange
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.models.client import CompletedAnswer as Reply

UNCLOSED: Final = "Not applied: the block was never closed by its END line."
TOO_MANY: Final = (
    f"The answer has more than {MAX_BLOCKS} edit blocks; what stands behind them was not read as "
    "edits and not applied. Ask for the rest."
)

_OPEN: Final = frozenset({BlockStatus.FAILED, BlockStatus.NOT_IN_CONTEXT})


@dataclass(slots=True)
class TrackedAnswer:
    """One answer of a turn.

    Attributes:
        start: where it begins in the turn's text, in code points.
        parser: finds its blocks.
        end: where it ends so far.
        reply: how the model ended it; None when it didn't.
        outcomes: what became of its blocks, by their index.
    """

    start: int
    parser: EditParser
    end: int
    reply: Reply | None = None
    outcomes: dict[int, BlockOutcome] = field(default_factory=dict)

    @property
    def failed(self) -> list[BlockOutcome]:
        """The failed blocks, in order."""
        return [one for _, one in sorted(self.outcomes.items()) if one.status in _OPEN]


@dataclass(slots=True)
class EditedFiles:
    """Files that the edits of a turn have to do with, each once, in order.

    Attributes:
        modified: that were changed.
        created: that were made.
        added: that were selected because a block was about them.
        unticked: that were selected, and that were deleted or renamed.
        documents: what was done in open notebooks.
    """

    modified: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    unticked: tuple[str, ...] = ()
    documents: tuple[DocumentStep, ...] = ()

    def take(self, applied: Applied, change: SelectionChange) -> None:
        """Add those of a batch, and what became of the selection by it."""
        self.modified = _joined(self.modified, applied.modified)
        self.created = _joined(self.created, applied.created)
        self.added = _joined(self.added, change.added)
        self.unticked = _joined(self.unticked, change.removed)
        self.documents += tuple(applied.documents)


class EditTracker:
    """All answers of a turn, in order.

    Attributes:
        files: that their edits have to do with.
        suggested: what the answers have of edits in other formats.
    """

    def __init__(self) -> None:
        self.suggested: Sequence[BlockOutcome] = ()
        self.answers: list[TrackedAnswer] = []
        self.files = EditedFiles()

    @property
    def blocks(self) -> list[EditBlock]:
        """All blocks so far."""
        return [block for answer in self.answers for block in answer.parser.blocks]

    @property
    def version(self) -> int:
        """A number that goes up when a front end should know of the blocks."""
        return sum(answer.parser.version for answer in self.answers)

    @property
    def fresh(self) -> list[EditBlock]:
        """The closed blocks of the last answer."""
        blocks = self.answers[-1].parser.blocks if self.answers else ()
        return [block for block in blocks if block.is_complete]

    @property
    def waiting(self) -> list[str]:
        """The names of files that blocks which wait are about."""
        outcomes = [one for answer in self.answers for one in answer.outcomes.values()]
        blocks = [one.block for one in outcomes if one.status is BlockStatus.PENDING]
        return [name for block in blocks for name in (block.path, block.new_path) if name]

    def begin(self, exists: Callable[[str], bool], offset: int) -> None:
        """Expect an answer.

        Args:
            exists: whether there is a file of this name.
            offset: where it will begin in the turn's text, in code points.
        """
        first = sum(len(answer.parser.blocks) for answer in self.answers)
        self.answers.append(TrackedAnswer(offset, EditParser(exists, first, offset), offset))

    def feed(self, piece: str) -> None:
        """Take more of the last answer."""
        answer = self.answers[-1]
        answer.parser.feed(piece)
        answer.end += len(piece)

    def end(self, reply: Reply) -> None:
        """Expect no more of the last answer, which the model has ended; what is open stays so."""
        answer = self.answers[-1]
        answer.parser.finish()
        answer.reply = reply
        self.take(_unclosed(block) for block in answer.parser.blocks if not block.is_complete)

    def take(self, outcomes: Iterable[BlockOutcome]) -> None:
        """Note what became of blocks of the last answer."""
        self.answers[-1].outcomes |= {outcome.block.index: outcome for outcome in outcomes}

    def skip(self, reason: str) -> None:
        """Note that nothing of the last answer is taken."""
        blocks = self.answers[-1].parser.blocks
        self.take(BlockOutcome(block, BlockStatus.SKIPPED, reason) for block in blocks)

    def close(self, reason: str) -> Sequence[TrackedAnswer]:
        """Say what became of every block.

        Args:
            reason: why the last answer was not taken; "" when it was.
        """
        for answer in self.answers:
            if answer.reply is None:
                answer.parser.finish()
            why = reason if answer is self.answers[-1] else ""
            for block in answer.parser.blocks:
                answer.outcomes.setdefault(block.index, _untaken(block, why))
        return self.answers


def has_too_many(answers: Iterable[TrackedAnswer]) -> bool:
    """Say whether an answer has more blocks than are read."""
    return any(answer.parser.has_more for answer in answers)


def _joined(known: Iterable[str], further: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *further)))


def _untaken(block: EditBlock, reason: str) -> BlockOutcome:
    if reason:
        return BlockOutcome(block, BlockStatus.SKIPPED, reason)
    if not block.is_complete:
        return _unclosed(block)
    return BlockOutcome(
        block, BlockStatus.SKIPPED, "Not applied: there is nothing here that applies edits."
    )


def _unclosed(block: EditBlock) -> BlockOutcome:
    return BlockOutcome(block, BlockStatus.FAILED, UNCLOSED, ErrorType.VALIDATION_ERROR)
