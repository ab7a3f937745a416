"""Hundreds of branches, names that mean two things, and branches of remotes."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import OK, clone, repo_client, ugly

MANY = 300


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    folder.git("branch", "side")
    folder.write("a", "2\n")
    folder.commit("second")
    return folder


async def test_hundreds_of_branches(folder: RepositoryFolder) -> None:
    head = folder.git("rev-parse", "HEAD")
    packed = folder.root / ".git/packed-refs"
    names = [
        f"refs/{kind}/b{number:03}" for kind in ("heads/team", "tags") for number in range(MANY)
    ]
    packed.write_text("".join(f"{head} {name}\n" for name in sorted(names)))
    async with repo_client(folder) as client:
        listed = await client.fields("list_branches")
        assert isinstance(listed["branches"], list)
        assert len(listed["branches"]) == MANY + 2
        assert len(await client.rows("list_all_branches")) == MANY + 2
        await client.do("checkout_branch", "team/b007")
        assert (await client.fields("get_current_branch"))["branch"] == "team/b007"
        assert "no branch 'b007'" in await client.refusal("checkout_branch", "b007")


async def test_a_branch_and_a_tag_of_one_name(folder: RepositoryFolder) -> None:
    folder.git("tag", "side", "main")
    folder.git("tag", "main", "side~0")
    tip = folder.git("rev-parse", "refs/heads/main")
    async with repo_client(folder) as client:
        switched = await client.fields("checkout_branch", "side")
        assert switched["sha"] == folder.git("rev-parse", "refs/heads/side")
        assert (await client.fields("get_current_branch"))["branch"] == "side"
        assert await client.fields("checkout_branch", "main") == OK | {"branch": "main", "sha": tip}
        assert (await client.fields("list_branches"))["current"] == "main"


async def test_a_branch_of_a_remote_becomes_a_local_one(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    far = clone(folder, tmp_path / "far")
    far.git("branch", "origin/side", "main")
    far.git("tag", "side", "main")
    far.git("config", "branch.autoSetupMerge", "false")
    tip = folder.git("rev-parse", "side")
    async with repo_client(far) as client:
        far.git("branch", "-D", "-q", "origin/side")
        switched = await client.fields("checkout_branch", "origin/side")
        assert switched == OK | {"branch": "side", "sha": tip}
        assert far.git("rev-parse", "--symbolic-full-name", "@{upstream}") == (
            "refs/remotes/origin/side"
        )
        await client.do("checkout_branch", "main")
        assert await client.fields("checkout_branch", "origin/side") == switched


async def test_a_branch_of_a_remote_that_is_no_longer_configured(
    folder: RepositoryFolder,
) -> None:
    """git can't track such a branch, and refused to check it out."""
    folder.git("update-ref", "refs/remotes/gone/topic", "side")
    async with repo_client(folder) as client:
        switched = await client.fields("checkout_branch", "gone/topic")
        assert switched == OK | {"branch": "topic", "sha": folder.git("rev-parse", "side")}


async def test_an_untracked_file_in_the_way_of_a_branch_stays(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "side")
    folder.write("new", "1\n")
    folder.commit("new")
    folder.git("checkout", "-q", "main")
    folder.write("new", "mine\n")
    async with repo_client(folder) as client:
        assert "overwritten" in await client.refusal("checkout_branch", "side")
        assert (folder.root / "new").read_text() == "mine\n"
        assert (await client.fields("get_current_branch"))["branch"] == "main"
