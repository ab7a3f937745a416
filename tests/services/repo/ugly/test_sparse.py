"""Files that the index has and the disk has not: sparse checkouts and marked entries."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import desk_at, ugly

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
    async with desk_at(folder) as desk:
        assert await desk.lists() == {}
        assert await desk.leaves() == await desk.files() == INSIDE
        assert await desk.call("is_clean") is True
        assert await desk.text("get_staged_diff") == await desk.text("get_unstaged_diff") == ""
        assert await desk.found("1") == INSIDE
        assert await desk.call("file_exists", "out/c") is False
        assert "no file 'out/c'" in await desk.refusal("get_file_content", "out/c")
        assert await desk.text("get_file_content", "out/c", "HEAD") == "1\n"
        assert "no file" in await desk.refusal("rename_file", "other/e", "in/e")
        assert "no file" in await desk.refusal("delete_file", "other/e")


@pytest.mark.parametrize("method", ["stage_files", "unstage_files", "discard_changes"])
async def test_what_is_left_out_stays_so(folder: RepositoryFolder, method: str) -> None:
    """Discarding a folder failed where a part of it is left out."""
    folder.write("in/a", "2\n")
    async with desk_at(folder) as desk:
        await desk.do(method, ["out", "out/c", "in"])
        await desk.do("stage_all")
        assert desk.status() == ([] if method == "discard_changes" else ["M  in/a"])
        assert not (folder.root / "out").exists()
        assert folder.git("ls-files", "-t", "out") == "S out/c\nS out/deep/d"


async def test_what_we_write_outside_is_a_change_like_any_other(folder: RepositoryFolder) -> None:
    async with desk_at(folder) as desk:
        await desk.do("write_file", "out/c", "ours\n")
        await desk.do("write_file", "out/new", "ours\n")
        assert await desk.lists() == {"modified": ["out/c"], "untracked": ["out/new"]}
        assert "+ours" in await desk.text("get_unstaged_diff")
        await desk.do("stage_files", ["out/c", "out/new"])
        assert await desk.lists() == {"staged": ["out/c", "out/new"]}
        await desk.do("commit", "outside")
        assert desk.status() == []
        assert folder.git("show", "HEAD:out/c") == folder.git("show", "HEAD:out/new") == "ours"
        await desk.do("write_file", "out/c", "again\n")
        await desk.do("discard_changes", ["out"])
        assert desk.status() == []
        assert await desk.text("get_file_content", "out/c") == "ours\n"


async def test_nothing_is_moved_out_of_sight(folder: RepositoryFolder) -> None:
    async with desk_at(folder) as desk:
        for method, old, new in (
            ("rename_file", "in/a", "other/a"),
            ("rename_directory", "in/deep", "other/deep"),
        ):
            said = await desk.refusal(method, old, new)
            assert f"{new!r} lies outside of the sparse checkout" in said
        assert not (folder.root / "other").exists()
        assert desk.status() == []
        await desk.do("rename_file", "in/a", "in/deep/a")
        await desk.do("reset_hard")
        assert (await desk.leaves()) == INSIDE


async def test_branches_and_reviews_stay_sparse(folder: RepositoryFolder) -> None:
    folder.write("in/a", "2\n")
    async with desk_at(folder) as desk:
        await desk.do("stage_all")
        await desk.do("commit", "second")
        await desk.do("checkout_branch", "side")
        begun = await desk.fields("checkout_review_parent", "main")
        await desk.do("setup_review_soft_reset", begun["branch_tip"], begun["parent_commit"])
        assert await desk.changed() == {"in/a": "modified"}
        assert (await desk.fields("exit_review_mode"))["branch"] == "side"
        assert await desk.leaves() == INSIDE
        assert not (folder.root / "out").exists()


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
async def test_a_file_whose_changes_git_was_told_to_overlook(tmp_path: Path, mark: str) -> None:
    """One such file kept all others from being discarded."""
    folder = ugly(tmp_path / "r", {"kept": "1\n", "other": "1\n"})
    folder.git("update-index", mark, "kept")
    folder.write("kept", "the user's own\n")
    folder.write("other", "2\n")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"modified": ["other"]}
        await desk.do("stage_files", ["kept", "other"])
        await desk.do("stage_all")
        assert await desk.lists() == {"staged": ["other"]}
        await desk.do("discard_changes", ["kept", "other"])
        assert await desk.lists() == {}
        assert (folder.root / "kept").read_text() == "the user's own\n"
        assert await desk.text("get_file_content", "kept") == "the user's own\n"
