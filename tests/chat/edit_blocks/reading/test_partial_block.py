"""One block, read line by line."""

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, Span
from jupyter_ac.chat.edit_blocks.reading.markers import SQUARES
from jupyter_ac.chat.edit_blocks.reading.partial_block import LineEffect, PartialBlock


def _draft(kind: BlockKind) -> PartialBlock:
    return PartialBlock(SQUARES, kind, "a", Span(5, 10), lambda line: "" if " " in line else line)


def _take(draft: PartialBlock, line: str, start: int) -> LineEffect:
    return draft.take(line, line.strip(), Span(start, start + len(line) + 1))


def test_an_edit_goes_through_its_parts() -> None:
    draft = _draft(BlockKind.EDIT)
    assert _take(draft, "old", 10) is LineEffect.GREW
    assert _take(draft, SQUARES.middle, 14) is LineEffect.ADVANCED
    assert _take(draft, "  new", 23) is LineEffect.GREW
    assert _take(draft, SQUARES.middle, 29) is LineEffect.GREW
    assert _take(draft, SQUARES.close, 38) is LineEffect.CLOSED
    block = draft.block(3, 46, is_complete=True)
    assert (block.old, block.new) == (("old",), ("  new", SQUARES.middle))
    assert (block.span, block.old_span, block.new_span) == (Span(5, 46), Span(10, 14), Span(23, 38))


def test_a_closing_marker_ahead_of_the_middle_is_old_text() -> None:
    draft = _draft(BlockKind.EDIT)
    assert _take(draft, SQUARES.close, 10) is LineEffect.GREW


def test_a_block_that_is_cut_short_ends_there() -> None:
    draft = _draft(BlockKind.EDIT)
    _take(draft, SQUARES.middle, 10)
    _take(draft, "new", 19)
    _take(draft, "b.py", 23)
    block = draft.block(0, 23, is_complete=False)
    assert (block.new, block.new_span, block.span) == (("new",), Span(19, 23), Span(5, 23))


def test_a_removal_takes_nothing_but_its_end() -> None:
    draft = _draft(BlockKind.DELETE)
    assert _take(draft, "", 10) is LineEffect.GREW
    assert _take(draft, "text", 11) is LineEffect.LEFT
    assert _take(draft, SQUARES.close, 11) is LineEffect.CLOSED


def test_a_rename_takes_one_path() -> None:
    draft = _draft(BlockKind.RENAME)
    assert _take(draft, "b", 10) is LineEffect.ADVANCED
    assert draft.block(0, 12, is_complete=False).new_path == "b"
    assert _take(draft, "c", 12) is LineEffect.LEFT
    assert _take(draft, SQUARES.close, 12) is LineEffect.CLOSED


def test_a_rename_to_a_line_of_prose_has_no_new_path() -> None:
    draft = _draft(BlockKind.RENAME)
    assert _take(draft, "over there", 10) is LineEffect.ADVANCED
    assert _take(draft, SQUARES.close, 21) is LineEffect.CLOSED
    assert draft.block(0, 30, is_complete=True).new_path == ""
