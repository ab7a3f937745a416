"""Wire types of an answer's edits, in events and in messages.

A span is `[start, end]` in the answer's text, in UTF-16 code units, as in a browser; the text
itself is never changed.
"""

from enum import StrEnum
from typing import Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.usage_rows import MessageUsage

EditKind: TypeAlias = Literal["edit", "create", "delete", "rename"]
DocumentState: TypeAlias = Literal["", "unsaved", "saved", "undone"]


class BlockStatus(StrEnum):
    """How a block stands."""

    APPLIED = "applied"
    ALREADY_APPLIED = "already_applied"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_IN_CONTEXT = "not_in_context"
    PENDING = "pending"
    REJECTED = "rejected"
    UNDONE = "undone"
    SUGGESTED = "suggested"


class ErrorType(StrEnum):
    """Why a block was not applied; empty when it was."""

    NONE = ""
    ANCHOR_NOT_FOUND = "anchor_not_found"
    AMBIGUOUS_ANCHOR = "ambiguous_anchor"
    FILE_NOT_FOUND = "file_not_found"
    WRITE_ERROR = "write_error"
    VALIDATION_ERROR = "validation_error"


class MissCause(StrEnum):
    """The likely cause of a miss."""

    NONE = ""
    WHITESPACE = "whitespace"
    INDENTATION = "indentation"
    ELIDED_LINES = "elided_lines"
    QUOTES = "quotes"
    STALE = "stale"
    UNKNOWN = "unknown"


class EditPlace(TypedDict):
    """Identity and position of an edit block in an answer.

    Attributes:
        index: its number among the blocks of the turn, from 0.
        file: the path as the model wrote it; "" if there was none.
        file_path: the same.
        kind: the requested operation; a block without old text creates a file.
        is_create: whether it creates a file.
        new_path: the target of a renamed file; null for other kinds.
        span: of the whole block, with its path line and fence.
        old_span: of the old text, whole lines with their ends.
        new_span: of the new text, likewise.
        complete: its closing marker has been received; no other block is ever applied.
    """

    index: int
    file: str
    file_path: str
    kind: EditKind
    is_create: bool
    new_path: str | None
    span: list[int]
    old_span: list[int]
    new_span: list[int]
    complete: bool


class EditBlockRow(EditPlace):
    """A block of an answer, complete or still being received."""


class NearPlace(TypedDict):
    """The closest match in a file for text that was not found.

    Attributes:
        line: its first line, from 1.
        text: the file's lines there.
    """

    line: int
    text: str


class BlockTexts(TypedDict):
    """The texts of a block, truncated if they are long.

    Attributes:
        old: the lines to replace.
        new: the replacement.
    """

    old: str
    new: str


class EditResult(EditPlace):
    """The result of a block.

    Attributes:
        status: its state; `suggested`: it was written in another format than the requested one, and
            `apply_edits` applies it if it is named, unless it has an `error_type`.
        error_type: why it was not applied; "" if it was, or still may be.
        message: a sentence for the user; "" for none.
        cause: the probable cause of a mismatch; "" for none.
        line: the first changed line, from 1; 0 if nothing changed.
        added: number of added lines.
        removed: number of removed lines.
        near: the closest match of text that was not found; null for none.
        filter: the filter that may not run, so that the file is not staged; "" for none.
        correctable: only the indentation differs; `apply_edits` with this index applies it shifted.
        notes: sentences about the file, for example that it had unstaged changes.
        attempt: index of the turn's answer that contains the block, from 0.
        withheld: with `not_in_context`: the file was not added to the context, and nothing of it
            was sent to the model; only the user may select it.
        redone: it was not applied, and a later answer of the turn has another block for the file;
            it is not counted.
        redone_by: the index of that block; null for none.
        corrected: with `correctable`, the old and new text of applying it; otherwise null.
        protected: why its file is executed automatically, so that `apply_edits` applies the block
            only if it is named; "" for other files.
        texts: for a block whose lines are not literally in the answer, for example in a diff;
            otherwise null.
        document: for an edit that was made in a notebook that is open in a page: `unsaved`, and
            `saved` when the file was saved and staged; `undone` when it was taken back after that,
            so that the file is staged again when it is saved; "" for others.
        old_preview: the beginning of the old text.
        new_preview: the beginning of the new text.
    """

    status: BlockStatus
    error_type: ErrorType
    message: str
    cause: MissCause
    line: int
    added: int
    removed: int
    near: NearPlace | None
    filter: str
    correctable: bool
    notes: list[str]
    attempt: int
    redone: bool
    redone_by: int | None
    corrected: BlockTexts | None
    protected: str
    withheld: bool
    texts: BlockTexts | None
    document: DocumentState
    old_preview: str
    new_preview: str


class Attempt(TypedDict):
    """One answer of a turn: the first, or one to the automatic request for failed edits.

    Attributes:
        text_start: its start in the turn's text, in UTF-16 code units.
        text_end: its end.
        passed: number of applied blocks.
        failed: number of other blocks.
        token_usage: null if unknown.
        finish_reason: the provider's reason for the end.
    """

    text_start: int
    text_end: int
    passed: int
    failed: int
    token_usage: MessageUsage | None
    finish_reason: str | None


class MessageEdits(TypedDict):
    """The edits of a finished answer; absent if it has none.

    Attributes:
        edit_blocks: the complete blocks.
        edit_results: the result of each block, including incomplete ones.
        files_modified: files changed by the edits, each once.
        attempts: its answers; absent if there is only one.
        retry_prompt: a prompt that the user may send for failed edits; absent if none failed.
        edits_left_out: number of blocks without a row here, because all rows would be too long;
            absent if all are here.
    """

    edit_blocks: NotRequired[list[EditBlockRow]]
    edit_results: NotRequired[list[EditResult]]
    files_modified: NotRequired[list[str]]
    attempts: NotRequired[list[Attempt]]
    retry_prompt: NotRequired[str]
    edits_left_out: NotRequired[int]


class EditsChange(TypedDict):
    """A turn's edits after the user accepted, rejected or undid some.

    Attributes:
        edit_results: all results of the turn.
        files_modified: all files changed by its edits, each once.
        can_undo: whether `undo_last_edits` would undo this turn's edits; `undo_edits` also undoes
            earlier ones.
    """

    edit_results: list[EditResult]
    files_modified: list[str]
    can_undo: bool


class EditStanding(TypedDict):
    """The present state of an applied edit in its file.

    Attributes:
        index: of its block.
        standing: `applied`: its lines are unchanged; `undone`: the replaced lines are restored;
            `changed`: neither.
        can_undo: whether it can be undone without others.
    """

    index: int
    standing: Literal["applied", "undone", "changed"]
    can_undo: bool


class EditsStanding(TypedDict):
    """The present state of a turn's applied edits in the files.

    Attributes:
        request_id: of the turn.
        edits: those whose state is known.
    """

    request_id: str
    edits: list[EditStanding]


class ProtectedFile(TypedDict):
    """A file that is changed only with the user's separate consent.

    Attributes:
        file: its path.
        reason: why it is executed automatically.
    """

    file: str
    reason: str


class UndoOffer(TypedDict):
    """The edits that `undo_last_edits` would undo.

    Attributes:
        request_id: of their turn.
        files: the files that they changed.
    """

    request_id: str
    files: list[str]


class KeptFile(TypedDict):
    """A file that an undo has left alone.

    Attributes:
        path: relative to the repository.
        reason: why, as the end of a sentence that begins with the path.
    """

    path: str
    reason: str
