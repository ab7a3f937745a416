"""Files of a tree by folder, as immutable values that share unchanged folders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from json.encoder import encode_basestring_ascii as quoted
from typing import Final, NamedTuple, TypeAlias

MAX_DEPTH: Final = 100
"""Folders below this level become part of their files' names: JSON encoders limit the nesting."""

MODIFIED: Final = 1
STAGED: Final = 2
UNTRACKED: Final = 4
DELETED: Final = 8
CONFLICTED: Final = 16
BINARY: Final = 32
SUBMODULE: Final = 64
LINK: Final = 128


class TreeEntry(NamedTuple):
    """A file of the tree.

    Attributes:
        lines: 0 for binary, deleted and unreadable files.
        mtime: seconds since 1970; 0 for a deleted file.
        flags: a sum of `MODIFIED` to `LINK`.
        additions: lines added since the last commit.
        deletions: lines deleted since the last commit.
    """

    lines: int
    mtime: float
    flags: int
    additions: int = 0
    deletions: int = 0


Packed: TypeAlias = tuple[int, float, int, int, int]
"""A stored entry: a plain tuple of plain values, which the garbage collector doesn't track.

With as many `TreeEntry` objects, each collection would scan all objects of the host.
"""


@dataclass(frozen=True, eq=False)
class Folder:
    """The files directly in a folder, by their full paths; immutable."""

    files: Mapping[str, Packed]

    @cached_property
    def json(self) -> str:
        """The files as JSON objects, sorted by name, with commas between them."""
        return ",".join([_serialize(path, self.files[path]) for path in sorted(self.files)])


EMPTY: Final = Folder({})


def split(path: str) -> tuple[str, str]:
    """Return the folder in which a path is shown, and its name there."""
    if path.count("/") > MAX_DEPTH:
        *folders, name = path.split("/", MAX_DEPTH)
        return "/".join(folders), name
    folder, _, name = path.rpartition("/")
    return folder, name


def apply_changes(
    filled: Mapping[str, Folder], changes: Iterable[tuple[str, Packed | None]]
) -> dict[str, Folder]:
    """Return the folders after changes; unchanged folders stay the same objects.

    Args:
        filled: the folders before.
        changes: entries by path, None for a removed file.
    """
    touched: dict[str, dict[str, Packed]] = {}
    for path, entry in changes:
        folder = split(path)[0]
        files = touched.get(folder)
        if files is None:
            files = touched[folder] = dict(filled.get(folder, EMPTY).files)
        if entry is None:
            files.pop(path, None)
        else:
            files[path] = entry
    result = dict(filled)
    for folder, files in touched.items():
        if files:
            result[folder] = Folder(files)
        else:
            result.pop(folder, None)
    return result


def _serialize(path: str, entry: Packed) -> str:
    lines, mtime, flags, _, _ = entry
    binary = "true" if flags & BINARY else "false"
    more = ""
    if flags & (SUBMODULE | LINK):
        more = ',"submodule":true' if flags & SUBMODULE else ',"link":true'
    return (
        f'{{"name":{quoted(split(path)[1])},"path":{quoted(path)},"type":"file",'
        f'"lines":{lines},"mtime":{mtime!r},"is_binary":{binary}{more}}}'
    )
