"""Wire types of an answer's end: its outcome, errors and further data."""

from typing import Literal, NotRequired, TypedDict

from jupyter_ac.edit_rows import Attempt, EditBlockRow, EditResult
from jupyter_ac.tool_rows import RunRow
from jupyter_ac.usage_rows import TokenUsage


class ErrorInfo(TypedDict):
    """Why a turn failed.

    Attributes:
        error_type: an error type of the table of errors.
        retry_after: seconds to wait, as requested by the provider.
        provider: "" if unknown.
    """

    error_type: str
    message: str
    retry_after: float | None
    provider: str
    model: str


class CompletionResult(TypedDict):
    """The outcome of a turn.

    Attributes:
        response: the whole answer, or its received part; all answers if there were several.
        finish_reason: the provider's reason for the end; `length`: the answer was cut.
        user_message: the question.
        model: "" if none was selected.
        edit_blocks: the complete blocks.
        edit_results: the result of each block, including incomplete ones.
        shell_commands: commands suggested by the answer; they are never run automatically.
        passed: number of applied blocks.
        already_applied: number of blocks without any change to make.
        failed: number of blocks that could not be applied.
        skipped: number of blocks that were refused, or belong to an answer that was not used.
        not_in_context: number of blocks for files that the model had not been sent.
        pending: number of blocks that wait for the user's decision.
        files_modified: files changed by the edits, each once.
        files_auto_added: files added to the selection because a block refers to them.
        files_created: files created by the edits, and added to the selection.
        attempts: the answers of the turn, in order.
        retry_prompt: a prompt that the user may send for failed edits; "" if none failed.
        can_undo: whether `undo_last_edits` would undo this turn's edits.
        binary_files: selected files that were not sent because they are not text.
        invalid_files: selected files that were not sent for another reason.
        shed_files: selected files that did not fit into the prompt.
        notices: sentences for the user about the turn.
        cancelled: true if the user stopped it; otherwise absent.
        error: one or two sentences if it failed; otherwise absent.
        error_info: present with `error`.
        run: the agent's run; absent for a plain answer.
        undelivered: texts of `add_to_run` that came too late for a step of the run; the model
            doesn't know them. Absent if there are none.
    """

    response: str
    token_usage: TokenUsage
    finish_reason: str | None
    user_message: str
    turn_id: str
    model: str
    edit_blocks: list[EditBlockRow]
    edit_results: list[EditResult]
    shell_commands: list[str]
    passed: int
    already_applied: int
    failed: int
    skipped: int
    not_in_context: int
    pending: int
    files_modified: list[str]
    files_auto_added: list[str]
    files_created: list[str]
    attempts: list[Attempt]
    retry_prompt: str
    can_undo: bool
    binary_files: NotRequired[list[str]]
    invalid_files: NotRequired[list[str]]
    shed_files: NotRequired[list[str]]
    notices: NotRequired[list[str]]
    cancelled: NotRequired[bool]
    error: NotRequired[str]
    error_info: NotRequired[ErrorInfo]
    run: NotRequired[RunRow]
    undelivered: NotRequired[list[str]]


class RetryRow(TypedDict):
    """A request that will be sent again.

    Attributes:
        attempt: number of the coming retry, from 1.
        attempts: maximum number of retries; also `max_attempts`.
        wait_s: delay before it; also `wait_seconds`.
        reason: what failed, as a sentence.
        error_type: an error type of the table of errors.
    """

    attempt: int
    attempts: int
    max_attempts: int
    wait_s: float
    wait_seconds: float
    reason: str
    error_type: str


class ImageRow(TypedDict):
    """An image of a question.

    Attributes:
        id: for `get_image`.
        mime: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    """

    id: str
    mime: str


def image_row(name: str) -> ImageRow:
    """Return the row of an image; its id ends in the type."""
    return {"id": name, "mime": f"image/{name.rpartition('.')[2]}"}


class CommitOutcome(TypedDict):
    """The outcome of a commit, with `sha` or `error`.

    Attributes:
        status: `committed`, or `failed`; then staged changes stay staged.
        sha: of the commit.
        short_sha: the same, abbreviated.
        message: of the commit; if it failed the intended one.
        files: files changed by the commit.
        hooks: the hooks that git found for it.
        system_event_message: the message about it in the conversation.
        notices: sentences for the user, for example about secrets in the commit.
        error: one or two sentences if it failed; otherwise absent.
        secrets: new files that look like secrets, if they are the reason for the failure.
    """

    status: Literal["committed", "failed"]
    sha: NotRequired[str]
    short_sha: NotRequired[str]
    message: NotRequired[str]
    files: NotRequired[list[str]]
    hooks: NotRequired[list[str]]
    system_event_message: NotRequired[str]
    notices: NotRequired[list[str]]
    error: NotRequired[str]
    secrets: NotRequired[list[str]]
