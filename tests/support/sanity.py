"""Checks the integrity of a repository, and takes comparable snapshots of it."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.support.repositories import RepositoryFolder

_LEFT_BEHIND = ("*.lock", "*.tmp", "tmp_obj_*", "tmp_pack_*")


@dataclass(frozen=True)
class Snapshot:
    """All that a change could change.

    Attributes:
        files: content, or a link's target, and mode by path.
        folders: all of them, empty ones as well.
        index: every entry with its mode and stage.
        refs: where each one points.
        head: the branch, or the commit.
        status: what git says of the files.
    """

    files: dict[str, tuple[bytes, int]]
    folders: frozenset[str]
    index: str
    refs: str
    head: str
    status: str


def snapshot(folder: RepositoryFolder) -> Snapshot:
    """Look at everything."""
    tops = [top for top in folder.root.iterdir() if top.name != ".git"]
    below = [place for top in tops if _is_folder(top) for place in top.rglob("*")]
    places = [place for place in (*tops, *below) if ".git" not in _parts(folder, place)]
    return Snapshot(
        files={_name(folder, place): _file(place) for place in places if not _is_folder(place)},
        folders=frozenset(_name(folder, place) for place in places if _is_folder(place)),
        index=folder.git("ls-files", "--stage", "-z"),
        refs=folder.git("for-each-ref", "--format=%(refname) %(objectname) %(symref)"),
        head=(folder.root / ".git/HEAD").read_text(),
        status=folder.git("status", "--porcelain=v1", "-z", "-uall"),
    )


def require_sane(folder: RepositoryFolder, commits: Iterable[str] = ()) -> None:
    """Nothing is damaged or left behind, the index knows the files, and no commit is lost."""
    said = folder.git("fsck", "--full", "--strict", "--no-dangling")
    assert not said, said
    left = [found for pattern in _LEFT_BEHIND for found in (folder.root / ".git").rglob(pattern)]
    assert [found for found in left if found.parent.name != "locks"] == []
    assert not list(folder.root.rglob(".jupyter_ac-*"))
    require_honest_index(folder)
    reachable = set(folder.git("rev-list", "--all", "HEAD").split())
    assert set(commits) <= reachable


def require_honest_index(folder: RepositoryFolder) -> None:
    """A file that the index takes for unchanged has the content that the index has."""
    changed = set(folder.git("diff-files", "--name-only", "-z").split("\0"))
    for entry in filter(None, folder.git("ls-files", "--stage", "-z").split("\0")):
        about, name = entry.split("\t", 1)
        if name not in changed:
            data, _ = _file(folder.root / name)
            found = hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False)
            assert about.split()[1] == found.hexdigest(), f"the index is wrong about {name}"


def _parts(folder: RepositoryFolder, place: Path) -> tuple[str, ...]:
    return place.relative_to(folder.root).parts


def _name(folder: RepositoryFolder, place: Path) -> str:
    return place.relative_to(folder.root).as_posix()


def _is_folder(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink()


def _file(place: Path) -> tuple[bytes, int]:
    if place.is_symlink():
        return os.fsencode(place.readlink()), 0
    return place.read_bytes(), place.stat().st_mode & 0o777
