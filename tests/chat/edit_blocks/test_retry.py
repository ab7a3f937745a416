"""Which edits are asked for again, and in what words."""

from dataclasses import replace

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock, Near
from jupyter_ac.chat.edit_blocks.retry import (
    MAX_NAMED,
    MOST_NEAR_CHARS,
    NEAR_LINES,
    redone,
    retry_message,
    retry_prompt,
    to_redo,
)
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, result_row
from jupyter_ac.edit_rows import BlockStatus, EditResult, ErrorType


def block(index: int, path: str, *new: str) -> EditBlock:
    return EditBlock(index, BlockKind.EDIT, path, old=("old",), new=new)


def failed(index: int, path: str, error_type: ErrorType, *around: Near) -> BlockOutcome:
    return BlockOutcome(
        block(index, path), BlockStatus.FAILED, "It failed.", error_type, around=around
    )


def row(outcome: BlockOutcome, *, is_redone: bool = False) -> EditResult:
    return result_row(
        outcome, Utf16Offsets("", [outcome.block]), 0, redone_by=9 if is_redone else None
    )


@pytest.mark.parametrize(
    ("status", "error_type", "is_asked"),
    [
        (BlockStatus.FAILED, ErrorType.ANCHOR_NOT_FOUND, True),
        (BlockStatus.FAILED, ErrorType.AMBIGUOUS_ANCHOR, True),
        (BlockStatus.FAILED, ErrorType.FILE_NOT_FOUND, True),
        (BlockStatus.NOT_IN_CONTEXT, ErrorType.NONE, True),
        (BlockStatus.FAILED, ErrorType.WRITE_ERROR, False),
        (BlockStatus.FAILED, ErrorType.VALIDATION_ERROR, True),
        (BlockStatus.SKIPPED, ErrorType.VALIDATION_ERROR, False),
        (BlockStatus.APPLIED, ErrorType.NONE, False),
        (BlockStatus.ALREADY_APPLIED, ErrorType.NONE, False),
        (BlockStatus.PENDING, ErrorType.NONE, False),
    ],
)
def test_only_what_the_model_can_do_better_is_asked_for_again(
    status: BlockStatus, error_type: ErrorType, *, is_asked: bool
) -> None:
    outcome = BlockOutcome(block(0, "a"), status, "", error_type)
    assert to_redo([outcome]) == ([outcome] if is_asked else [])


def test_what_fits_with_another_indentation_is_not_asked_for_again() -> None:
    missed = failed(0, "a", ErrorType.ANCHOR_NOT_FOUND)
    shifted = replace(missed, correction=block(0, "a", "  one"))
    assert to_redo([missed, shifted]) == [missed]
    assert retry_prompt([row(shifted)], []) == ""


def test_the_retry_message_shows_the_current_text_around_the_likely_place() -> None:
    near = Near(12, ("def f():", "    return 1"))
    message = retry_message(
        [
            failed(0, "a.py", ErrorType.ANCHOR_NOT_FOUND, near),
            BlockOutcome(block(1, "b.py"), BlockStatus.NOT_IN_CONTEXT),
        ]
    )
    assert "1. a.py: It failed." in message
    assert "lines 12 to 13" in message
    assert "def f():\n    return 1" in message
    assert "2. b.py: you had not seen this file" in message


def test_the_retry_message_is_bounded_however_much_failed() -> None:
    near = Near(1, ("x" * 80,) * 1000)
    many = [failed(n, f"{n}.py", ErrorType.ANCHOR_NOT_FOUND, near) for n in range(20)]
    message = retry_message(many)
    assert all(f"{n}.py" in message for n in range(20))
    assert message.count("x" * 80) <= NEAR_LINES * 20
    assert len(message) < MOST_NEAR_CHARS + 3000


def test_the_prepared_prompt_keys_on_the_error_type_with_a_bullet_for_each_file() -> None:
    prompt = retry_prompt(
        [
            row(failed(0, "twice.py", ErrorType.AMBIGUOUS_ANCHOR)),
            row(failed(1, "twice.py", ErrorType.AMBIGUOUS_ANCHOR)),
            row(failed(2, "stale.py", ErrorType.ANCHOR_NOT_FOUND)),
            row(failed(3, "no.py", ErrorType.FILE_NOT_FOUND)),
            row(BlockOutcome(block(4, "new.py"), BlockStatus.NOT_IN_CONTEXT)),
        ],
        ["new.py"],
    )
    ambiguous, stale, absent, added = prompt.split("\n\n")
    assert "more unique lines" in ambiguous
    assert ambiguous.endswith(":\n- twice.py")
    assert "read the file's current text first" in stale
    assert stale.endswith(":\n- stale.py")
    assert absent.endswith(":\n- no.py")
    assert "in the context" in added
    assert added.endswith(":\n- new.py")


def test_what_else_failed_is_prepared_with_its_reason() -> None:
    prompt = retry_prompt(
        [
            row(failed(0, "", ErrorType.VALIDATION_ERROR)),
            row(failed(1, "full.py", ErrorType.WRITE_ERROR)),
            row(
                BlockOutcome(
                    block(2, ".git/x"), BlockStatus.SKIPPED, "", ErrorType.VALIDATION_ERROR
                )
            ),
        ],
        [],
    )
    assert prompt.endswith(":\n- a block without a path: It failed.\n- full.py: It failed.")


def test_nothing_is_prepared_when_nothing_is_left_to_redo() -> None:
    assert retry_prompt([row(BlockOutcome(block(0, "a"), BlockStatus.APPLIED))], []) == ""
    again = row(failed(0, "a", ErrorType.ANCHOR_NOT_FOUND), is_redone=True)
    assert retry_prompt([again], []) == ""


def test_a_later_block_stands_for_the_failed_one_that_it_is_most_like() -> None:
    first = BlockOutcome(block(0, "a", "one", "two"), BlockStatus.FAILED)
    second = BlockOutcome(block(1, "a", "three", "four"), BlockStatus.FAILED)
    other = BlockOutcome(block(2, "b", "one"), BlockStatus.FAILED)
    assert redone([first, second, other], [block(3, "a", "three", "five")]) == {1: 3}
    both = redone([first, second], [block(3, "a", "x"), block(4, "a", "y")])
    assert sorted(both.items()) == [(0, 3), (1, 4)]
    assert redone([first], [block(3, "c", "one", "two")]) == {}
    whole = block(6, "a", "one", "two", "three", "four")
    assert redone([first, second], [whole]) == {0: 6, 1: 6}
    unseen = [replace(each, status=BlockStatus.NOT_IN_CONTEXT) for each in (first, second)]
    assert redone(unseen, [block(7, "a", "x")]) == {0: 7, 1: 7}
    nowhere = BlockOutcome(block(4, "", "one"), BlockStatus.FAILED)
    assert redone([first, nowhere], [block(5, "b", "one")]) == {4: 5}


def test_of_very_many_failures_the_first_are_named() -> None:
    many = [failed(n, f"f{n}.py", ErrorType.ANCHOR_NOT_FOUND) for n in range(500)]
    for text in (retry_message(many), retry_prompt(map(row, many), ())):
        assert text.count(".py") == MAX_NAMED
        assert f"… and {500 - MAX_NAMED} more" in text


def test_very_many_large_blocks_are_told_apart_by_their_first_lines() -> None:
    """Each has thousands of lines; comparing all with all would take minutes."""
    lines = tuple(str(n) for n in range(4000))
    many = [
        BlockOutcome(
            block(n, "a.py", f"first {n}", *lines),
            BlockStatus.FAILED,
            "",
            ErrorType.VALIDATION_ERROR,
        )
        for n in range(500)
    ]
    later = [block(500 + n, "a.py", f"first {n}", *lines) for n in range(0, 500, 2)]
    assert redone(many, later).keys() == set(range(0, 500, 2))
