"""Rows with the spellings that other clients read beside ours."""

from jupyter_ac.answer_rows import RetryRow
from jupyter_ac.models.client import Retry


def retry_row(retry: Retry) -> RetryRow:
    """Write a repeated request under our names and those that other clients read."""
    return {
        "attempt": retry.attempt,
        "attempts": retry.attempts,
        "max_attempts": retry.attempts,
        "wait_s": retry.wait_s,
        "wait_seconds": retry.wait_s,
        "reason": retry.reason,
        "error_type": retry.error_type,
    }
