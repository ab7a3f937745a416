"""The words of outcomes, and the members of results."""

from typing import get_type_hints

from jupyter_ac.edit_rows import BlockStatus, EditBlockRow, EditResult, ErrorType, MissCause


def test_the_words_are_those_of_the_reference() -> None:
    assert {*BlockStatus} == {
        *("applied", "already_applied", "failed", "skipped", "not_in_context"),
        *("pending", "rejected", "undone", "suggested"),
    }
    assert {*ErrorType} == {
        *("", "anchor_not_found", "ambiguous_anchor", "file_not_found"),
        *("write_error", "validation_error"),
    }
    assert {*MissCause} == {
        *("", "whitespace", "indentation", "elided_lines", "quotes", "stale", "unknown")
    }


def test_a_result_has_all_that_its_block_has() -> None:
    assert set(get_type_hints(EditBlockRow)) <= set(get_type_hints(EditResult))
