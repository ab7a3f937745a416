"""Updates the model on files that have changed: as a difference if that is clearly cheaper.

A file ticked or changed is sent whole or as a difference; everything else is one line. Nothing in
the log is repeated or removed.

A file that is exactly as its last whole copy with the edits of the model's own answers since takes
one line, too: the model has written what is new.

The rule: a difference is always from the last whole copy in the log to the current text, so that
these two are sufficient, even if there are others between. The file goes out whole again when its
whole copy isn't in the log, when the difference is longer than a third of the file, when
`MOST_CHANGES` differences have been sent since the whole copy, or when all of them together would
be longer than the file. Lengths are in bytes of UTF-8.
"""

import asyncio
import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from jupyter_ac.chat.prompt.blocks import (
    REVIEW_SCHEME,
    Block,
    Category,
    body_of,
    diff_block,
    edited_block,
    note_block,
    restored_block,
    shown_path,
)
from jupyter_ac.chat.prompt.log import Copy
from jupyter_ac.ids import RepoPath

MOST_CHANGES: Final = 6
CHEAPER_BY: Final = 3
LONGEST_BYTES: Final = 512 * 1024
"""Of a file that is compared at all; the time that it takes grows with the length."""

MOST_LINES: Final = 4000
"""Between the first and the last line that differ; beyond it the whole file is sent."""

_CONTEXT_LINES: Final = 3
_HUNK: Final = re.compile(r"@@ -(\d+)(,\d+|) \+(\d+)(,\d+|) @@\n")


OwnEdits: TypeAlias = Callable[[RepoPath], str | None]
"""Returns a file's last whole copy in the log with the edits of the answers since; None: it has no
edits, or isn't known exactly."""


def _none_made(_path: RepoPath) -> None:
    pass


async def as_changes(
    news: Sequence[Block], copies: Mapping[RepoPath, Copy], own_edits: OwnEdits = _none_made
) -> tuple[Block, ...]:
    """Replace changed files by differences where the rule says so; the comparing is in a thread.

    Args:
        news: this turn's blocks about files.
        copies: the copies of files in the log.
        own_edits: pure; called in the thread.
    """
    if not any(_may_differ(block, copies) for block in news):
        return tuple(news)
    return await asyncio.to_thread(
        lambda: tuple(change_of(block, copies, own_edits) for block in news)
    )


def change_of(
    block: Block, copies: Mapping[RepoPath, Copy], own_edits: OwnEdits = _none_made
) -> Block:
    """Give the difference that replaces a file's whole block, or the block itself."""
    copy = _may_differ(block, copies)
    if copy is None or copy.whole is None or block.path is None:
        return block
    if copy.whole.source == block.source:
        return restored_block(block)
    if own_edits(block.path) == body_of(block):
        return edited_block(block)
    diff = unified(body_of(copy.whole), body_of(block))
    if diff is None:
        return block
    change = diff_block(block, diff)
    sent = sum(one.size_bytes for one in copy.changes)
    if CHEAPER_BY * change.size_bytes > block.size_bytes:
        return block
    return change if sent + change.size_bytes <= block.size_bytes else block


def unified(old: str, new: str) -> str | None:
    """Write the hunks of a unified difference, without file names; None when it is a large one.

    Only a line feed ends a line.
    """
    before, after = _lines(old), _lines(new)
    start, end = _alike(before, after)
    if max(len(before), len(after)) - start - end > MOST_LINES:
        return None
    # Only what differs, with the lines around it, is compared: else the time would grow with the
    # square of a file whose lines are often the same.
    skipped, left = max(0, start - _CONTEXT_LINES), max(0, end - _CONTEXT_LINES)
    before, after = before[skipped : len(before) - left], after[skipped : len(after) - left]
    hunks = islice(difflib.unified_diff(before, after, n=_CONTEXT_LINES), 2, None)
    return "".join(_moved(line, skipped) for line in hunks)


def _may_differ(block: Block, copies: Mapping[RepoPath, Copy]) -> Copy | None:
    copy = copies.get(block.path) if block.path is not None else None
    if block.category is not Category.FILE or copy is None or copy.whole is None:
        return None
    is_long = max(block.size_bytes, copy.whole.size_bytes) > LONGEST_BYTES
    if is_long or len(copy.changes) >= MOST_CHANGES:
        return None
    return copy


def _lines(text: str) -> list[str]:
    if not text:
        return []
    return [f"{line}\n" for line in text.removesuffix("\n").split("\n")]


def _alike(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Count the lines that both begin with, and those that both end with behind these."""
    most = min(len(before), len(after))
    start = 0
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _moved(line: str, by: int) -> str:
    """Add to the line numbers of a hunk's head; other lines stay as they are."""
    head = _HUNK.fullmatch(line)
    if head is None:
        return line
    return f"@@ -{int(head[1]) + by}{head[2]} +{int(head[3]) + by}{head[4]} @@\n"


def news(
    copies: Mapping[RepoPath, Copy], selected: Sequence[Block], unreadable: Collection[RepoPath]
) -> list[Block]:
    """Create this turn's blocks about files: first lines about removed ones, then added ones.

    Args:
        copies: the copies of files in the log, by `standing`.
        selected: the selected files as whole blocks, in the user's order.
        unreadable: selected files that can't be sent any more.
    """
    readable = {block.path for block in selected}
    went = [
        _removed(path, unreadable)
        for path, copy in copies.items()
        if copy.current and path not in readable
    ]
    came = [arrival for block in selected if (arrival := _arrival(block, copies)) is not None]
    return went + came


def _arrival(block: Block, copies: Mapping[RepoPath, Copy]) -> Block | None:
    seen = copies.get(block.path) if block.path is not None else None
    if seen is None or seen.source != block.source:
        return block
    if seen.current or block.path is None:
        return None
    again = "counts" if block.category is Category.REVIEW else "is selected"
    return note_block(
        block.path, f"{shown_path(block.path)} {again} again; its text above is still current."
    )


def _removed(path: RepoPath, unreadable: Collection[RepoPath]) -> Block:
    name = shown_path(path)
    if path in unreadable:
        return note_block(path, f"{name} can no longer be read; its text above is out of date.")
    if path.startswith(REVIEW_SCHEME):
        return note_block(path, f"{name} no longer counts.")
    return note_block(path, f"{name} is no longer selected.")
