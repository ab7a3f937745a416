"""Verifies that the file contents in a diff came from inside the repository.

git opens a file by its whole path, once for its hash and once for its lines, and each time a folder
on the path may have been replaced by a link. So both are compared with the file as this module
opens it, one folder after the other.
"""

import hashlib
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.git.disk_entries import read_entry
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

_MOST_FILES: Final = 1000
"""With more files it is faster to run git again."""

# No line of a file's text begins with "diff" or "index".
_SECTION: Final = re.compile(rb"^diff --", re.MULTILINE)
_SHOWN: Final = re.compile(rb"^index ([^\n]*)\n--- [^\n]*\n\+\+\+ ([^\n]*)(?:\n|\Z)", re.MULTILINE)
_BLOBS: Final = re.compile(rb"[0-9a-f]+\.\.([0-9a-f]+)(?: [0-7]+)?")
_HUNK: Final = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class _Shown:
    """The part of a diff about one file on disk.

    Attributes:
        name: git path.
        blob: the beginning of its content's hash; "" if it has another form.
        hunks: the lines around changes, as git wrote them.
    """

    name: str
    blob: str
    hunks: bytes


def files_in_diff(diff: bytes) -> set[str]:
    """Return the files whose content on disk is part of a diff."""
    return {shown.name for shown in _shown(diff)}


def unverified_files(repository: Repository, diff: bytes, names: Collection[str]) -> list[str]:
    """Return the files for which a diff may contain lines that they don't contain.

    Args:
        repository: the repository.
        diff: git's output, about blobs and files on disk.
        names: result of `files_in_diff`.
    """
    if len(names) > _MOST_FILES:
        return list(names)
    wanted = frozenset(names)
    return [
        shown.name
        for shown in _shown(diff)
        if shown.name in wanted and not _is_own(repository, shown)
    ]


def _shown(diff: bytes) -> Iterator[_Shown]:
    ends = [*(match.start() for match in _SECTION.finditer(diff)), len(diff)]
    for start, end in pairwise(ends):
        match = _SHOWN.search(diff, start, end)
        if match is None or match[2] == b"/dev/null":
            continue
        blobs = _BLOBS.fullmatch(match[1])
        blob = blobs[1].decode("ascii") if blobs else ""
        yield _Shown(name_on_disk(match[2]), blob, diff[match.end() : end])


def name_on_disk(written: bytes) -> str:
    """Return the file named on the new side of a diff (after its prefix); "" for none."""
    if written == b"/dev/null":
        return ""
    name = written.removesuffix(b"\t")
    if name.startswith(b'"'):
        name = name[1:-1].decode("unicode_escape").encode("latin-1", "replace")
    return os.fsdecode(name.removeprefix(b"b/"))


def _is_own(repository: Repository, shown: _Shown) -> bool:
    try:
        data = read_entry(repository, RepoPath(shown.name), MAX_FILE_BYTES).data
    except AcError:
        return False
    # git may have removed carriage returns; the effect of other filters can't be verified.
    return any(
        _has_hash(content, shown.blob) and _has_lines(content, shown.hunks)
        for content in (data, data.replace(b"\r\n", b"\n"))
    )


def _has_hash(content: bytes, blob: str) -> bool:
    if not blob:
        return False
    text = b"blob %d\0" % len(content) + content
    return any(
        new(text, usedforsecurity=False).hexdigest().startswith(blob)
        for new in (hashlib.sha1, hashlib.sha256)
    )


def _has_lines(content: bytes, hunks: bytes) -> bool:
    """Return whether the new side of hunks matches a text line by line."""
    lines = content.split(b"\n")
    at = len(lines)
    for row in hunks.removesuffix(b"\n").split(b"\n"):
        mark = row[:1]
        if mark == b"@":
            hunk = _HUNK.match(row)
            if hunk is None:
                return False
            at = int(hunk[1]) - 1
        elif mark in {b" ", b"+"}:
            if at >= len(lines) or lines[at] != row[1:]:
                return False
            at += 1
        elif mark not in {b"-", b"\\"}:
            return False
    return True
