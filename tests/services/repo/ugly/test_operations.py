"""A merge, rebase, cherry-pick, revert, bisect or am under way, and its end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import RepoClient, branch_off, repo_client, ugly

GRACE = "Grace <grace@example.org>"


def merge(folder: RepositoryFolder) -> None:
    folder.git("merge", "side", ok=(1,))


def rebase(folder: RepositoryFolder, *options: str) -> None:
    folder.git("checkout", "-q", "side")
    folder.git("rebase", *options, "main", ok=(1,))


def pick_one(folder: RepositoryFolder) -> None:
    folder.git("cherry-pick", "side~1", ok=(1,))


def pick_two(folder: RepositoryFolder) -> None:
    folder.git("cherry-pick", "side~1", "side", ok=(1,))


def revert(folder: RepositoryFolder) -> None:
    folder.write("a", "later\n")
    folder.commit("later")
    folder.git("revert", "--no-edit", "main~1", ok=(1,))


def mail(folder: RepositoryFolder, *options: str) -> None:
    folder.git("format-patch", "-q", "-1", "side~1", "-o", ".git/patches")
    folder.git("am", *options, ".git/patches/0001-side-1.patch", ok=(128,))


CONFLICTS: dict[str, tuple[Callable[[RepositoryFolder], None], str]] = {
    "merge": (merge, "merge"),
    "rebase": (rebase, "rebase"),
    "rebase by patches": (lambda folder: rebase(folder, "--apply"), "rebase"),
    "cherry-pick": (pick_one, "cherry-pick"),
    "cherry-pick of two": (pick_two, "cherry-pick"),
    "revert": (revert, "revert"),
    "am": (lambda folder: mail(folder, "-3"), "am"),
}


def stopped(root: Path, kind: str) -> RepositoryFolder:
    folder = ugly(root, {"a": "1\n"})
    branch_off(folder)
    CONFLICTS[kind][0](folder)
    return folder


async def resolve(client: RepoClient) -> None:
    client.folder.write("a", "both\n")
    await client.do("stage_files", ["a"])
    assert "conflicted" not in await client.lists()


@pytest.mark.parametrize("kind", CONFLICTS)
async def test_in_the_middle_of_something_files_are_mended_and_nothing_else(
    tmp_path: Path, kind: str
) -> None:
    folder = stopped(tmp_path / "r", kind)
    before = folder.git("rev-parse", "HEAD")
    async with repo_client(folder) as client:
        lists = await client.lists()
        assert lists["operation"] == CONFLICTS[kind][1]
        assert (lists["conflicted"], lists["modified"]) == (["a"], ["a"])
        assert await client.call("is_clean") is False
        assert (await client.fields("get_current_branch"))["sha"] == before
        assert "++<<<<<<<" in await client.text("get_unstaged_diff")
        assert "* Unmerged path a" in await client.text("get_staged_diff")
        for method in ("checkout_branch", "checkout_review_parent"):
            assert f"{CONFLICTS[kind][1]} is in progress" in await client.refusal(method, "side")
        assert "<<<<<<<" in await client.text("get_file_content", "a")
        assert await client.text("get_file_content", "a", "HEAD") in {"main\n", "later\n"}
        assert await client.refusal("commit", "too early")
        assert "in conflict" in await client.refusal("rename_file", "a", "b")
        assert folder.git("rev-parse", "HEAD") == before
        await resolve(client)
        assert (await client.lists())["operation"] == CONFLICTS[kind][1]


async def test_a_merge_is_ended_by_a_commit_with_both_parents(tmp_path: Path) -> None:
    folder = stopped(tmp_path / "r", "merge")
    parents = folder.git("rev-parse", "main"), folder.git("rev-parse", "side")
    suggested = folder.root / ".git/MERGE_MSG"
    async with repo_client(folder) as client:
        assert "in conflict" in await client.refusal("commit", "too early")
        assert suggested.read_text().startswith("Merge branch 'side'")
        await resolve(client)
        await client.do("commit", "together")
        assert folder.git("log", "-1", "--format=%P|%s") == f"{' '.join(parents)}|together"
        assert await client.lists() == {}
        assert (await client.fields("get_commit_parent", "HEAD"))["sha"] == parents[0]


async def test_a_merge_without_any_change_is_committed_too(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    branch_off(folder)
    folder.git("merge", "--no-commit", "--no-ff", "-s", "ours", "side")
    async with repo_client(folder) as client:
        assert await client.lists() == {"operation": "merge"}
        assert "merge is in progress" in await client.refusal("checkout_branch", "side")
        await client.do("commit", "ours")
        assert len(folder.git("log", "-1", "--format=%P").split()) == 2


@pytest.mark.parametrize("kind", ["merge", "cherry-pick", "revert"])
async def test_going_back_to_the_last_commit_ends_it(tmp_path: Path, kind: str) -> None:
    folder = stopped(tmp_path / "r", kind)
    async with repo_client(folder) as client:
        await client.do("reset_hard")
        assert await client.lists() == {}
        assert await client.call("is_clean") is True


async def test_going_back_to_the_last_commit_leaves_a_rebase_under_way(tmp_path: Path) -> None:
    folder = stopped(tmp_path / "r", "rebase")
    async with repo_client(folder) as client:
        await client.do("reset_hard")
        assert await client.lists() == {"operation": "rebase"}
        folder.git("rebase", "--abort")
        assert await client.lists() == {}


@pytest.mark.parametrize("kind", ["rebase", "cherry-pick"])
async def test_a_commit_of_what_is_picked_keeps_its_author(tmp_path: Path, kind: str) -> None:
    folder = stopped(tmp_path / "r", kind)
    async with repo_client(folder) as client:
        await resolve(client)
        await client.do("commit", "mended")
        assert folder.git("log", "-1", "--format=%an <%ae>|%s") == f"{GRACE}|mended"
        if kind == "rebase":
            assert (await client.lists())["operation"] == "rebase"
            folder.git("-c", "core.editor=true", "rebase", "--continue")
            subjects = folder.git("log", "-3", "--format=%s").split("\n")
            assert subjects == ["side 2", "mended", "main"]
        assert await client.lists() == {}


@pytest.mark.parametrize("kind", ["am", "rebase by patches"])
async def test_the_commit_of_a_patch_is_left_to_git_so_that_its_author_stays(
    tmp_path: Path, kind: str
) -> None:
    folder = stopped(tmp_path / "r", kind)
    command = CONFLICTS[kind][1]
    async with repo_client(folder) as client:
        await resolve(client)
        assert f"git {command} --continue" in await client.refusal("commit", "mended")
        folder.git("-c", "core.editor=true", command, "--continue")
        assert folder.git("log", "-1", "--format=%an <%ae>") == GRACE
        assert await client.lists() == {}


async def test_a_patch_that_does_not_apply_at_all_is_no_rebase(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    branch_off(folder)
    mail(folder)
    async with repo_client(folder) as client:
        assert await client.lists() == {"operation": "am"}
        assert "am is in progress" in await client.refusal("checkout_branch", "side")


async def test_between_two_picks_it_is_still_a_cherry_pick(tmp_path: Path) -> None:
    folder = stopped(tmp_path / "r", "cherry-pick of two")
    async with repo_client(folder) as client:
        await resolve(client)
        await client.do("commit", "the first of two")
        assert await client.lists() == {"operation": "cherry-pick"}
        assert "cherry-pick is in progress" in await client.refusal("checkout_branch", "side")
        folder.git("cherry-pick", "--continue")
        assert folder.git("log", "-1", "--format=%s") == "side 2"
        assert await client.lists() == {}


async def test_a_rebase_that_stops_to_edit_takes_commits(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    branch_off(folder)
    folder.git("checkout", "-q", "side")
    folder.git("-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-q", "-i", "HEAD~2")
    async with repo_client(folder) as client:
        assert await client.lists() == {"operation": "rebase"}
        assert await client.call("is_clean") is True
        assert "Nothing is staged" in await client.refusal("commit", "nothing")
        folder.write("a", "split\n")
        await client.do("stage_all")
        await client.do("commit", "split off")
        folder.git("rebase", "--continue")
        assert folder.git("log", "-3", "--format=%s").split("\n") == [
            "side 2",
            "split off",
            "side 1",
        ]
        assert (await client.fields("get_current_branch"))["branch"] == "side"


async def test_a_bisect_shows_and_keeps_branches_where_they_are(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    for number in range(4):
        folder.write("a", f"{number}\n")
        folder.commit()
    folder.git("bisect", "start", "main", "main~4")
    async with repo_client(folder) as client:
        assert await client.lists() == {"operation": "bisect"}
        assert (await client.fields("get_current_branch"))["detached"] is True
        assert "bisect is in progress" in await client.refusal("checkout_branch", "main")
        assert "bisect is in progress" in await client.refusal("checkout_review_parent", "main")
        folder.git("bisect", "reset")
        assert await client.lists() == {}


async def test_a_stash_that_conflicts_is_mended_like_a_merge(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "stashed\n")
    folder.git("stash")
    folder.write("a", "committed\n")
    folder.commit()
    folder.git("stash", "pop", ok=(1,))
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["a"], "conflicted": ["a"]}
        assert "have changes" in await client.refusal("checkout_review_parent", "main")
        await resolve(client)
        await client.do("commit", "mended")
        assert folder.git("stash", "list").count("\n") == 0
        assert "WIP" in folder.git("stash", "list")
        assert await client.rows("search_commits", "WIP") == []
