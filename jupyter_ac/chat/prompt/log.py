"""The append-only log of what was sent: one exchange for each answer.

Past exchanges never change, so that a provider's cache serves them; file updates are appended after
them. Only a compaction and `trim_context` remove anything. A question without any answer is not
part of the log: the model has taken in nothing of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, Category, calls_block
from jupyter_ac.ids import RepoPath
from jupyter_ac.workers.wire import ToolCall

WHOLE: Final = frozenset({Category.FILE, Category.URL, Category.REVIEW})
"""Blocks that hold a file, a web page or a part of a review, whole or cut."""

COPIES: Final = WHOLE | {Category.DIFF}
"""Blocks that hold text of files, web pages and reviews."""

MAPS: Final = frozenset({Category.LEGEND, Category.MAP})
"""Blocks that show the structure of the repository."""

_ABOUT_FILES: Final = COPIES | MAPS | {Category.RANKED, Category.NOTE}
_ENDS: Final = frozenset({Category.QUESTION, Category.RETRY, Category.STEP})


@dataclass(frozen=True, slots=True)
class Exchange:
    """One past request as it went out and came back.

    Attributes:
        sent: news about files, then the question, in order.
        answer: what the model wrote, cut off or not.
        calls: of tools with ids, which the answer ends with; their results begin the next exchange.
        thinking: signed parts of the reasoning, which go back with these results.
        family: of the model that has made the calls and signed the reasoning.
    """

    sent: tuple[Block, ...]
    answer: Block
    calls: tuple[ToolCall, ...] = ()
    thinking: tuple[Mapping[str, object], ...] = ()
    family: str = ""

    @property
    def reply(self) -> tuple[Block, ...]:
        """The blocks that came back: the text, then the calls."""
        if not self.calls:
            return (self.answer,)
        calls = calls_block(self.calls)
        return (self.answer, calls) if self.answer.text else (calls,)

    @property
    def about_files(self) -> tuple[Block, ...]:
        """The copies of files that it brought, the lines about files, and maps."""
        return tuple(block for block in self.sent if block.category in _ABOUT_FILES)

    @property
    def questions(self) -> tuple[Block, ...]:
        """The question, or its replacement."""
        return tuple(block for block in self.sent if block.category not in _ABOUT_FILES)


@dataclass(frozen=True, slots=True)
class Copy:
    """The newest copy of a file in the log.

    Attributes:
        source: hash of the file's whole block at that time.
        current: False after a note took the file back.
        whole: the last whole copy, None when only a part of the file was sent.
        changes: differences that were sent since.
    """

    source: str
    current: bool
    whole: Block | None = None
    changes: tuple[Block, ...] = ()


def messages_of(sent: Iterable[Block]) -> list[list[Block]]:
    """Cut the blocks of a turn into its user messages, as the log has them."""
    messages: list[list[Block]] = []
    is_over = True
    for block in sent:
        if messages and is_over and block.category is Category.RANKED:
            continue
        if is_over:
            messages.append([])
        messages[-1].append(block)
        is_over = block.category in _ENDS
    return messages


def passed_with(sent: Iterable[Block]) -> tuple[Block, ...]:
    """Return the part of the map that a turn had behind its question, as older versions sent it."""
    blocks = tuple(sent)
    return tuple(
        block
        for before, block in pairwise(blocks)
        if block.category is Category.RANKED and before.category in _ENDS
    )


def standing(exchanges: Iterable[Exchange]) -> Mapping[RepoPath, Copy]:
    """Return the copies of files in the log, in the order in which they were sent.

    A note about a file is written only when the file becomes current or stops being current, so
    each note toggles that. A difference without its whole copy is useless to the model.
    """
    copies: dict[RepoPath, Copy] = {}
    for block in (block for exchange in exchanges for block in exchange.about_files):
        path = block.path
        if path is None:
            continue
        seen = copies.get(path)
        if block.category in WHOLE:
            whole = block if block.sha256 == block.source else None
            copies[path] = Copy(block.source, current=True, whole=whole)
        elif seen is not None and block.category is Category.NOTE:
            copies[path] = Copy(seen.source, not seen.current, seen.whole, seen.changes)
        elif seen is not None and seen.whole is not None:
            changes = (*seen.changes, block)
            copies[path] = Copy(block.source, current=True, whole=seen.whole, changes=changes)
    return copies


def leading_copies(exchange: Exchange) -> tuple[Block, ...]:
    """Give the whole files with which a message begins."""
    return tuple(takewhile(lambda block: block.category in WHOLE, exchange.sent))


def without_maps(exchanges: Iterable[Exchange]) -> list[Exchange]:
    """Leave out the maps, for a model that has no room for them."""
    left_out = MAPS | {Category.RANKED}
    return [
        replace(one, sent=tuple(block for block in one.sent if block.category not in left_out))
        for one in exchanges
    ]


def talk(exchanges: Sequence[Exchange]) -> list[Block]:
    """Gather questions and answers."""
    return [block for one in exchanges for block in (*one.questions, *one.reply)]


def files(exchanges: Sequence[Exchange]) -> list[Block]:
    """Gather the copies of files."""
    blocks = (block for exchange in exchanges for block in exchange.about_files)
    return [block for block in blocks if block.category in COPIES]
