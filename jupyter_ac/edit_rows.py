"""An answer's edits as a front end gets them, in events and in messages.

A span is `[start, end]` in the answer's text, in UTF-16 code units, as a browser counts; the text
itself is never rewritten.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.usage_rows import MessageUsage

EditKind: TypeAlias = Literal["edit", "create", "delete", "rename"]
EditStatus: TypeAlias = Literal[
    "applied",
    "already_applied",
    "failed",
    "skipped",
    "not_in_context",
    "pending",
    "rejected",
    "undone",
    "suggested",
]


class EditPlace(TypedDict):
    """Which block of an answer it is, and where it stands there.

    Attributes:
        index: its number among the blocks of the turn, from 0.
        file: the path as the model wrote it; "" when there was none.
        file_path: the same.
        kind: what it asks for; without old text it makes a file.
        is_create: whether it makes a file.
        new_path: where a renamed file goes; null for other kinds.
        span: all of the block, with its path line and fence.
        old_span: of the old text, whole lines with their ends.
        new_span: of the new text, likewise.
        complete: its closing marker has come; no other block is ever applied.
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
    """A block of an answer, also of one that is still being made."""


class NearPlace(TypedDict):
    """The place in a file that comes closest to what was not found.

    Attributes:
        line: its first line, from 1.
        text: the file's lines there.
    """

    line: int
    text: str


class BlockTexts(TypedDict):
    """The texts of a block; their beginnings, when they are long.

    Attributes:
        old: the lines that it would replace.
        new: the lines in their place.
    """

    old: str
    new: str


class EditResult(EditPlace):
    """What became of a block.

    Attributes:
        status: how it stands; `suggested`: it was written in another format than the one taught,
            and `apply_edits` applies it when it is named, if it has no `error_type`.
        error_type: why it was not applied; "" when it was or still may be.
        message: a sentence for the user; "" when there is nothing to say.
        cause: the likely cause of a miss; "" for none.
        line: the first changed line, from 1; 0 when nothing changed.
        added: lines that came.
        removed: lines that went.
        near: the closest place to what was missed; null for none.
        filter: the filter that may not run, for which the file is not staged; "" for none.
        correctable: only the indentation is off; `apply_edits` with this index applies it shifted.
        notes: sentences about the file, such as that it had changes that were not staged.
        attempt: in which answer of the turn the block stands, from 0.
        withheld: with `not_in_context`: the file was not added to the context, and nothing of it
            was told to the model; only the user may tick it.
        redone: it was not applied, and a later answer of the turn has another block for the file;
            it is not counted.
        redone_by: the index of that block; null for none.
        corrected: with `correctable`, what applying it would replace by what; null for others.
        protected: why its file runs by itself, so that `apply_edits` applies the block only when it
            is named; "" for other files.
        texts: of a block whose lines don't stand as they are in the answer, as in a diff; null for
            others.
        old_preview: the beginning of the old text.
        new_preview: the beginning of the new text.
    """

    status: EditStatus
    error_type: Literal[
        "",
        "anchor_not_found",
        "ambiguous_anchor",
        "file_not_found",
        "write_error",
        "validation_error",
    ]
    message: str
    cause: Literal["", "whitespace", "indentation", "elided_lines", "quotes", "stale", "unknown"]
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
    old_preview: str
    new_preview: str


class Attempt(TypedDict):
    """One answer of a turn: the first, or one to the automatic request for failed edits.

    Attributes:
        text_start: where it begins in the turn's text, in UTF-16 code units.
        text_end: where it ends.
        passed: how many of its blocks were applied.
        failed: how many were not.
        token_usage: null when nothing is known.
        finish_reason: the provider's word for why it ended.
    """

    text_start: int
    text_end: int
    passed: int
    failed: int
    token_usage: MessageUsage | None
    finish_reason: str | None


class MessageEdits(TypedDict):
    """The edits of an answer that is over; absent when it has none.

    Attributes:
        edit_blocks: the complete blocks.
        edit_results: what became of each block; one that was never closed is there as well.
        files_modified: files that its edits have changed, each once.
        attempts: its answers; absent when there is only one.
        retry_prompt: what the user may send for the edits that failed; absent when none did.
        edits_left_out: how many blocks have no row here, since all of them would be too long;
            absent when every one has.
    """

    edit_blocks: NotRequired[list[EditBlockRow]]
    edit_results: NotRequired[list[EditResult]]
    files_modified: NotRequired[list[str]]
    attempts: NotRequired[list[Attempt]]
    retry_prompt: NotRequired[str]
    edits_left_out: NotRequired[int]


class EditsChange(TypedDict):
    """How a turn's edits stand after some were accepted, rejected or taken back.

    Attributes:
        edit_results: all of the turn's.
        files_modified: all files that its edits have changed, each once.
        can_undo: `undo_last_edits` would take back this turn's; `undo_edits` also earlier ones.
    """

    edit_results: list[EditResult]
    files_modified: list[str]
    can_undo: bool


class EditStanding(TypedDict):
    """How an applied edit stands in its file at this moment.

    Attributes:
        index: of its block.
        standing: `applied`: its lines are there as it left them; `undone`: those that it replaced
            are back; `changed`: neither.
        can_undo: it can be taken back without others.
    """

    index: int
    standing: Literal["applied", "undone", "changed"]
    can_undo: bool


class EditsStanding(TypedDict):
    """How the applied edits of a turn stand in the files.

    Attributes:
        request_id: of the turn.
        edits: those of which it can be said.
    """

    request_id: str
    edits: list[EditStanding]


class ProtectedFile(TypedDict):
    """A file that is changed only after a word of its own.

    Attributes:
        file: its path.
        reason: why it runs by itself.
    """

    file: str
    reason: str


class UndoOffer(TypedDict):
    """The edits that `undo_last_edits` would take back.

    Attributes:
        request_id: of their turn.
        files: that they have changed.
    """

    request_id: str
    files: list[str]
