"""Files that became links, folders or repositories, and the other way round; changed modes."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import repo_client, ugly


def make(root: Path) -> RepositoryFolder:
    folder = ugly(root, {"file": "1\n2\n", "d/x": "1\n", "d/y": "1\n", "keep": "k\n", "run": "r\n"})
    (folder.root / "link").symlink_to("keep")
    folder.commit("link")
    return folder


def to_link(folder: RepositoryFolder) -> None:
    (folder.root / "file").unlink()
    (folder.root / "file").symlink_to("keep")


def from_link(folder: RepositoryFolder) -> None:
    (folder.root / "link").unlink()
    folder.write("link", "text\n")


def to_folder(folder: RepositoryFolder) -> None:
    (folder.root / "file").unlink()
    folder.write("file/in", "other\n")


def to_file(folder: RepositoryFolder) -> None:
    shutil.rmtree(folder.root / "d")
    folder.write("d", "other\n")


def to_outer_link(folder: RepositoryFolder) -> None:
    shutil.rmtree(folder.root / "d")
    (folder.root / "d").symlink_to("/nowhere")


def to_inner_link(folder: RepositoryFolder) -> None:
    (folder.root / "d").rename(folder.root / "e")
    (folder.root / "d").symlink_to("e")


def to_repository(folder: RepositoryFolder) -> None:
    (folder.root / "file").unlink()
    make_repository(folder.root / "file", {"in": "1\n"})


def to_program(folder: RepositoryFolder) -> None:
    (folder.root / "run").chmod(0o755)


@dataclass(frozen=True)
class Change:
    """A change, the path that it is about, and what each method makes of it."""

    make: Callable[[RepositoryFolder], None]
    path: str
    lists: dict[str, object]
    staged: list[str]
    words: dict[str, str]
    discard: list[str] | None = field(default_factory=list[str])


GONE = {"d/x": "deleted", "d/y": "deleted"}
CHANGES = {
    "file to link": Change(
        to_link, "file", {"modified": ["file"]}, ["T  file"], {"file": "typechange"}
    ),
    "link to file": Change(
        from_link, "link", {"modified": ["link"]}, ["T  link"], {"link": "typechange"}
    ),
    "file to folder": Change(
        to_folder,
        "file",
        {"untracked": ["file/in"], "deleted": ["file"]},
        ["D  file", "A  file/in"],
        {"file": "deleted", "file/in": "added"},
        discard=None,
    ),
    "folder to file": Change(
        to_file,
        "d",
        {"untracked": ["d"], "deleted": ["d/x", "d/y"]},
        ["A  d", "D  d/x", "D  d/y"],
        {"d": "added"} | GONE,
    ),
    "folder to link outside": Change(
        to_outer_link,
        "d",
        {"untracked": ["d"], "deleted": ["d/x", "d/y"]},
        ["A  d", "D  d/x", "D  d/y"],
        {"d": "added"} | GONE,
    ),
    "folder to link inside": Change(
        to_inner_link,
        "d",
        {"untracked": ["d", "e/x", "e/y"], "deleted": ["d/x", "d/y"]},
        ["A  d", "D  d/x", "D  d/y", "?? e/x", "?? e/y"],
        {"d": "added"} | GONE,
        discard=["?? e/x", "?? e/y"],
    ),
    "file to repository": Change(
        to_repository,
        "file",
        {"modified": ["file"]},
        ["T  file"],
        {"file": "typechange"},
        discard=None,
    ),
    "file to program": Change(
        to_program, "run", {"modified": ["run"]}, ["M  run"], {"run": "modified"}
    ),
}


@pytest.fixture(params=CHANGES)
def change(request: pytest.FixtureRequest) -> Change:
    return CHANGES[request.param]


async def test_a_changed_type_is_listed_staged_and_taken_back(
    tmp_path: Path, change: Change
) -> None:
    """Where a folder became a link nothing at all could be staged."""
    folder = make(tmp_path / "r")
    change.make(folder)
    async with repo_client(folder) as client:
        before = client.status()
        assert await client.lists() == change.lists
        assert await client.call("is_clean") is False
        assert await client.text("get_unstaged_diff")
        await client.do("stage_files", [change.path])
        assert client.status() == change.staged
        assert await client.changed() == change.words
        await client.do("unstage_files", [change.path])
        assert client.status() == before
        await client.do("stage_all")
        assert [row for row in client.status() if row[1] != " "] == []
        await client.do("commit", "another type")
        assert await client.lists() == {}


async def test_a_changed_type_is_thrown_away_unless_that_takes_what_git_does_not_know(
    tmp_path: Path, change: Change
) -> None:
    """git removed the untracked files, or the whole repository, that stood in the way."""
    folder = make(tmp_path / "r")
    change.make(folder)
    before = sorted(os.walk(folder.root / change.path))
    async with repo_client(folder) as client:
        if change.discard is None:
            said = await client.refusal("discard_changes", ["keep", change.path])
            assert "'file' is in the way of a file to restore" in said
            assert "is in the way" in await client.refusal("reset_hard")
            assert sorted(os.walk(folder.root / change.path)) == before
        else:
            await client.do("discard_changes", [change.path])
            assert client.status() == change.discard
            assert (folder.root / "d/x").is_file()


async def test_a_change_of_type_that_is_staged_is_thrown_away(
    tmp_path: Path, change: Change
) -> None:
    folder = make(tmp_path / "r")
    change.make(folder)
    async with repo_client(folder) as client:
        await client.do("stage_files", [change.path])
        if change.make is to_repository:
            assert "is in the way" in await client.refusal("discard_changes", [change.path])
        else:
            await client.do("discard_changes", [change.path])
            assert [row for row in client.status() if not row.startswith("?? e/")] == []


async def test_what_has_the_name_of_a_former_folder_is_renamed_alone(tmp_path: Path) -> None:
    """`git mv` was asked to move what git does not track: the index still held files below it."""
    folder = make(tmp_path / "r")
    to_file(folder)
    to_folder(folder)
    async with repo_client(folder) as client:
        await client.do("rename_file", "d", "moved")
        await client.do("rename_directory", "file", "other")
        assert client.status() == [" D d/x", " D d/y", " D file", "?? moved", "?? other/in"]
        await client.do("discard_changes", ["d", "file"])
        assert client.status() == ["?? moved", "?? other/in"]


async def test_an_untracked_file_in_the_way_of_another_one_stays(tmp_path: Path) -> None:
    folder = make(tmp_path / "r")
    to_file(folder)
    async with repo_client(folder) as client:
        assert "'d' is in the way" in await client.refusal("discard_changes", ["d/x"])
        assert "'d' is in the way" in await client.refusal("reset_hard")
        assert (folder.root / "d").read_text() == "other\n"


async def test_a_version_is_read_whatever_stands_there_meanwhile(tmp_path: Path) -> None:
    folder = make(tmp_path / "r")
    to_inner_link(folder)
    to_folder(folder)
    async with repo_client(folder) as client:
        assert await client.text("get_file_content", "d/x", "HEAD") == "1\n"
        assert await client.text("get_file_content", "file", "HEAD") == "1\n2\n"
        assert await client.text("get_file_content", "link", "HEAD") in {"keep", "k\n"}
        assert "not a file" in await client.refusal("get_file_content", "file")


async def test_modes_that_the_user_does_not_track(tmp_path: Path) -> None:
    folder = make(tmp_path / "r")
    folder.git("config", "core.fileMode", "false")
    to_program(folder)
    async with repo_client(folder) as client:
        assert await client.lists() == {}
        assert await client.call("is_clean") is True
        folder.write("run", "changed\n")
        await client.do("stage_all")
        assert folder.git("ls-files", "--stage", "run").startswith("100644")


async def test_a_mode_survives_what_is_done_to_the_file(tmp_path: Path) -> None:
    folder = make(tmp_path / "r")
    to_program(folder)
    folder.commit("program")
    async with repo_client(folder) as client:
        await client.do("write_file", "run", "written\n")
        await client.do("rename_file", "run", "bin/run")
        assert "mode" not in await client.text("get_unstaged_diff")
        await client.do("discard_changes", ["bin/run"])
        assert os.access(folder.root / "run", os.X_OK)
        (folder.root / "run").chmod(0o644)
        assert "old mode 100755\nnew mode 100644\n" in await client.text("get_unstaged_diff")
        await client.do("reset_hard")
        assert os.access(folder.root / "run", os.X_OK)


async def test_links_as_files_where_the_user_has_none(tmp_path: Path) -> None:
    folder = make(tmp_path / "r")
    folder.git("config", "core.symlinks", "false")
    (folder.root / "link").unlink()
    folder.write("link", "keep")
    async with repo_client(folder) as client:
        assert await client.lists() == {}
        folder.write("link", "run")
        await client.do("stage_all")
        assert folder.git("ls-files", "--stage", "link").startswith("120000")


async def test_a_tracked_file_that_became_a_pipe_keeps_nothing_else_from_being_staged(
    tmp_path: Path,
) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    (folder.root / "a").unlink()
    os.mkfifo(folder.root / "a")
    folder.write("b", "2\n")
    folder.write("c", "3\n")
    async with repo_client(folder) as client:
        assert await client.call("stage_all") == {"status": "ok", "left_out": ["a"]}
        assert folder.git("diff", "--cached", "--name-only").split() == ["b", "c"]
        assert "'a' is a pipe" in await client.refusal("stage_files", ["a", "b"])
        await client.do("discard_changes", ["a"])
        assert (folder.root / "a").read_text() == "1\n"
