import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import RefusedPath
from jupyter_ac.git.checkpoints.object_folder import (
    FileVersion,
    ObjectFolder,
    reading_variables,
)
from jupyter_ac.git.verified_entries import blob_name
from jupyter_ac.ids import RepoPath
from tests.support.repositories import git_environment, make_repository


@pytest.fixture
def objects(tmp_path: Path) -> ObjectFolder:
    (tmp_path / "objects").mkdir()
    return ObjectFolder(tmp_path / "objects", "sha1")


def test_git_reads_what_is_written(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    place = tmp_path / 'objects:"of\\ours'
    place.mkdir()
    objects = ObjectFolder(place, "sha1")
    blob = objects.add("blob", b"\r\n\0")
    names = ["x", "x.y", "x-y/z", "caf\udce9/a", "x0"]
    tree = objects.add_tree({RepoPath(name): FileVersion("100755", blob) for name in names})
    environment = git_environment() | reading_variables([tmp_path / "missing", place])

    def git(*words: str) -> bytes:
        command = ["git", *words]
        return subprocess.run(
            command, cwd=folder.root, env=environment, capture_output=True, check=True, timeout=60
        ).stdout

    listed = git("ls-tree", "-r", "-z", "--name-only", tree).split(b"\0")[:-1]
    assert sorted(listed) == sorted(map(os.fsencode, names))
    assert git("cat-file", "blob", f"{tree}:x-y/z") == b"\r\n\0"
    assert git("fsck", "--strict", "--no-dangling", tree) == b""


def test_an_object_is_written_once(tmp_path: Path, objects: ObjectFolder) -> None:
    name = objects.name_of("blob", b"1\n")
    assert not objects.has(name)
    assert objects.add("blob", b"1\n") == name == "d00491fd7e5bb6fa28c517a0bb32b8b506539d4d"
    (place,) = (tmp_path / "objects").glob("??/*")
    found = place.stat()
    assert ObjectFolder(tmp_path / "objects", "sha1").add("blob", b"1\n") == name
    assert place.stat().st_ino == found.st_ino
    assert objects.has(name)


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path, objects: ObjectFolder) -> None:
    name = objects.name_of("blob", b"1\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "objects" / name[:2]).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RefusedPath):
        objects.add("blob", b"1\n")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@given(st.binary(max_size=100))
def test_a_blobs_name_is_that_of_git(data: bytes) -> None:
    sha1 = ObjectFolder(Path("unused"), "sha1").name_of("blob", data)
    sha256 = ObjectFolder(Path("unused"), "sha256").name_of("blob", data)
    assert sha1 == blob_name(data, sha1)
    assert sha256 == blob_name(data, sha256)
    assert (len(sha1), len(sha256)) == (40, 64)
