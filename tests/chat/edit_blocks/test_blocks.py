"""Blocks as values."""

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span


def test_no_line_and_an_empty_line_are_two_things() -> None:
    nothing, empty = (
        EditBlock(0, BlockKind.EDIT, "a.py"),
        EditBlock(0, BlockKind.EDIT, "a.py", new=("",)),
    )
    assert (nothing.old, nothing.new, nothing.span) == ((), (), Span(0, 0))
    assert nothing != empty
    assert nothing.is_complete
