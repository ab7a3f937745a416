"""The words of outcomes are the wire's."""

from jupyter_ac.chat.edit_blocks.outcomes import BlockStatus, ErrorType, MissCause


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
