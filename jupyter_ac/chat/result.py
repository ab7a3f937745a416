"""What a front end gets at the end of a turn: with the keys that other clients read."""

from jupyter_ac.chat.records import State
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.usage import token_usage
from jupyter_ac.events import CompletionResult


def completion_result(turn: Turn) -> CompletionResult:
    """Write the result of a turn that is over."""
    record = turn.record
    result = CompletionResult(
        response=record.answer,
        token_usage=token_usage(record.usage),
        finish_reason=record.finish_reason,
        user_message=record.question,
        turn_id=record.turn_id,
        model=record.model,
        edit_blocks=[],
        edit_results=[],
        shell_commands=[],
        passed=0,
        already_applied=0,
        failed=0,
        skipped=0,
        not_in_context=0,
        files_modified=[],
        files_auto_added=[],
        files_created=[],
    )
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
