"""An incremental parser of the edit blocks in an answer.

A block opens, splits and closes with the markers of one family; those of the other are content. An
opening marker of the same family inside a block leaves the first one unclosed and begins another.
Only LF and CRLF end a line. An answer has at most `MAX_BLOCKS` blocks; later markers are plain
text, so that work and result are bounded.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span
from jupyter_ac.chat.edit_blocks.reading.markers import FAMILIES, Family
from jupyter_ac.chat.edit_blocks.reading.partial_block import LineEffect, PartialBlock
from jupyter_ac.chat.edit_blocks.reading.path_line import (
    is_more_than_a_word,
    marked_path,
    mentioned_path,
    path_in_info,
    path_of,
)
from jupyter_ac.chat.edit_blocks.reading.preamble import Preamble

MAX_BLOCKS: Final = 500
"""Blocks of one answer. Large answers of real models have some fifty."""


class EditParser:
    """Takes an answer in pieces, cut anywhere, and tells its blocks so far.

    Args:
        exists: whether there is a file of this name; only asked for a path line with blanks.
        first_index: the number of the first block.
        offset: where this text begins in the turn's answer, in code points.
        families: whose blocks are read.

    Attributes:
        version: goes up when a page should know: a block opened, its next part began, it closed.
        has_more: there was a marker behind the last block that an answer may have; nothing behind
            it is read.
    """

    def __init__(
        self,
        exists: Callable[[str], bool],
        first_index: int = 0,
        offset: int = 0,
        families: Sequence[Family] = FAMILIES,
    ) -> None:
        self.version = 0
        self.has_more = False
        self._openers = {
            line: (family, kind) for family in families for line, kind in family.openers.items()
        }
        self._read_path = partial(path_of, exists=exists)
        self._first_index = first_index
        self._begun_line: list[str] = []
        self._line_start = offset
        self._end = offset
        self._lead = Preamble()
        self._draft: PartialBlock | None = None
        self._content_lead = Preamble(is_content=True)
        self._blocks: list[EditBlock] = []

    @property
    def blocks(self) -> Sequence[EditBlock]:
        """The blocks so far, in order; one that is open is the last, and reaches to the end.

        The spans of parts that haven't begun are empty, at 0.
        """
        if self._draft is None:
            return tuple(self._blocks)
        return (*self._blocks, self._draft.block(self._next_index, self._end, is_complete=False))

    def feed(self, text: str) -> None:
        """Take more text."""
        self._end += len(text)
        if self.has_more:
            return
        at = 0
        while (line_end := text.find("\n", at) + 1) > 0:
            self._begun_line.append(text[at:line_end])
            self._take("".join(self._begun_line))
            self._begun_line.clear()
            at = line_end
        if at < len(text):
            self._begun_line.append(text[at:])

    def finish(self) -> None:
        """There is no more text: a last line without an end counts."""
        if self._begun_line and not self.has_more:
            self._take("".join(self._begun_line))
        self._begun_line.clear()

    @property
    def _next_index(self) -> int:
        return self._first_index + len(self._blocks)

    def _take(self, text: str) -> None:
        """Take a whole line, with its end."""
        start, end = self._line_start, self._line_start + len(text)
        self._line_start = end
        trimmed = text.strip()
        if self.has_more:
            return
        if self._draft is None:
            self._scan(trimmed, start, end)
        elif kind := self._draft.family.openers.get(trimmed):
            self._reopen(self._draft, kind, Span(start, end))
        else:
            line = text[:-1].removesuffix("\r") if text.endswith("\n") else text
            self._read(self._draft, line, trimmed, Span(start, end))

    def _scan(self, trimmed: str, start: int, end: int) -> None:
        """Take a line outside of blocks."""
        if opener := self._openers.get(trimmed):
            if len(self._blocks) < MAX_BLOCKS:
                self._open(*opener, Span(start, end))
            else:
                self.has_more = True
        elif self._lead.see(trimmed, start):
            last = self._blocks[-1]
            self._blocks[-1] = replace(last, span=Span(last.span.start, end))
            self.version += 1

    def _open(self, family: Family, kind: BlockKind, marker: Span) -> int:
        """Begin a block; returns where."""
        line = self._lead.line
        path = self._read_path(line) if line else ""
        in_fence = ""
        if family.is_freely_named:
            path = path or marked_path(line)
            in_fence = path_in_info(self._lead.info)
            if in_fence and not is_more_than_a_word(path):
                path = ""
        start = self._lead.open_block(marker.start, has_path=bool(path))
        if family.is_freely_named:  # a sentence stays in the text
            path = path or in_fence or mentioned_path(line)
        span = Span(start, marker.end)
        self._draft = PartialBlock(family, kind, path, span, self._read_path)
        self._content_lead = Preamble(is_content=True)
        self.version += 1
        return start

    def _reopen(self, unclosed: PartialBlock, kind: BlockKind, marker: Span) -> None:
        """Begin a block inside another, whose last lines may name its file."""
        self._lead = self._content_lead
        index = self._next_index
        start = self._open(unclosed.family, kind, marker)
        self._blocks.append(unclosed.block(index, start, is_complete=False))
        if len(self._blocks) >= MAX_BLOCKS:
            self._draft = None
            self.has_more = True

    def _read(self, draft: PartialBlock, line: str, trimmed: str, span: Span) -> None:
        step = draft.take(line, trimmed, span)
        if step is LineEffect.GREW:
            self._content_lead.see(trimmed, span.start)
            return
        self.version += 1
        if step is LineEffect.ADVANCED:
            self._content_lead = Preamble(is_content=True)
            return
        is_complete = step is LineEffect.CLOSED
        end = span.end if is_complete else span.start
        self._blocks.append(draft.block(self._next_index, end, is_complete=is_complete))
        self._draft = None
        self._lead.close_block()
        if not is_complete:
            self._scan(trimmed, span.start, span.end)


def parse(
    text: str, exists: Callable[[str], bool], first_index: int = 0, offset: int = 0
) -> list[EditBlock]:
    """Return the blocks of a whole answer."""
    parser = EditParser(exists, first_index, offset)
    parser.feed(text)
    parser.finish()
    return list(parser.blocks)
