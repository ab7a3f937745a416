"""Files that git does not track, or ignores, or tracks although it would ignore them."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import RepoClient, repo_client, ugly

TRACKED = [".gitignore", "a", "build/kept", "sub/.gitignore", "tracked.log"]
SHOWN = ["new/deep/er/file", "sub/keep.tmp"]
IGNORED = ["x.log", "build/out", "sub/a.tmp", "secret", "global"]


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """Every way to ignore a file, and files that are tracked all the same."""
    folder = ugly(
        tmp_path / "r",
        {
            "a": "text\n",
            ".gitignore": "*.log\nbuild/\n",
            "sub/.gitignore": "*.tmp\n!keep.tmp\n",
        },
    )
    for name in ("tracked.log", "build/kept"):
        folder.write(name, "text\n")
    folder.git("add", "--force", "tracked.log", "build/kept")
    folder.git("commit", "-q", "-m", "tracked although ignored")
    folder.write(".git/info/exclude", "secret\n")
    excludes = tmp_path / "excludes"
    excludes.write_text("global\n")
    folder.git("config", "core.excludesFile", str(excludes))
    for name in (*SHOWN, *IGNORED):
        folder.write(name, "text\n")
    (folder.root / "empty/er").mkdir(parents=True)
    return folder


async def test_every_untracked_file_is_shown_and_no_ignored_one(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        assert await client.lists() == {"untracked": SHOWN}
        assert await client.leaves() == await client.files() == sorted([*TRACKED, *SHOWN])
        assert await client.found("text") == sorted(
            {*TRACKED, *SHOWN} - {".gitignore", "sub/.gitignore"}
        )
        assert await client.call("is_clean") is True
        folder.git("config", "status.showUntrackedFiles", "no")
        assert await client.lists() == {"untracked": SHOWN}


async def test_a_tracked_file_stays_tracked_although_ignored(folder: RepositoryFolder) -> None:
    for name in ("tracked.log", "build/kept"):
        folder.write(name, "changed\n")
    async with repo_client(folder) as client:
        lists = await client.lists()
        assert lists["modified"] == ["build/kept", "tracked.log"]
        assert "+changed" in await client.text("get_unstaged_diff")
        await client.do("stage_files", ["build", "tracked.log"])
        assert (await client.lists())["staged"] == ["build/kept", "tracked.log"]
        await client.do("discard_changes", ["build", "tracked.log"])
        assert await client.lists() == {"untracked": SHOWN}
        assert (folder.root / "build/out").exists()


@pytest.mark.parametrize("path", [*IGNORED, "empty", "nowhere"])
async def test_what_is_ignored_is_not_staged_and_nothing_with_it(
    folder: RepositoryFolder, path: str
) -> None:
    async with repo_client(folder) as client:
        said = await client.refusal("stage_files", ["new", path])
        assert f"{path!r}, or ignores it; nothing was staged" in said
        assert (await client.lists()) == {"untracked": SHOWN}


async def test_staging_all_takes_what_is_shown(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        await client.do("stage_all")
        assert await client.lists() == {"staged": SHOWN}
        await client.do("commit", "new files")
        assert client.status() == []
        await client.do("delete_file", "sub/keep.tmp")
        await client.do("stage_all")
        assert client.status() == ["D  sub/keep.tmp"]


async def test_a_folder_that_git_does_not_know_is_not_thrown_away(
    folder: RepositoryFolder,
) -> None:
    async with repo_client(folder) as client:
        await client.do("discard_changes", ["new", "empty", "build"])
        assert await client.lists() == {"untracked": SHOWN}
        assert (folder.root / "build/out").exists()
        await client.do("discard_changes", SHOWN)
        assert await client.lists() == {}


async def rename(client: RepoClient, old: str, new: str) -> list[str]:
    await client.do("rename_file", old, new)
    return client.status()


async def test_files_move_into_and_out_of_what_is_ignored(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        await client.do("discard_changes", SHOWN)
        assert await rename(client, "x.log", "x.txt") == ["?? x.txt"]
        assert await rename(client, "x.txt", "build/x") == []
        assert await rename(client, "a", "build/a") == ["D  a", "A  build/a"]
        await client.do("rename_directory", "build", "out")
        assert (await client.lists())["untracked"] == ["out/out", "out/x"]
        await client.do("rename_directory", "empty", "full")
        assert (folder.root / "full/er").is_dir()
        assert "is a folder" in await client.refusal("delete_file", "full")
        await client.do("delete_file", "secret")
        assert not (folder.root / "secret").exists()
