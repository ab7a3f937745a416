"""Finds edits in other formats than ours: SEARCH/REPLACE blocks and unified diffs.

They are only suggested, never applied automatically: nobody has asked for that format, and prose
about diffs quotes them too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.reading.diffs import diff_groups
from jupyter_ac.chat.edit_blocks.reading.markers import SEARCH_REPLACE
from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS, EditParser
from jupyter_ac.edit_rows import BlockStatus, ErrorType

_MARKS: Final = (*SEARCH_REPLACE.openers, "diff --git ", "\n+++ ")
"""A text without any of these has nothing to look for."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Blocks that stand together.

    Attributes:
        blocks: numbered behind the answer's own.
        is_diff: they were written as a diff.
    """

    blocks: Sequence[EditBlock]
    is_diff: bool


def suggestions(
    text: str, own: Sequence[EditBlock], exists: Callable[[str], bool]
) -> list[Suggestion]:
    """Return what a turn's text suggests beside its own blocks; at most `MAX_BLOCKS` of all.

    The same text with the same blocks gives the same numbers, whatever files there are.

    Args:
        text: of the turn.
        own: its blocks, in order.
        exists: whether there is a file of this name.
    """
    found: list[Suggestion] = []
    if not any(mark in text for mark in _MARKS):
        return found
    number = max((block.index for block in own), default=-1) + 1
    room = MAX_BLOCKS - len(own)
    for start, end in _gaps(text, own):
        for group, is_diff in _groups(text[start:end], start, exists):
            blocks = [
                replace(block, index=number + at) for at, block in enumerate(islice(group, room))
            ]
            if blocks:
                found.append(Suggestion(blocks, is_diff))
            number, room = number + len(blocks), room - len(blocks)
    return found


def _groups(
    text: str, offset: int, exists: Callable[[str], bool]
) -> Iterator[tuple[list[EditBlock], bool]]:
    parser = EditParser(exists, offset=offset, families=(SEARCH_REPLACE,))
    parser.feed(text)
    parser.finish()
    blocks = [block for block in parser.blocks if block.is_complete]
    for (start, end), block in zip_longest(_gaps(text, blocks, offset), blocks):
        yield from ((group, True) for group in diff_groups(text[start:end], offset + start))
        if block is not None:
            yield [block], False


def _gaps(text: str, blocks: Sequence[EditBlock], offset: int = 0) -> Iterator[tuple[int, int]]:
    """Give the parts of a text between blocks."""
    at = 0
    for block in blocks:
        yield at, block.span.start - offset
        at = block.span.end - offset
    yield at, len(text)


_NEARLY = frozenset({ErrorType.ANCHOR_NOT_FOUND, ErrorType.AMBIGUOUS_ANCHOR})


def suggested(found: Sequence[Suggestion], looked: Iterable[BlockOutcome]) -> list[BlockOutcome]:
    """Return the blocks that are offered, with why some of them don't fit.

    Blocks that stand together are offered together as soon as one of them fits. Diffs of which none
    does are quotations, as far as anybody can tell; so is a SEARCH/REPLACE block about no file of
    the repository, or about text that is there already.
    """
    outcomes = {outcome.block.index: outcome for outcome in looked}
    offered: list[BlockOutcome] = []
    for one in found:
        group = [outcomes[block.index] for block in one.blocks]
        if any(_is_offered(outcome, is_diff=one.is_diff) for outcome in group):
            offered += [_as_suggested(outcome) for outcome in group]
    return offered


def _is_offered(outcome: BlockOutcome, *, is_diff: bool) -> bool:
    is_near = outcome.status is BlockStatus.FAILED and outcome.error_type in _NEARLY
    return outcome.status is BlockStatus.PENDING or (is_near and not is_diff)


def _as_suggested(outcome: BlockOutcome) -> BlockOutcome:
    if outcome.status is BlockStatus.ALREADY_APPLIED:
        return outcome
    is_fitting = outcome.status is BlockStatus.PENDING
    why = ErrorType.NONE if is_fitting else outcome.error_type or ErrorType.VALIDATION_ERROR
    return replace(
        outcome,
        status=BlockStatus.SUGGESTED,
        error_type=why,
        message="" if is_fitting else outcome.message,
        correction=None,
    )
