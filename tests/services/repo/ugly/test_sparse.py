"""Files that the index has and the disk has not: sparse checkouts and marked entries."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import repo_client, ugly

OUTSIDE = ["other/e", "out/c", "out/deep/d"]
INSIDE = ["in/a", "in/deep/b", "top"]
KINDS = {
    "by folders": ("--cone",),
    "by patterns": ("--no-cone",),
    "with a sparse index": ("--cone", "--sparse-index"),
}


@pytest.fixture(params=KINDS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> RepositoryFolder:
    """A repository of which only the top and the folder `in` are checked out."""
    folder = ugly(tmp_path / "r", dict.fromkeys([*INSIDE, *OUTSIDE], "1\n"))
    folder.git("branch", "side")
    kind = KINDS[request.param]
    folder.git("sparse-checkout", "init", *kind)
    folder.git("sparse-checkout", "set", *(["in"] if kind[0] == "--cone" else ["/top", "/in/"]))
    return folder


async def test_what_is_left_out_is_neither_shown_nor_missed(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        assert await client.lists() == {}
        assert await client.leaves() == await client.files() == INSIDE
        assert await client.call("is_clean") is True
        assert await client.text("get_staged_diff") == await client.text("get_unstaged_diff") == ""
        assert await client.found("1") == INSIDE
        assert await client.call("file_exists", "out/c") is False
        assert "no file 'out/c'" in await client.refusal("get_file_content", "out/c")
        assert await client.text("get_file_content", "out/c", "HEAD") == "1\n"
        assert "no file" in await client.refusal("rename_file", "other/e", "in/e")
        assert "no file" in await client.refusal("delete_file", "other/e")


@pytest.mark.parametrize("method", ["stage_files", "unstage_files", "discard_changes"])
async def test_what_is_left_out_stays_so(folder: RepositoryFolder, method: str) -> None:
    """Discarding a folder failed where a part of it is left out."""
    folder.write("in/a", "2\n")
    async with repo_client(folder) as client:
        await client.do(method, ["out", "out/c", "in"])
        await client.do("stage_all")
        assert client.status() == ([] if method == "discard_changes" else ["M  in/a"])
        assert not (folder.root / "out").exists()
        assert folder.git("ls-files", "-t", "out") == "S out/c\nS out/deep/d"


async def test_what_we_write_outside_is_a_change_like_any_other(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        await client.do("write_file", "out/c", "ours\n")
        await client.do("write_file", "out/new", "ours\n")
        assert await client.lists() == {"modified": ["out/c"], "untracked": ["out/new"]}
        assert "+ours" in await client.text("get_unstaged_diff")
        await client.do("stage_files", ["out/c", "out/new"])
        assert await client.lists() == {"staged": ["out/c", "out/new"]}
        await client.do("commit", "outside")
        assert client.status() == []
        assert folder.git("show", "HEAD:out/c") == folder.git("show", "HEAD:out/new") == "ours"
        await client.do("write_file", "out/c", "again\n")
        await client.do("discard_changes", ["out"])
        assert client.status() == []
        assert await client.text("get_file_content", "out/c") == "ours\n"


async def test_nothing_is_moved_out_of_sight(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        for method, old, new in (
            ("rename_file", "in/a", "other/a"),
            ("rename_directory", "in/deep", "other/deep"),
        ):
            said = await client.refusal(method, old, new)
            assert f"{new!r} lies outside of the sparse checkout" in said
        assert not (folder.root / "other").exists()
        assert client.status() == []
        await client.do("rename_file", "in/a", "in/deep/a")
        await client.do("reset_hard")
        assert (await client.leaves()) == INSIDE


async def test_branches_and_reviews_stay_sparse(folder: RepositoryFolder) -> None:
    folder.write("in/a", "2\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        await client.do("commit", "second")
        await client.do("checkout_branch", "side")
        begun = await client.fields("checkout_review_parent", "main")
        await client.do("setup_review_soft_reset", begun["branch_tip"], begun["parent_commit"])
        assert await client.changed() == {"in/a": "modified"}
        assert (await client.fields("exit_review_mode"))["branch"] == "side"
        assert await client.leaves() == INSIDE
        assert not (folder.root / "out").exists()


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
async def test_a_file_whose_changes_git_was_told_to_overlook(tmp_path: Path, mark: str) -> None:
    """One such file kept all others from being discarded."""
    folder = ugly(tmp_path / "r", {"kept": "1\n", "other": "1\n"})
    folder.git("update-index", mark, "kept")
    folder.write("kept", "the user's own\n")
    folder.write("other", "2\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["other"]}
        await client.do("stage_files", ["kept", "other"])
        await client.do("stage_all")
        assert await client.lists() == {"staged": ["other"]}
        await client.do("discard_changes", ["kept", "other"])
        assert await client.lists() == {}
        assert (folder.root / "kept").read_text() == "the user's own\n"
        assert await client.text("get_file_content", "kept") == "the user's own\n"
