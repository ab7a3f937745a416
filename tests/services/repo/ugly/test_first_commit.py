"""A repository that has no commit yet, and a branch that has none."""

from pathlib import Path

import pytest

from tests.support.ugly import OK, desk_at, ugly


async def test_of_nothing_every_list_is_empty(tmp_path: Path) -> None:
    async with desk_at(ugly(tmp_path / "r")) as desk:
        assert (await desk.lists(), await desk.leaves()) == ({}, [])
        assert await desk.text("get_flat_file_list") == ""
        assert await desk.call("is_clean") is True
        head = {"branch": "main", "sha": "", "detached": False}
        assert await desk.call("get_current_branch") == head
        assert await desk.call("list_branches") == {"branches": [], "current": "main"}
        graph = await desk.fields("get_commit_graph")
        assert graph == {"commits": [], "branches": [], "has_more": False}
        assert await desk.call("resolve_ref", "HEAD") is None
        for method, *arguments in (
            ("list_all_branches",),
            ("search_commits", "x"),
            ("search_files", "x"),
            ("get_review_changed_files",),
        ):
            assert await desk.call(method, *arguments) == []
        assert await desk.text("get_staged_diff") == await desk.text("get_unstaged_diff") == ""


@pytest.mark.parametrize(
    ("method", "argument", "said"),
    [
        ("reset_hard", None, "no commit yet"),
        ("commit", "message", "Nothing is staged"),
        ("checkout_branch", "main", "no commit yet"),
        ("checkout_branch", "elsewhere", "no commit yet"),
        ("checkout_review_parent", "main", "no commit"),
        ("get_diff_to_branch", "HEAD", "No commit is called 'HEAD'"),
        ("get_commit_log", "HEAD", "No commit is called 'HEAD'"),
        ("get_commit_parent", "HEAD", "No commit is called 'HEAD'"),
        ("get_merge_base", "HEAD", "No commit is called 'HEAD'"),
    ],
)
async def test_what_needs_a_commit_says_so(
    tmp_path: Path, method: str, argument: str | None, said: str
) -> None:
    async with desk_at(ugly(tmp_path / "r")) as desk:
        arguments = () if argument is None else (argument,)
        assert said in await desk.refusal(method, *arguments)


async def test_files_come_go_and_move_before_the_first_commit(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r")
    folder.write("a", "one\n")
    folder.write("d/b", "one\n")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"untracked": ["a", "d/b"]}
        assert await desk.found("one") == ["a", "d/b"]
        assert await desk.call("is_clean") is True
        await desk.do("stage_files", ["a", "d"])
        folder.write("a", "two\n")
        assert await desk.lists() == {"modified": ["a"], "staged": ["a", "d/b"]}
        assert await desk.call("is_clean") is False
        assert await desk.changed() == {"a": "added", "d/b": "added"}
        assert "+one" in await desk.text("get_staged_diff")
        assert "+two" in await desk.text("get_unstaged_diff")
        assert "have changes" in await desk.refusal("checkout_branch", "main")
        await desk.do("unstage_files", ["d/b"])
        await desk.do("rename_file", "a", "c")
        await desk.do("rename_directory", "d", "e")
        assert desk.status() == ["AM c", "?? e/b"]
        await desk.do("stage_all")
        await desk.do("delete_file", "e/b")
        assert await desk.lists() == {"staged": ["c", "e/b"], "deleted": ["e/b"]}
        await desk.do("discard_changes", ["c", "e/b"])
        assert desk.status() == []
        assert not (folder.root / "c").exists()


async def test_the_first_commit_is_made(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r")
    folder.write("a", "one\n")
    async with desk_at(folder) as desk:
        await desk.do("stage_all")
        made = await desk.fields("commit", "first")
        assert made["sha"] == folder.git("rev-parse", "main")
        assert "first commit" in await desk.refusal("get_commit_parent", "HEAD")
        assert await desk.text("get_file_content", "a", "HEAD") == "one\n"


async def test_a_branch_without_a_commit_beside_others(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.git("checkout", "-q", "--orphan", "new")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"staged": ["a", "b"]}
        head = {"branch": "new", "sha": "", "detached": False}
        assert await desk.call("get_current_branch") == head
        assert (await desk.fields("list_branches"))["current"] == "new"
        await desk.do("discard_changes", ["b"])
        assert desk.status() == ["A  a"]
        assert "have changes" in await desk.refusal("checkout_branch", "main")
        await desk.do("commit", "another root")
        switched = await desk.fields("checkout_branch", "main")
        assert switched == OK | {"branch": "main", "sha": folder.git("rev-parse", "main")}
        assert (folder.root / "b").exists()
