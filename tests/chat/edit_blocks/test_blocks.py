"""Blocks as values."""

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock, Span
from jupyter_ac.edit_rows import BlockStatus, ErrorType


def test_no_line_and_an_empty_line_are_two_things() -> None:
    nothing, empty = (
        EditBlock(0, BlockKind.EDIT, "a.py"),
        EditBlock(0, BlockKind.EDIT, "a.py", new=("",)),
    )
    assert (nothing.old, nothing.new, nothing.span) == ((), (), Span(0, 0))
    assert nothing != empty
    assert nothing.is_complete


@pytest.mark.parametrize(
    ("status", "error_type", "is_open"),
    [
        (BlockStatus.FAILED, ErrorType.ANCHOR_NOT_FOUND, True),
        (BlockStatus.FAILED, ErrorType.WRITE_ERROR, False),
        (BlockStatus.FAILED, ErrorType.NONE, False),
        (BlockStatus.NOT_IN_CONTEXT, ErrorType.NONE, True),
        (BlockStatus.REJECTED, ErrorType.ANCHOR_NOT_FOUND, False),
    ],
)
def test_a_retry_is_for_what_the_model_could_do_better(
    status: BlockStatus, error_type: ErrorType, *, is_open: bool
) -> None:
    block = EditBlock(0, BlockKind.EDIT, "a.py")
    assert BlockOutcome(block, status, error_type=error_type).is_open == is_open
