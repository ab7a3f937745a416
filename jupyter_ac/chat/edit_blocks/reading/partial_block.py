"""An edit block while it is being parsed."""

from array import array
from bisect import bisect_left
from collections.abc import Callable
from enum import Enum, auto

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span
from jupyter_ac.chat.edit_blocks.reading.markers import Family


class LineEffect(Enum):
    """The effect of a line on a block that is being parsed."""

    GREW = auto()
    ADVANCED = auto()
    """Its next part has begun."""
    CLOSED = auto()
    LEFT = auto()
    """The line can't belong to it, and the block stays unclosed."""


class _Section:
    """Lines of old or new text."""

    def __init__(self, start: int) -> None:
        self.span = Span(start, start)
        self._lines: list[str] = []
        # Eight bytes a line: an answer may be nothing but line breaks.
        self._starts = array("Q")

    def add(self, line: str, span: Span) -> None:
        self._lines.append(line)
        self._starts.append(span.start)
        self.span = Span(self.span.start, span.end)

    def until(self, end: int) -> tuple[tuple[str, ...], Span]:
        """Return the lines that begin before `end`, and their span."""
        count = bisect_left(self._starts, end)
        return tuple(self._lines[:count]), Span(min(self.span.start, end), min(self.span.end, end))


class PartialBlock:
    """Reads a block line by line, from behind its opening marker.

    Args:
        family: of its opening marker.
        kind: what the marker says.
        path: the path ahead of it.
        span: from the block's beginning to behind the marker.
        read_path: says which path a line names, "" for none.
    """

    def __init__(
        self,
        family: Family,
        kind: BlockKind,
        path: str,
        span: Span,
        read_path: Callable[[str], str],
    ) -> None:
        self.family = family
        self._kind = kind
        self._path = path
        self._start = span.start
        self._read_path = read_path
        self._new_path: str | None = None
        self._old = _Section(span.end)
        self._new: _Section | None = None

    def take(self, line: str, trimmed: str, span: Span) -> LineEffect:
        """Take the next line.

        Args:
            line: without its end.
            trimmed: without the blanks around it.
            span: of the line with its end.
        """
        if self._kind is BlockKind.EDIT:
            return self._take_text(line, trimmed, span)
        return self._take_order(trimmed)

    def block(self, index: int, end: int, *, is_complete: bool) -> EditBlock:
        """Return the block as it is, its span ending at `end`."""
        if self._kind is not BlockKind.EDIT:
            return EditBlock(
                index,
                self._kind,
                self._path,
                new_path=self._new_path or "",
                span=Span(self._start, end),
                is_complete=is_complete,
            )
        old, old_span = self._old.until(end)
        new, new_span = self._new.until(end) if self._new else ((), Span())
        return EditBlock(
            index,
            self._kind,
            self._path,
            old=old,
            new=new,
            span=Span(self._start, end),
            old_span=old_span,
            new_span=new_span,
            is_complete=is_complete,
        )

    def _take_text(self, line: str, trimmed: str, span: Span) -> LineEffect:
        if self._new is None:
            if self.family.is_middle(trimmed):
                self._new = _Section(span.end)
                return LineEffect.ADVANCED
            self._old.add(line, span)
            return LineEffect.GREW
        if trimmed == self.family.close:
            return LineEffect.CLOSED
        self._new.add(line, span)
        return LineEffect.GREW

    def _take_order(self, trimmed: str) -> LineEffect:
        """Take a line of a block without text: a rename has its new path, a removal nothing."""
        if not trimmed:
            return LineEffect.GREW
        if trimmed == self.family.close:
            return LineEffect.CLOSED
        if self._kind is BlockKind.RENAME and self._new_path is None:
            self._new_path = self._read_path(trimmed)
            return LineEffect.ADVANCED
        return LineEffect.LEFT
