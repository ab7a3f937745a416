"""Parses `git status --porcelain=v2 -z` to lists of paths.

This is the only format that distinguishes renames, conflicts and unusual names without quoting.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

STATUS: Final = (
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
    "--find-renames",
)
"""The command whose output `parse` reads.

Changes inside a submodule are not requested: git would start in it with that repository's own
configuration.
"""

_UNTRACKED: Final = "? "


@dataclass(slots=True)
class GitStatus:
    """Paths by kind of change; one path may be in several lists.

    Attributes:
        modified: changed in the working tree since they were staged, conflicts included.
        staged: changed in the index, both names of a rename included.
        untracked: neither tracked nor ignored, if shown; a nested repository without the final `/`.
        deleted: missing in the working tree or in the index.
        conflicted: unmerged.
        nested: the untracked ones that are repositories.
    """

    modified: list[str] = field(default_factory=list)
    staged: list[str] = field(default_factory=list)
    untracked: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    conflicted: list[str] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)


def _always(_path: str) -> bool:
    return True


def parse(output: bytes, is_shown: Callable[[str], bool] = _always) -> GitStatus:
    """Parse the output of `STATUS`.

    Args:
        output: of the command.
        is_shown: filter for untracked files; the path of a nested repository ends in `/`.
    """
    status = GitStatus()
    entries = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    for entry in entries:
        if not entry.startswith(_UNTRACKED) or is_shown(entry.removeprefix(_UNTRACKED)):
            _add(status, entry, entries)
    untracked = set(status.untracked)
    # `git rm --cached` leaves the file on disk, so it isn't deleted.
    status.deleted = [path for path in dict.fromkeys(status.deleted) if path not in untracked]
    return status


def _add(status: GitStatus, entry: str, following: Iterator[str]) -> None:
    kind, _, rest = entry.partition(" ")
    if kind == "?":
        path = rest.removesuffix("/")
        status.untracked.append(path)
        if path != rest:
            status.nested.append(path)
    elif kind == "1":
        *_, path = rest.split(" ", 7)
        _classify(status, rest[:2], path)
    elif kind == "2":
        *_, path = rest.split(" ", 8)
        _rename(status, rest[:2], path, next(following, ""))
    elif kind == "u":
        *_, path = rest.split(" ", 9)
        status.conflicted.append(path)
        status.modified.append(path)


def _classify(status: GitStatus, letters: str, path: str) -> None:
    index, tree = letters[0], letters[1]
    if index in "MADT":
        status.staged.append(path)
    if tree in "MTA":  # A: `git add --intent-to-add`
        status.modified.append(path)
    if index == "D" or tree == "D":
        status.deleted.append(path)


def _rename(status: GitStatus, letters: str, path: str, old: str) -> None:
    index, tree = letters[0], letters[1]
    if index in "RC":
        status.staged += [old, path]
    if tree in "MT":
        status.modified.append(path)
    elif tree == "D":
        status.deleted.append(path)
    elif tree in "RC":
        status.modified.append(path)
        if tree == "R":
            status.deleted.append(old)
