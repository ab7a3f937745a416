"""Serialises blocks and their outcomes for a front end."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock, Span
from jupyter_ac.edit_rows import (
    BlockStatus,
    BlockTexts,
    EditBlockRow,
    EditKind,
    EditPlace,
    EditResult,
)

PREVIEW_CHARS: Final = 200
MESSAGE_CHARS: Final = 2000
NEAR_CHARS: Final = 10_000
MAX_NOTES: Final = 10


class Utf16Offsets:
    """Counts UTF-16 code units of a text up to places in it.

    Args:
        text: spans are counted in its code points.
        blocks: whose spans are asked for.
        others: further spans that are asked for.
    """

    def __init__(self, text: str, blocks: Iterable[EditBlock], others: Iterable[Span] = ()) -> None:
        spans = [*others]
        for block in blocks:
            spans += (block.span, block.old_span, block.new_span)
        marks = {0} | {mark for span in spans for mark in (span.start, span.end)}
        self._at: dict[int, int] = {}
        if text.isascii():
            self._at = {mark: mark for mark in marks}
            return
        units = 0
        for before, mark in pairwise((0, *sorted(marks))):
            units += len(text[before:mark].encode("utf-16-le", "surrogatepass")) // 2
            self._at[mark] = units

    def span(self, span: Span) -> list[int]:
        """Return start and end of a span."""
        return [self._at[span.start], self._at[span.end]]


def block_rows(text: str, blocks: Sequence[EditBlock]) -> list[EditBlockRow]:
    """Describe the blocks of a text."""
    units = Utf16Offsets(text, blocks)
    return [EditBlockRow(**_place(block, units, is_create=not block.old)) for block in blocks]


def result_row(
    outcome: BlockOutcome, units: Utf16Offsets, attempt: int, redone_by: int | None = None
) -> EditResult:
    """Describe what became of a block.

    Args:
        outcome: what did.
        units: of the turn's text.
        attempt: in which answer it stands, from 0.
        redone_by: the block of a later answer that stands for it; None for none.
    """
    block, near = outcome.block, outcome.near
    return EditResult(
        **_place(block, units, is_create=outcome.is_create or not block.old),
        status=outcome.status,
        error_type=outcome.error_type,
        message=_cut(outcome.message, MESSAGE_CHARS),
        cause=outcome.cause,
        line=outcome.line,
        added=outcome.added,
        removed=outcome.removed,
        near=None
        if near is None
        else {"line": near.line, "text": _cut("\n".join(near.text), NEAR_CHARS)},
        filter=outcome.filter,
        correctable=outcome.correction is not None,
        notes=[_cut(note, MESSAGE_CHARS) for note in outcome.notes[:MAX_NOTES]],
        attempt=attempt,
        redone=redone_by is not None,
        redone_by=redone_by,
        corrected=None if outcome.correction is None else _texts(outcome.correction),
        protected=outcome.protected,
        withheld=outcome.is_withheld and outcome.status is BlockStatus.NOT_IN_CONTEXT,
        texts=_texts(block) if _is_from_diff(block) else None,
        document=outcome.document,
        old_preview=_preview(block.old),
        new_preview=_preview(block.new),
    )


def placed(row: EditResult, before: EditResult) -> EditResult:
    """Put a block's newer result where the block stands in the answer."""
    return {
        **row,
        **block_row(before),
        "old_preview": before["old_preview"],
        "new_preview": before["new_preview"],
    }


def block_row(result: EditResult) -> EditBlockRow:
    """Describe the block of a result."""
    return {
        "index": result["index"],
        "file": result["file"],
        "file_path": result["file_path"],
        "kind": result["kind"],
        "is_create": result["is_create"],
        "new_path": result["new_path"],
        "span": result["span"],
        "old_span": result["old_span"],
        "new_span": result["new_span"],
        "complete": result["complete"],
    }


def _place(block: EditBlock, units: Utf16Offsets, *, is_create: bool) -> EditPlace:
    is_new = block.kind is BlockKind.EDIT and is_create and block.is_complete
    kind: EditKind = "create" if is_new else block.kind.value
    return {
        "index": block.index,
        "file": block.path,
        "file_path": block.path,
        "kind": kind,
        "is_create": is_new,
        "new_path": block.new_path if block.kind is BlockKind.RENAME else None,
        "span": units.span(block.span),
        "old_span": units.span(block.old_span),
        "new_span": units.span(block.new_span),
        "complete": block.is_complete,
    }


def _is_from_diff(block: EditBlock) -> bool:
    has_spans = block.old_span.end or block.new_span.end
    return not has_spans and block.is_complete and bool(block.old or block.new)


def _texts(block: EditBlock) -> BlockTexts:
    old, new = (
        _cut("".join(f"{line}\n" for line in lines[:NEAR_CHARS]), NEAR_CHARS)
        for lines in (block.old, block.new)
    )
    return {"old": old, "new": new}


def _preview(lines: Sequence[str]) -> str:
    # The breaks between these alone are more than the preview has room for.
    return _cut("\n".join(lines[: PREVIEW_CHARS + 2]), PREVIEW_CHARS)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
