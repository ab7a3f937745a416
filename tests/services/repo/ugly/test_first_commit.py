"""A repository that has no commit yet, and a branch that has none."""

from pathlib import Path

import pytest

from tests.support.ugly import OK, repo_client, ugly


async def test_of_nothing_every_list_is_empty(tmp_path: Path) -> None:
    async with repo_client(ugly(tmp_path / "r")) as client:
        assert (await client.lists(), await client.leaves()) == ({}, [])
        assert await client.text("get_flat_file_list") == ""
        assert await client.call("is_clean") is True
        head = {"branch": "main", "sha": "", "detached": False}
        assert await client.call("get_current_branch") == head
        assert await client.call("list_branches") == {"branches": [], "current": "main"}
        graph = await client.fields("get_commit_graph")
        assert graph == {"commits": [], "branches": [], "has_more": False}
        assert await client.call("resolve_ref", "HEAD") is None
        for method, *arguments in (
            ("list_all_branches",),
            ("search_commits", "x"),
            ("search_files", "x"),
            ("get_review_changed_files",),
        ):
            assert await client.call(method, *arguments) == []
        assert await client.text("get_staged_diff") == await client.text("get_unstaged_diff") == ""


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
    async with repo_client(ugly(tmp_path / "r")) as client:
        arguments = () if argument is None else (argument,)
        assert said in await client.refusal(method, *arguments)


async def test_files_come_go_and_move_before_the_first_commit(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r")
    folder.write("a", "one\n")
    folder.write("d/b", "one\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"untracked": ["a", "d/b"]}
        assert await client.found("one") == ["a", "d/b"]
        assert await client.call("is_clean") is True
        await client.do("stage_files", ["a", "d"])
        folder.write("a", "two\n")
        assert await client.lists() == {"modified": ["a"], "staged": ["a", "d/b"]}
        assert await client.call("is_clean") is False
        assert await client.changed() == {"a": "added", "d/b": "added"}
        assert "+one" in await client.text("get_staged_diff")
        assert "+two" in await client.text("get_unstaged_diff")
        assert "have changes" in await client.refusal("checkout_branch", "main")
        await client.do("unstage_files", ["d/b"])
        await client.do("rename_file", "a", "c")
        await client.do("rename_directory", "d", "e")
        assert client.status() == ["AM c", "?? e/b"]
        await client.do("stage_all")
        await client.do("delete_file", "e/b")
        assert await client.lists() == {"staged": ["c", "e/b"], "deleted": ["e/b"]}
        await client.do("discard_changes", ["c", "e/b"])
        assert client.status() == []
        assert not (folder.root / "c").exists()


async def test_the_first_commit_is_made(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r")
    folder.write("a", "one\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        made = await client.fields("commit", "first")
        assert made["sha"] == folder.git("rev-parse", "main")
        assert "first commit" in await client.refusal("get_commit_parent", "HEAD")
        assert await client.text("get_file_content", "a", "HEAD") == "one\n"


async def test_a_branch_without_a_commit_beside_others(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.git("checkout", "-q", "--orphan", "new")
    async with repo_client(folder) as client:
        assert await client.lists() == {"staged": ["a", "b"]}
        head = {"branch": "new", "sha": "", "detached": False}
        assert await client.call("get_current_branch") == head
        assert (await client.fields("list_branches"))["current"] == "new"
        await client.do("discard_changes", ["b"])
        assert client.status() == ["A  a"]
        assert "have changes" in await client.refusal("checkout_branch", "main")
        await client.do("commit", "another root")
        switched = await client.fields("checkout_branch", "main")
        assert switched == OK | {"branch": "main", "sha": folder.git("rev-parse", "main")}
        assert (folder.root / "b").exists()
