import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.git.temp_files import (
    FileMetadata,
    tag_of,
    temp_file,
    temporary_folder,
    without_temp_files,
)

TAG = "0123456789abcdef"
NAME = f".jupyter_ac-{TAG}.tmp"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def dress_of(path: Path) -> FileMetadata:
    with path.open("rb") as file:
        return FileMetadata.of(file.fileno())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_draft_takes_the_place_of_a_file_and_gets_its_mode(tmp_path: Path, folder: int) -> None:
    target = tmp_path / "run.sh"
    target.write_text("old")
    target.chmod(0o751)
    with temp_file(folder, TAG, b"new", like=dress_of(target)) as draft:
        assert names(tmp_path) == [NAME, "run.sh"]
        assert target.read_text() == "old"
        draft.replace("run.sh")
    assert names(tmp_path) == ["run.sh"]
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o751


def test_access_lists_and_other_attributes_go_with_the_file(tmp_path: Path, folder: int) -> None:
    target = tmp_path / "a"
    target.write_text("old")
    try:
        os.setxattr(target, "user.origin", b"x")
    except OSError:
        pytest.skip("a file system without extended attributes")
    with temp_file(folder, TAG, b"new", like=dress_of(target)) as draft:
        draft.replace("a")
    assert (target.read_text(), os.getxattr(target, "user.origin")) == ("new", b"x")
    unheard_of = FileMetadata(target.stat(), {"bogus": b"x"})
    with temp_file(folder, TAG, b"newer", like=unheard_of) as draft:
        draft.replace("a")
    assert (target.read_text(), os.listxattr(target)) == ("newer", [])


def test_a_new_file_gets_the_mode_that_programs_give(tmp_path: Path, folder: int) -> None:
    (tmp_path / "theirs").write_text("")
    with temp_file(folder, TAG, b"") as draft:
        draft.appear_as("ours")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_a_draft_that_is_not_put_in_place_goes(tmp_path: Path, folder: int) -> None:
    with pytest.raises(LookupError), temp_file(folder, TAG, b"new"):
        raise LookupError
    assert names(tmp_path) == []


def test_a_draft_that_was_left_behind_is_no_hindrance(tmp_path: Path, folder: int) -> None:
    (tmp_path / "elsewhere").write_text("safe")
    (tmp_path / NAME).symlink_to("elsewhere")
    with temp_file(folder, TAG, b"new") as draft:
        draft.replace("a")
    assert names(tmp_path) == ["a", "elsewhere"]
    assert (tmp_path / "elsewhere").read_text() == "safe"


def test_a_disk_that_fills_up_leaves_nothing_behind(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space"), temp_file(folder, TAG, b"new"):
        pass
    assert names(tmp_path) == []


@pytest.mark.parametrize("has_links", [True, False])
def test_a_name_that_something_has_is_not_taken(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not has_links:
        monkeypatch.setattr("os.link", refuse)
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "dir").mkdir()
    for taken in ("dangling", "dir"):
        with pytest.raises(FileExistsError), temp_file(folder, TAG, b"new") as draft:
            draft.appear_as(taken)
    with temp_file(folder, TAG, b"new") as draft:
        draft.appear_as("free")
    assert names(tmp_path) == ["dangling", "dir", "free"]
    assert (tmp_path / "free").read_text() == "new"


def test_drafts_are_known_by_their_names() -> None:
    assert tag_of(f"a/b/{NAME}") == TAG
    others = ["a.tmp", ".jupyter_ac-x.tmp", f"{NAME}/x", f"x{NAME}", ""]
    assert [tag_of(other) for other in others] == [None] * 5
    assert without_temp_files(["a", NAME, f"b/{NAME}"]) == ["a"]


@pytest.mark.parametrize(("put", "name"), [("replace", "rename"), ("appear_as", "link")])
def test_a_power_cut_finds_the_content_on_disk_before_the_name(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch, put: str, name: str
) -> None:
    steps: list[str] = []
    place, sync = getattr(os, name), os.fsync

    def placing(*args: object, **kwargs: object) -> None:
        steps.append("place")
        place(*args, **kwargs)

    def syncing(descriptor: int) -> None:
        steps.append("folder" if descriptor == folder else "content")
        sync(descriptor)

    monkeypatch.setattr(f"os.{name}", placing)
    monkeypatch.setattr("os.fsync", syncing)
    with temp_file(folder, TAG, b"new") as draft:
        getattr(draft, put)("a")
    assert steps == ["content", "place", "folder"]
    assert (tmp_path / "a").read_text() == "new"


@pytest.mark.parametrize("depth", [0, 3, 1500])
def test_what_lies_in_it_goes_with_it(tmp_path: Path, depth: int) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/kept").write_text("x")
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        (folder / "link").symlink_to(tmp_path / "outside")
        at = folder
        for _ in range(depth):
            at /= "d"
            at.mkdir()
        (at / "file").write_text("x")
    assert [each.name for each in tmp_path.iterdir()] == ["outside"]
    assert (tmp_path / "outside/kept").read_text() == "x"
