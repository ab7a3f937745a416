"""The words of outcomes are the wire's."""

from jupyter_ac.chat.edits.outcomes import Cause, ErrorType, Status


def test_the_words_are_those_of_the_reference() -> None:
    assert {*Status} == {
        *("applied", "already_applied", "failed", "skipped", "not_in_context"),
        *("pending", "rejected", "undone", "suggested"),
    }
    assert {*ErrorType} == {
        *("", "anchor_not_found", "ambiguous_anchor", "file_not_found"),
        *("write_error", "validation_error"),
    }
    assert {*Cause} == {
        *("", "whitespace", "indentation", "elided_lines", "quotes", "stale", "unknown")
    }
