"""The append-only log of what was sent: one exchange for each answered turn.

Past exchanges never change, so that a provider's cache serves them; what is new about files stands
behind them. A question without any answer is no part of the log: nothing of it was taken in.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.ids import RepoPath


@dataclass(frozen=True, slots=True)
class Exchange:
    """One past turn as it went out and came back.

    Attributes:
        sent: news about files, then the question, in order.
        answer: what the model wrote, cut off or not.
    """

    sent: tuple[Block, ...]
    answer: Block

    @property
    def about_files(self) -> tuple[Block, ...]:
        """The copies of files that it brought, and the lines about files."""
        return tuple(block for block in self.sent if block.category is not Category.QUESTION)

    @property
    def questions(self) -> tuple[Block, ...]:
        """What was asked."""
        return tuple(block for block in self.sent if block.category is Category.QUESTION)


@dataclass(frozen=True, slots=True)
class Copy:
    """The newest copy of a file that the model has seen.

    Attributes:
        source: hash of the file's whole block at that time.
        current: False after a note took the file back.
    """

    source: str
    current: bool


def standing(exchanges: Iterable[Exchange]) -> Mapping[RepoPath, Copy]:
    """Say which files the model has seen, in the order in which they came.

    Notes about a file are written only when its standing changes, so each one turns it over.
    """
    copies: dict[RepoPath, Copy] = {}
    for block in (block for exchange in exchanges for block in exchange.about_files):
        path = block.path
        if path is None:
            continue
        if block.category is Category.FILE:
            copies[path] = Copy(block.source, current=True)
        elif (seen := copies.get(path)) is not None:
            copies[path] = Copy(seen.source, not seen.current)
    return copies


def talk(exchanges: Sequence[Exchange]) -> list[Block]:
    """Gather questions and answers."""
    return [block for one in exchanges for block in (*one.questions, one.answer)]


def files(exchanges: Sequence[Exchange]) -> list[Block]:
    """Gather the copies of files."""
    blocks = (block for exchange in exchanges for block in exchange.about_files)
    return [block for block in blocks if block.category is Category.FILE]
