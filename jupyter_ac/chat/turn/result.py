"""What a front end gets at the end of a turn: with the keys that other clients read."""

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.edit_blocks.rows import block_row
from jupyter_ac.chat.records import TurnState, token_usage
from jupyter_ac.chat.turn.turn import Turn


def completion_result(turn: Turn) -> CompletionResult:
    """Write the result of a turn that is over."""
    record, edits = turn.record, turn.record.edits
    counts = edits.counts()
    result = CompletionResult(
        response=record.answer,
        token_usage=token_usage(record.usage),
        finish_reason=record.finish_reason,
        user_message=record.question,
        turn_id=record.turn_id,
        model=record.model,
        edit_blocks=[block_row(row) for row in edits.results if row["complete"]],
        edit_results=list(edits.results),
        shell_commands=list(edits.commands),
        passed=counts["applied"],
        already_applied=counts["already_applied"],
        failed=counts["failed"],
        skipped=counts["skipped"],
        not_in_context=counts["not_in_context"],
        pending=counts["pending"],
        files_modified=list(edits.modified),
        files_auto_added=list(edits.auto_added),
        files_created=list(edits.created),
        attempts=list(edits.attempts),
        retry_prompt=edits.retry_prompt,
        can_undo=edits.is_applied,
    )
    problems = turn.gathered.reading.problems if turn.gathered is not None else ()
    unknown, left_out = turn.context.question.unknown, turn.request.left_out
    if problems or unknown:
        invalid = [problem.path for problem in problems if not problem.is_binary]
        result["binary_files"] = [problem.path for problem in problems if problem.is_binary]
        result["invalid_files"] = [*invalid, *unknown]
    if left_out:
        result["shed_files"] = list(left_out)
    if record.notices:
        result["notices"] = list(record.notices)
    if record.state is TurnState.CANCELLED:
        result["cancelled"] = True
    if record.failure is not None:
        result["error"] = record.failure.message
        result["error_info"] = {
            "error_type": record.failure.type,
            "message": record.failure.message,
            "retry_after": record.failure.retry_after_s,
            "provider": turn.model_info.provider if turn.model_info is not None else "",
            "model": record.model,
        }
    return result
