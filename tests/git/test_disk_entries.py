"""Entries of the working tree, read and restored byte for byte."""

import os
import stat
from pathlib import Path

import pytest

from jupyter_ac.errors import AlreadyExists, RefusedPath, TooLarge
from jupyter_ac.git.disk_entries import (
    NOTHING,
    DiskEntry,
    move_entry,
    read_entry,
    remove_entry,
    restore_entry,
)
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

TAG = "0123456789abcdef"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = Path(os.path.realpath(tmp_path))
    (root / "d").mkdir()
    (root / "d/a").write_bytes(b"a\r\n\0\xff")
    (root / "d/a").chmod(0o750)
    (root / "link").symlink_to("d/a")
    (root / "folder").symlink_to("d")
    return Repository(root, root / ".git", root / ".git", "r")


def path(name: str) -> RepoPath:
    return RepoPath(name)


def test_a_file_and_a_link_are_read_as_they_are(repository: Repository) -> None:
    found = read_entry(repository, path("d/a"), 100)
    assert (found.data, found.git_mode, found.exists, found.is_link) == (
        b"a\r\n\0\xff",
        "100755",
        True,
        False,
    )
    link = read_entry(repository, path("link"), 100)
    assert (link.data, link.git_mode, link.is_link) == (b"d/a", "120000", True)
    nothing = read_entry(repository, path("no/where"), 100)
    assert nothing == NOTHING
    assert (nothing.sign, nothing.git_mode) == ("", "")
    assert len({found.sign, link.sign, nothing.sign}) == 3


def test_what_is_no_file_or_too_long_or_behind_a_link_is_refused(repository: Repository) -> None:
    os.mkfifo(repository.root / "pipe")
    for name in ("d", "pipe", "folder/a", "d/a/below"):
        with pytest.raises(RefusedPath):
            read_entry(repository, path(name), 100)
    with pytest.raises(TooLarge, match="longer than 2 bytes"):
        read_entry(repository, path("d/a"), 2)


def test_what_was_there_is_put_back_whatever_stands_there(repository: Repository) -> None:
    names = path("d/a"), path("link"), path("new/deep/x")
    was = {name: read_entry(repository, name, 100) for name in names[:2]}
    for name, wanted in ((names[0], was[names[1]]), (names[1], was[names[0]])):
        restore_entry(repository, name, TAG, wanted)
        assert read_entry(repository, name, 100) == wanted
    restore_entry(repository, names[2], TAG, was[names[0]])
    assert stat.S_IMODE((repository.root / names[2]).stat().st_mode) == 0o750
    for name in names[:2]:
        restore_entry(repository, name, TAG, was[name])
        assert read_entry(repository, name, 100) == was[name]
    assert not list(repository.root.rglob(".jupyter_ac-*"))


def test_an_entry_is_taken_away_with_the_folders_that_it_leaves_empty(
    repository: Repository,
) -> None:
    restore_entry(repository, path("x/y/z"), TAG, DiskEntry(b"z", 0o100644))
    remove_entry(repository, path("x/y/z"), path("x"))
    assert (repository.root / "x").is_dir()
    assert not (repository.root / "x/y").exists()
    remove_entry(repository, path("link"))
    assert (repository.root / "d/a").exists()
    remove_entry(repository, path("d/a"))
    remove_entry(repository, path("d/a"))
    assert not (repository.root / "d").exists()


@pytest.mark.parametrize("has_links", [True, False])
def test_an_entry_is_moved_and_never_takes_another_ones_place(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    if not has_links:

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError("no hard links here")

        monkeypatch.setattr(os, "link", refuse)
    was = read_entry(repository, path("d/a"), 100)
    link = read_entry(repository, path("link"), 100)
    move_entry(repository, path("d/a"), path("new/b"))
    assert read_entry(repository, path("new/b"), 100) == was
    assert not (repository.root / "d").exists()
    with pytest.raises(AlreadyExists):
        move_entry(repository, path("new/b"), path("link"))
    assert read_entry(repository, path("link"), 100) == link
    move_entry(repository, path("link"), path("new/link"))
    assert read_entry(repository, path("new/link"), 100) == link
