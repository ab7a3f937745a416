"""What a front end gets at the end of a turn: the seeds' result, keys of both vintages."""

from jupyter_ac.chat.records import State
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.usage import token_usage

_EMPTY_LISTS = (
    "edit_blocks",
    "edit_results",
    "shell_commands",
    "files_modified",
    "files_auto_added",
    "files_created",
)
_ZEROS = ("passed", "already_applied", "failed", "skipped", "not_in_context")


def completion_result(turn: Turn) -> dict[str, object]:
    """Write the result of a turn that is over."""
    record = turn.record
    result: dict[str, object] = {
        "response": record.answer,
        "token_usage": token_usage(record.usage),
        "finish_reason": record.finish_reason,
        "user_message": record.question,
        "turn_id": record.turn_id,
        "model": record.model,
        **{name: [] for name in _EMPTY_LISTS},
        **dict.fromkeys(_ZEROS, 0),
    }
    problems = turn.reading.problems
    if problems:
        result["binary_files"] = [problem.path for problem in problems if problem.is_binary]
        result["invalid_files"] = [problem.path for problem in problems if not problem.is_binary]
    if record.notices:
        result["notices"] = list(record.notices)
    if record.state is State.CANCELLED:
        result["cancelled"] = True
    if record.failure is not None:
        result["error"] = record.failure.message
        result["error_info"] = {
            "error_type": record.failure.type,
            "message": record.failure.message,
            "retry_after": record.failure.retry_after_s,
            "provider": turn.info.provider if turn.info is not None else "",
            "model": record.model,
        }
    return result
