"""The request and response types of the commit form."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NotRequired, TypedDict, get_args

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.records import token_usage
from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.commit_advice import CommitRow
from jupyter_ac.git.commit_candidates import Kind
from jupyter_ac.git.made_commit import Undoable
from jupyter_ac.git.temporary_index import Choice, Part

MAX_CHOICES: Final = 10_000
_PARTS: Final[Mapping[object, Part]] = {part: part for part in get_args(Part)}


class CommitCandidate(TypedDict):
    """A file that differs from the last commit, or a folder of new files that tools make.

    Attributes:
        path: a folder's ends in `/`; it stands for all new files below it.
        old_path: of a renamed file; absent else.
        kind: what happened to it; `new`: the last commit doesn't have it.
        staged: something of it is staged.
        partly: what is staged of it is not all of the change: `part` chooses.
        ticked: a commit takes it unless the user says otherwise; of a partly staged file what is
            staged.
        reason: why it isn't ticked, or what should be known of it all the same; "" for nothing.
        secret: it looks like a secret; it isn't committed without `include_secrets`.
        size: bytes on disk; 0 for what is gone or no plain file.
        files: how many new files a folder stands for; 0 of a file.
        version: tells it from what it is after a change; "" of a folder.
    """

    path: str
    old_path: NotRequired[str]
    kind: Kind
    staged: bool
    partly: bool
    ticked: bool
    reason: str
    secret: bool
    size: int
    files: int
    version: str


class CommitUndo(TypedDict):
    """The commit that `undo_commit` would take back."""

    sha: str
    short_sha: str
    subject: str


class CommitCandidates(TypedDict):
    """What a commit could take now.

    Attributes:
        files: staged, changed and new ones, in that order; at most 1,000.
        left_out: how many more there are. They are not committed by this form.
        operation: a merge, rebase, cherry-pick, revert or am under way: the commit takes all that
            git tracks; null when the choice is free.
        refusal: why nothing can be committed now; "" when something can.
        no_model: why no message can be written; "" when one can.
        undo: null when nothing can be undone.
    """

    files: list[CommitCandidate]
    left_out: int
    operation: str | None
    refusal: str
    no_model: str
    undo: CommitUndo | None


class CommitChoice(TypedDict):
    """A file that a commit shall take.

    Attributes:
        path: as it was listed.
        part: `staged`: as the index has it; `whole`: as it is on disk; when absent what is staged
            of it, else the whole.
        version: as it was listed: the commit is refused when the file has changed since.
    """

    path: str
    part: NotRequired[Literal["staged", "whole"]]
    version: NotRequired[str]


class MessageStarted(TypedDict):
    """The message is being written; it streams, and `streamComplete` has it as its response."""

    status: Literal["started"]


class CommitUndone(TypedDict):
    """The commit is undone; what it changed is staged.

    Attributes:
        sha: of the commit that was undone.
        message: its whole message.
        parent: the commit that is checked out now; "" when there is none any more.
    """

    status: Literal["undone"]
    sha: str
    short_sha: str
    message: str
    parent: str


def candidate_row(listed: CommitRow) -> CommitCandidate:
    """Serialize a candidate as a row."""
    candidate = listed.candidate
    row: CommitCandidate = {
        "path": candidate.path,
        "kind": candidate.kind,
        "staged": candidate.is_staged,
        "partly": candidate.is_partly_staged,
        "ticked": not listed.reason,
        "reason": listed.reason or listed.warning,
        "secret": listed.is_secret,
        "size": listed.size,
        "files": listed.files,
        "version": listed.version,
    }
    if candidate.old_path:
        row["old_path"] = candidate.old_path
    return row


def undo_row(found: Undoable) -> CommitUndo:
    """Serialize a commit that can be undone."""
    return {"sha": found.sha, "short_sha": found.short_sha, "subject": found.subject}


def choices_of(paths: Sequence[object]) -> list[Choice]:
    """Parse and validate a caller's choices.

    Raises:
        InvalidParams: one is neither a path nor a choice, or there are too many.
    """
    if len(paths) > MAX_CHOICES:
        raise InvalidParams(f"paths has more than {MAX_CHOICES:,} entries; commit in parts.")
    return [_choice(each) for each in paths]


def message_result(message: str, *, is_cancelled: bool, error: str) -> CompletionResult:
    """Return the result of writing a message, in the format of any stream's end."""
    result = CompletionResult(
        response=message,
        token_usage=token_usage(None),
        finish_reason=None,
        user_message="",
        turn_id="",
        model="",
        edit_blocks=[],
        edit_results=[],
        shell_commands=[],
        passed=0,
        already_applied=0,
        failed=0,
        skipped=0,
        not_in_context=0,
        pending=0,
        files_modified=[],
        files_auto_added=[],
        files_created=[],
        attempts=[],
        retry_prompt="",
        can_undo=False,
    )
    if is_cancelled:
        result["cancelled"] = True
    if error:
        result["error"] = error
    return result


def _choice(given: object) -> Choice:
    if isinstance(given, str) and given:
        return Choice(given)
    if isinstance(given, Mapping):
        path, part, version = given.get("path"), given.get("part", ""), given.get("version", "")
        is_known = isinstance(part, str) and part in _PARTS
        if isinstance(path, str) and path and is_known and isinstance(version, str):
            return Choice(path, _PARTS[part], version)
    raise InvalidParams(
        "paths must hold paths, or objects with path and, if need be, part and version."
    )
