"""What `git status` says, as lists of paths.

Reads `--porcelain=v2 -z`: the one form that tells renames, conflicts and odd names apart without
quoting.
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

What is dirty inside a submodule isn't asked: git would start in it under that repository's own
configuration.
"""

_UNTRACKED: Final = "? "


@dataclass(slots=True)
class GitStatus:
    """Paths by what happened to them; one path may be in several lists.

    Attributes:
        modified: changed in the working tree since they were staged, conflicts included.
        staged: changed in the index, both names of a rename included.
        untracked: neither tracked nor ignored, as far as shown; a nested repository without its
            final `/`.
        deleted: gone from the working tree or from the index.
        conflicted: unmerged.
        nested: the untracked ones that are repositories of their own.
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
    """Return the status that the output of `STATUS` describes.

    Args:
        output: of the command.
        is_shown: says of an untracked file whether it is shown; a nested repository ends in `/`.
    """
    status = GitStatus()
    entries = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    for entry in entries:
        if not entry.startswith(_UNTRACKED) or is_shown(entry.removeprefix(_UNTRACKED)):
            _enter(status, entry, entries)
    untracked = set(status.untracked)
    # `git rm --cached` leaves the file: it is there, so it isn't deleted.
    status.deleted = [path for path in dict.fromkeys(status.deleted) if path not in untracked]
    return status


def _enter(status: GitStatus, entry: str, following: Iterator[str]) -> None:
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
