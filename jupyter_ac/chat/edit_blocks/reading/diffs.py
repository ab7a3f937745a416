"""Finds unified diffs in an answer's prose, as git writes them and as models do, fenced or not.

Each hunk becomes a block of its own: the removed lines, with those around them, and the added
lines. Line numbers are not trusted, since models count badly. Only outside of a code fence, where
nothing else marks the end of a hunk, they give its length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span

_NOTHING: Final = "/dev/null"
_FENCE: Final = re.compile(r"(?P<run>`{3,}|~{3,})[^`]*")
_GIT: Final = re.compile(r"diff --git (?:a/)?(?P<old>\S+) (?:b/)?(?P<new>\S+)")
_HUNK: Final = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@.*", re.DOTALL)
_BARE_HUNK: Final = re.compile(r"@@(?: .{0,200})?", re.DOTALL)
_BETWEEN: Final = (
    *("index ", "old mode ", "new mode ", "new file mode ", "similarity index "),
    *("dissimilarity index ", "copy from ", "copy to "),
)
_LONGEST_PATH: Final = 1000


@dataclass(slots=True)
class _Hunk:
    """Lines of one hunk so far.

    Attributes:
        start: where it begins.
        old_left: lines of the old text that are still to come; None when nothing says so.
        new_left: of the new text, likewise.
    """

    start: int
    old_left: int | None = None
    new_left: int | None = None
    end: int = 0
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    blanks: int = 0

    @property
    def is_full(self) -> bool:
        return self.old_left == 0 and self.new_left == 0

    def take(self, sign: str, text: str, end: int) -> None:
        if sign != "+":
            self.old.append(text)
            self.old_left = self.old_left and self.old_left - 1
        if sign != "-":
            self.new.append(text)
            self.new_left = self.new_left and self.new_left - 1
        self.end = end


@dataclass(slots=True)
class _File:
    """The part of a diff about one file, while it is parsed."""

    start: int
    end: int
    old: str = ""
    new: str = ""
    is_deleted: bool = False
    renamed_from: str = ""
    renamed_to: str = ""
    hunks: list[_Hunk] = field(default_factory=list)

    @property
    def is_named(self) -> bool:
        """Whether hunks may follow."""
        return bool(self.old and self.new)


def diff_groups(text: str, offset: int = 0) -> list[list[EditBlock]]:
    """Return the blocks of the diffs in a text, those that stand together in one list.

    They aren't numbered, and their texts have no spans: they don't stand in the answer as they are.

    Args:
        text: without edit blocks.
        offset: where it begins in the turn's answer, in code points.
    """
    reader = _Reader()
    at = offset
    for line in _lines(text):
        reader.take(line, at, at + len(line))
        at += len(line)
    return reader.finish()


class _Reader:
    """Takes the lines of a text."""

    def __init__(self) -> None:
        self._groups: list[list[EditBlock]] = []
        self._group: list[EditBlock] = []
        self._file: _File | None = None
        self._fence = ""
        self._fence_start = 0
        self._is_mixed = False
        """Something else stands in the fence; cutting it up would break the answer."""

    def take(self, line: str, start: int, end: int) -> None:
        """Take a line with its end."""
        body = line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line
        if self._in_hunk(body, start, end) or self._in_header(body, start, end):
            return
        fence = _FENCE.fullmatch(body.strip())
        self._end_file()
        if fence is not None and self._fence and fence["run"].startswith(self._fence):
            self._end_fence(end)
        elif self._fence:
            self._is_mixed = self._is_mixed or body.strip() != ""
        elif fence is not None:
            self._end_group()
            self._fence, self._fence_start = fence["run"], start
        elif body.strip():
            self._end_group()

    def finish(self) -> list[list[EditBlock]]:
        """There is no more."""
        self._end_file()
        if not self._fence:  # else the code fence is open, and the diff may be, too
            self._end_group()
        return self._groups

    def _in_hunk(self, body: str, start: int, end: int) -> bool:
        """Take a line of the open hunk, or one that opens another; tells whether it is one."""
        file = self._file
        if file is None or not file.is_named:
            return False
        if hunk := _HUNK.fullmatch(body):
            old, new = (int(count) if count is not None else 1 for count in hunk.groups())
            file.hunks.append(_Hunk(start, old, new, end))
            return True
        if _BARE_HUNK.fullmatch(body):
            file.hunks.append(_Hunk(start, end=end))
            return True
        if not file.hunks:
            return False
        return self._grows(file.hunks[-1], body, end)

    def _grows(self, hunk: _Hunk, body: str, end: int) -> bool:
        if body.startswith("\\"):
            hunk.end = end
            return True
        if hunk.is_full and not self._fence:
            return False
        if not body:  # an editor, or a model, has taken the blank away
            hunk.blanks += 1
            return True
        sign = body[0]
        is_header = body.startswith(("--- ", "+++ ")) and (hunk.is_full or hunk.old_left is None)
        if sign not in " +-" or is_header or body.startswith("diff --git "):
            return False
        for _ in range(hunk.blanks):
            hunk.take(" ", "", end)
        hunk.blanks = 0
        hunk.take(sign, body[1:], end)
        return True

    def _in_header(self, body: str, start: int, end: int) -> bool:
        """Take a line that says which file is meant; tells whether it is one."""
        if git := _GIT.fullmatch(body):
            begun = self._begin(start, end)
            begun.old, begun.new = git["old"], git["new"]
            return True
        file = self._file
        if body.startswith("--- "):
            begun = self._begin(start, end) if file is None or file.hunks else file
            begun.old, begun.end = _path(body[4:], "a/"), end
            return True
        if file is None or file.hunks:
            return False
        if body.startswith("+++ "):
            file.new = _path(body[4:], "b/")
        elif body.startswith("rename from "):
            file.renamed_from = body.removeprefix("rename from ")
        elif body.startswith("rename to "):
            file.renamed_to = body.removeprefix("rename to ")
        elif body.startswith("deleted file mode "):
            file.is_deleted = True
        elif not body.startswith(_BETWEEN):
            return False
        file.end = end
        return True

    def _begin(self, start: int, end: int) -> _File:
        self._end_file()
        is_first = self._fence != "" and not self._group
        self._file = _File(self._fence_start if is_first else start, end)
        return self._file

    def _end_file(self) -> None:
        if self._file is not None:
            self._group += _blocks(self._file)
        self._file = None

    def _end_group(self) -> None:
        if self._group and not self._is_mixed:
            self._groups.append(self._group)
        self._group = []

    def _end_fence(self, end: int) -> None:
        """The open fence closes; it belongs to the diff in it."""
        if self._group:
            last = self._group[-1]
            self._group[-1] = replace(last, span=Span(last.span.start, end))
        self._end_group()
        self._fence, self._is_mixed = "", False


def _blocks(file: _File) -> Iterator[EditBlock]:
    """Give the blocks of what a diff says of a file; none when it says nothing that can be done."""
    start = file.start
    is_gone = file.is_deleted or file.new == _NOTHING
    path = file.new if not is_gone else file.old
    if file.renamed_from and file.renamed_to:
        end = file.hunks[0].start if file.hunks else file.end
        yield EditBlock(
            -1, BlockKind.RENAME, file.renamed_from, new_path=file.renamed_to, span=Span(start, end)
        )
        start, path = end, file.renamed_to
    for hunk in file.hunks:
        old, new = tuple(hunk.old), tuple(hunk.new)
        is_whole = is_gone and not new and len(file.hunks) == 1
        if old != new and path != _NOTHING:
            kind = BlockKind.DELETE if is_whole else BlockKind.EDIT
            yield EditBlock(-1, kind, path, old=old, new=new, span=Span(start, hunk.end))
            start = hunk.end
    if is_gone and not file.hunks and path not in {"", _NOTHING}:
        yield EditBlock(-1, BlockKind.DELETE, path, span=Span(start, file.end))


def _path(written: str, prefix: str) -> str:
    """Return a file's name without git's prefix and the time that other programs write behind."""
    name = written.partition("\t")[0].rstrip()
    return name.removeprefix(prefix) if len(name) < _LONGEST_PATH else ""


def _lines(text: str) -> Iterator[str]:
    at = 0
    while (end := text.find("\n", at) + 1) > 0:
        yield text[at:end]
        at = end
    if at < len(text):
        yield text[at:]
