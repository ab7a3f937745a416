"""A commit is checked out instead of a branch."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import OK, repo_client, ugly

PLACES: dict[str, Callable[[RepositoryFolder], str]] = {
    "at a branch's end": lambda folder: folder.git("rev-parse", "main"),
    "in the middle": lambda folder: folder.git("rev-parse", "main~1"),
    "at a tag": lambda _: "v1",
    "at an annotated tag": lambda _: "v2",
}


def with_tags(root: Path) -> RepositoryFolder:
    folder = ugly(root, {"a": "1\n"})
    for text in ("2\n", "3\n"):
        folder.write("a", text)
        folder.commit(f"text {text.strip()}")
    folder.git("tag", "v1", "main~1")
    folder.git("tag", "-a", "-m", "tag", "v2", "main~2")
    return folder


@pytest.mark.parametrize("place", PLACES)
async def test_a_detached_head_is_no_branch_and_can_be_committed_on(
    tmp_path: Path, place: str
) -> None:
    folder = with_tags(tmp_path / "r")
    folder.git("checkout", "-q", "--detach", PLACES[place](folder))
    before = folder.git("rev-parse", "HEAD")
    async with repo_client(folder) as client:
        head = {"branch": None, "sha": before, "detached": True}
        assert await client.call("get_current_branch") == head
        branches = await client.fields("list_branches")
        assert branches["current"] is None
        assert [row["is_current"] for row in await client.rows("list_all_branches")] == [False]
        assert await client.call("is_clean") is True
        folder.write("a", "detached\n")
        assert await client.lists() == {"modified": ["a"]}
        assert "have changes" in await client.refusal("checkout_branch", "main")
        await client.do("stage_files", ["a"])
        made = await client.fields("commit", "on no branch")
        assert await client.fields("get_commit_parent", "HEAD") == {
            "sha": before,
            "short_sha": folder.git("rev-parse", "--short", before),
        }
        graph = await client.fields("get_commit_graph")
        assert isinstance(graph["commits"], list)
        assert made["sha"] in [commit["sha"] for commit in graph["commits"]]
        assert [row["message"] for row in await client.rows("search_commits", "on no")] == [
            "on no branch"
        ]
        folder.write("a", "thrown away\n")
        await client.do("discard_changes", ["a"])
        assert (folder.root / "a").read_text() == "detached\n"
        tip = folder.git("rev-parse", "main")
        switched = await client.call("checkout_branch", "main")
        assert switched == OK | {"branch": "main", "sha": tip}


async def test_a_review_that_began_detached_ends_at_the_same_commit(tmp_path: Path) -> None:
    folder = with_tags(tmp_path / "r")
    folder.git("checkout", "-q", "--detach", "v2")
    before = folder.git("rev-parse", "HEAD")
    async with repo_client(folder) as client:
        begun = await client.fields("checkout_review_parent", "main")
        assert begun["original_branch"] is None
        await client.do("setup_review_soft_reset", begun["branch_tip"], begun["parent_commit"])
        assert await client.changed() == {"a": "modified"}
        ended = await client.fields("exit_review_mode")
        assert (ended["branch"], ended["sha"]) == (None, before)
