"""An edit block, as written in an answer."""

from dataclasses import dataclass
from enum import StrEnum


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
