"""The files that a tree shows, folder by folder, as values that share what stays the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from json.encoder import encode_basestring_ascii as quoted
from typing import Final, NamedTuple, TypeAlias

MAX_DEPTH: Final = 100
"""Folders below this level are part of their files' names: encoders limit the nesting."""

MODIFIED: Final = 1
STAGED: Final = 2
UNTRACKED: Final = 4
DELETED: Final = 8
CONFLICTED: Final = 16
BINARY: Final = 32
SUBMODULE: Final = 64
LINK: Final = 128


class TreeEntry(NamedTuple):
    """A file.

    Attributes:
        lines: 0 for binary, deleted and unreadable ones.
        mtime: seconds since 1970; 0 for a deleted one.
        flags: a sum of `MODIFIED` to `LINK`.
        additions: lines gained since the last commit.
        deletions: lines lost since.
    """

    lines: int
    mtime: float
    flags: int
    additions: int = 0
    deletions: int = 0


Packed: TypeAlias = tuple[int, float, int, int, int]
"""An entry as it is kept: a plain tuple of plain values, which the garbage collector passes over.

With as many `TreeEntry` objects, it would scan all objects of the host again and again.
"""


@dataclass(frozen=True, eq=False)
class Folder:
    """The files that lie in a folder itself, by their whole paths; never changed."""

    files: Mapping[str, Packed]

    @cached_property
    def spelt(self) -> str:
        """The files as leaves in JSON, by name, with commas between them."""
        return ",".join([_spell(path, self.files[path]) for path in sorted(self.files)])


EMPTY: Final = Folder({})


def split(path: str) -> tuple[str, str]:
    """Return the folder in which a path is shown, and the name that it has there."""
    if path.count("/") > MAX_DEPTH:
        *folders, name = path.split("/", MAX_DEPTH)
        return "/".join(folders), name
    folder, _, name = path.rpartition("/")
    return folder, name


def refilled(
    filled: Mapping[str, Folder], changes: Iterable[tuple[str, Packed | None]]
) -> dict[str, Folder]:
    """Return the folders after changes; the others stay the same objects.

    Args:
        filled: the folders before.
        changes: files by path, None for one that isn't shown any more.
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


def _spell(path: str, entry: Packed) -> str:
    lines, mtime, flags, _, _ = entry
    binary = "true" if flags & BINARY else "false"
    more = ""
    if flags & (SUBMODULE | LINK):
        more = ',"submodule":true' if flags & SUBMODULE else ',"link":true'
    return (
        f'{{"name":{quoted(split(path)[1])},"path":{quoted(path)},"type":"file",'
        f'"lines":{lines},"mtime":{mtime!r},"is_binary":{binary}{more}}}'
    )
