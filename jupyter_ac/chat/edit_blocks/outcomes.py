"""The outcome of an edit block: its status, and why it was not applied."""

from dataclasses import dataclass
from enum import StrEnum

from jupyter_ac.chat.edit_blocks.blocks import EditBlock


class BlockStatus(StrEnum):
    """How a block stands; the words are the wire's."""

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


@dataclass(frozen=True, slots=True)
class Near:
    """The place in the file that comes closest to what was not found.

    Attributes:
        line: its first line, from 1.
        text: the file's lines there, without their ends.
    """

    line: int
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """The outcome of one block.

    Attributes:
        block: which.
        status: how it stands.
        message: a sentence for the user, with the remedy when it failed.
        error_type: why it was not applied.
        cause: of a miss.
        near: the closest place, when something was missed.
        around: the likely places with the lines around them, for who writes the block again.
        correction: the block that would fit, where a miss has no other cause than a uniform shift
            of the indentation; only the user's click applies it.
        is_create: it makes a file.
        line: the first changed line, from 1; 0 when nothing changed.
        added: lines that came.
        removed: lines that went.
        filter: the filter that may not run, for which the file is not staged; "" for none.
        notes: further sentences for the user: what was staged along, what was not.
        protected: why only an acceptance of its own lets the block change its file; "" when any
            does.
        is_withheld: the model is not informed of it, since it is about a file that only the user
            may add to a request.
    """

    block: EditBlock
    status: BlockStatus
    message: str = ""
    error_type: ErrorType = ErrorType.NONE
    cause: MissCause = MissCause.NONE
    near: Near | None = None
    around: tuple[Near, ...] = ()
    correction: EditBlock | None = None
    is_create: bool = False
    line: int = 0
    added: int = 0
    removed: int = 0
    filter: str = ""
    notes: tuple[str, ...] = ()
    protected: str = ""
    is_withheld: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a retry is useful: the model could do better if it knew why the block failed."""
        if self.status is BlockStatus.NOT_IN_CONTEXT:
            return True
        hopeless = {ErrorType.NONE, ErrorType.WRITE_ERROR}
        return self.status is BlockStatus.FAILED and self.error_type not in hopeless
