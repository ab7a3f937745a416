"""How an answer ended, and what comes with it beside its text, as a front end gets it."""

from typing import Literal, NotRequired, TypedDict

from jupyter_ac.edit_rows import Attempt, EditBlockRow, EditResult
from jupyter_ac.usage_rows import TokenUsage


class ErrorInfo(TypedDict):
    """Why a turn failed.

    Attributes:
        error_type: a word of the table of errors.
        retry_after: seconds that the provider asks to wait.
        provider: "" when it isn't known.
    """

    error_type: str
    message: str
    retry_after: float | None
    provider: str
    model: str


class CompletionResult(TypedDict):
    """How a turn ended.

    Attributes:
        response: the whole answer, or what came of it; all of them when there were several.
        finish_reason: the provider's word for why the answer ended; `length`: it was cut.
        user_message: the question.
        model: "" when none was chosen.
        edit_blocks: the complete blocks.
        edit_results: what became of each block; one that was never closed is there as well.
        shell_commands: commands that the answer suggests; nothing runs them.
        passed: how many blocks were applied.
        already_applied: how many had nothing to change.
        failed: how many could not be applied.
        skipped: how many were refused, or stand in an answer that was not taken.
        not_in_context: how many are about files that the model had not seen.
        pending: how many wait for the user.
        files_modified: changed by the edits, each once.
        files_auto_added: selected now, because a block was about them.
        files_created: made by the edits, and selected now.
        attempts: the answers of the turn, in order.
        retry_prompt: what the user may send for the edits that failed; "" when none did.
        can_undo: `undo_last_edits` would take back this turn's edits.
        binary_files: selected files that were not sent because they are no text.
        invalid_files: selected files that were not sent for another reason.
        shed_files: selected files for which there was no room.
        notices: sentences for the user about the turn.
        cancelled: true when the user stopped it; absent else.
        error: one or two sentences when it failed; absent else.
        error_info: with `error`.
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


class RetryRow(TypedDict):
    """A request that will be sent again.

    Attributes:
        attempt: which repetition comes, from 1.
        attempts: how many there may be; also `max_attempts`.
        wait_s: until then; also `wait_seconds`.
        reason: what went wrong, in a sentence.
        error_type: a word of the table of errors.
    """

    attempt: int
    attempts: int
    max_attempts: int
    wait_s: float
    wait_seconds: float
    reason: str
    error_type: str


class ImageRow(TypedDict):
    """An image that came with a question.

    Attributes:
        id: for `get_image`.
        mime: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    """

    id: str
    mime: str


def image_row(name: str) -> ImageRow:
    """Describe an image by its id, which ends in what it is."""
    return {"id": name, "mime": f"image/{name.rpartition('.')[2]}"}


class CommitOutcome(TypedDict):
    """How a commit ended: with `sha` or with `error`.

    Attributes:
        status: `committed`, or `failed`; what was staged stays staged.
        sha: of the commit.
        short_sha: the same, short.
        message: of the commit; of one that failed what was going to be it.
        files: that the commit changed.
        hooks: the hooks that git found for it.
        system_event_message: what the conversation says of it.
        notices: sentences for the user, such as about secrets in what is committed.
        error: one or two sentences when it failed; absent else.
        secrets: the new files that look like secrets, where they are why it failed.
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
