"""All seven forms of a conflict, and binary files in conflict."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import CONFLICTS, copy_of, in_conflict, repo_client

# What each is when it was staged as it lies on disk, taken back, or thrown away.
STAGED = {"aa": "M ", "du": "A ", "ua": "A ", "uu": "M "}
UNSTAGED = {"aa": " M", "du": "??", "ua": "??", "uu": " M"}


@pytest.fixture(scope="module")
def merging(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    return in_conflict(tmp_path_factory.mktemp("conflicts") / "r")


def text_of(folder: RepositoryFolder, name: str) -> bytes | None:
    place = folder.root / name
    return place.read_bytes() if place.exists() else None


def state(folder: RepositoryFolder, name: str) -> str | None:
    rows = folder.git("status", "--porcelain=v1", "-z", "-uall", "--no-renames").split("\0")
    return next((row[:2] for row in rows if row[3:] == name), None)


async def test_every_form_is_listed_shown_and_readable(merging: RepositoryFolder) -> None:
    async with repo_client(merging) as client:
        assert client.status() == sorted(
            (f"{state} {name}" for name, state in CONFLICTS.items()), key=lambda row: row[3:]
        )
        everything = sorted(CONFLICTS)
        assert await client.lists() == {
            "modified": everything,
            "deleted": ["dd"],
            "conflicted": everything,
            "operation": "merge",
        }
        assert await client.leaves() == sorted([*CONFLICTS, "keep"])
        assert await client.files() == sorted({*CONFLICTS, "keep"} - {"dd"})
        assert await client.call("is_clean") is False
        assert await client.call("is_binary_file", "bin") is True
        assert "binary" in await client.refusal("get_file_content", "bin")
        assert "There is no file 'dd'" in await client.refusal("get_file_content", "dd")
        assert await client.text("get_file_content", "ud") == "main\n"
        assert await client.text("get_file_content", "du") == "side\n"
        assert await client.text("get_file_content", "uu", "HEAD") == "main\n"
        assert await client.text("get_file_content", "uu", "MERGE_HEAD") == "side\n"
        assert await client.found("<<<<<<<") == ["aa", "uu"]


async def test_the_diff_of_a_conflict_shows_both_sides(merging: RepositoryFolder) -> None:
    async with repo_client(merging) as client:
        diff = await client.text("get_unstaged_diff")
        assert "diff --cc uu" in diff
        assert "++<<<<<<< HEAD\n +main\n++=======\n+ side\n++>>>>>>> side\n" in diff
        assert "diff --cc bin\n" in diff
        assert "Binary files differ" in diff
        for name in ("au", "dd", "du", "ua", "ud"):
            assert f"* Unmerged path {name}\n" in diff
        staged = await client.text("get_staged_diff")
        assert staged == "".join(f"* Unmerged path {name}\n" for name in sorted(CONFLICTS))


@pytest.mark.parametrize("name", CONFLICTS)
async def test_a_conflict_is_resolved_by_staging_what_is_there(
    merging: RepositoryFolder, tmp_path: Path, name: str
) -> None:
    """A file that only one side has was left in conflict: it looked unchanged."""
    folder = copy_of(merging, tmp_path / "r")
    before = text_of(folder, name)
    async with repo_client(folder) as client:
        await client.do("stage_files", [name])
        lists = await client.lists()
        assert name not in str(lists["conflicted"])
        assert state(folder, name) == STAGED.get(name)
        assert text_of(folder, name) == before


@pytest.mark.parametrize("name", CONFLICTS)
async def test_a_conflict_is_resolved_by_staging_its_deletion(
    merging: RepositoryFolder, tmp_path: Path, name: str
) -> None:
    folder = copy_of(merging, tmp_path / "r")
    async with repo_client(folder) as client:
        if name == "dd":
            assert "There is no file" in await client.refusal("delete_file", name)
        else:
            await client.do("delete_file", name)
        assert state(folder, name) == CONFLICTS[name]
        await client.do("stage_files", [name])
        assert folder.git("ls-files", "--stage", name) == ""


@pytest.mark.parametrize("name", CONFLICTS)
async def test_unstaging_a_conflict_leaves_the_file_as_it_is(
    merging: RepositoryFolder, tmp_path: Path, name: str
) -> None:
    folder = copy_of(merging, tmp_path / "r")
    before = text_of(folder, name)
    async with repo_client(folder) as client:
        await client.do("unstage_files", [name])
        assert state(folder, name) == UNSTAGED.get(name)
        assert text_of(folder, name) == before


@pytest.mark.parametrize("name", CONFLICTS)
async def test_discarding_a_conflict_takes_our_side(
    merging: RepositoryFolder, tmp_path: Path, name: str
) -> None:
    folder = copy_of(merging, tmp_path / "r")
    ours = {"au", "ud", "aa", "uu", "bin"}
    async with repo_client(folder) as client:
        await client.do("discard_changes", [name])
        assert state(folder, name) is None
        assert (text_of(folder, name) is not None) == (name in ours)
        if name in ours - {"au"}:
            assert text_of(folder, name) in {b"main\n", b"\0main"}


@pytest.mark.parametrize("name", CONFLICTS)
async def test_a_file_in_conflict_is_not_renamed(merging: RepositoryFolder, name: str) -> None:
    async with repo_client(merging) as client:
        said = await client.refusal("rename_file", name, "new/name")
        assert ("in conflict" in said) == (name != "dd")
        assert not (merging.root / "new").exists()
        assert state(merging, name) == CONFLICTS[name]


async def test_all_at_once(merging: RepositoryFolder, tmp_path: Path) -> None:
    names = sorted(CONFLICTS)
    for number, (method, left) in enumerate(
        {"stage_files": STAGED, "unstage_files": UNSTAGED, "discard_changes": {}}.items()
    ):
        async with repo_client(copy_of(merging, tmp_path / str(number))) as client:
            await client.do(method, names)
            assert client.status() == [f"{state} {name}" for name, state in sorted(left.items())]
    async with repo_client(copy_of(merging, tmp_path / "all")) as client:
        await client.do("stage_all")
        assert client.status() == [f"{state} {name}" for name, state in sorted(STAGED.items())]
        await client.do("commit", "all staged")
        assert await client.lists() == {}
    async with repo_client(copy_of(merging, tmp_path / "back")) as client:
        await client.do("reset_hard")
        assert client.status() == []
        assert await client.leaves() == ["aa", "au", "bin", "keep", "ud", "uu"]
