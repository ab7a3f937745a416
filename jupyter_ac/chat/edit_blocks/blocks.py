"""An edit block as written in an answer, and its outcome: the status, and why it wasn't applied."""

from dataclasses import dataclass
from enum import StrEnum

from jupyter_ac.edit_rows import BlockStatus, DocumentState, ErrorType, MissCause


class BlockKind(StrEnum):
    """The operation that a block asks for; creating a file is an edit without old text."""

    EDIT = "edit"
    DELETE = "delete"
    RENAME = "rename"


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the answer's text, in code points; `end` is exclusive."""

    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class EditBlock:
    """One block of an answer.

    Attributes:
        index: its number among the blocks of the turn, from 0.
        kind: what it asks for.
        path: as the model wrote it; "" when there was none.
        old: the lines that it replaces, without their ends; of a file that a diff deletes, all.
        new: the lines in their place, without their ends; () is no line, ("",) is an empty one.
        new_path: where a renamed file goes; "" for other kinds.
        span: all of it, path line and fence included.
        old_span: the old text, of whole lines with their ends.
        new_span: the new text, likewise.
        is_complete: its closing marker has come; no other block is ever applied.
    """

    index: int
    kind: BlockKind
    path: str
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    new_path: str = ""
    span: Span = Span()
    old_span: Span = Span()
    new_span: Span = Span()
    is_complete: bool = True


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
        document: whether it was made in an open notebook, and saved since; "" for in the file.
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
    document: DocumentState = ""

    @property
    def is_open(self) -> bool:
        """Whether a retry is useful: the model could do better if it knew why the block failed."""
        if self.status is BlockStatus.NOT_IN_CONTEXT:
            return True
        hopeless = {ErrorType.NONE, ErrorType.WRITE_ERROR}
        return self.status is BlockStatus.FAILED and self.error_type not in hopeless
