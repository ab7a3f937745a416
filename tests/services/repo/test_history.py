from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.history import BranchMethods, CommitHistoryMethods
from tests.support.conformance import refusal_of
from tests.support.repositories import RepositoryFolder, make_repository


async def made(tmp_path: Path) -> tuple[RepositoryFolder, CommitHistoryMethods]:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.commit("second")
    return folder, CommitHistoryMethods(await discover(folder.root))


async def test_a_search_has_the_seeds_shape(tmp_path: Path) -> None:
    folder, part = await made(tmp_path)
    sha = folder.git("rev-parse", "HEAD")
    row = {
        "sha": sha,
        "short_sha": folder.git("rev-parse", "--short", "HEAD"),
        "message": "second",
        "author": "Ada",
        "date": "2023-11-14T22:14:20+00:00",
    }
    assert await part.search_commits("second") == [row]
    assert await part.search_commits("second", "", 5) == [row]
    assert await part.get_commit_log("HEAD~1") == [row]


async def test_the_graph_has_commits_branches_and_whether_there_are_more(tmp_path: Path) -> None:
    folder, part = await made(tmp_path)
    graph = await part.get_commit_graph(1)
    (row,) = graph["commits"]
    assert row["parents"] == [folder.git("rev-parse", "HEAD~1")]
    assert row["relative_date"].endswith("ago")
    assert [branch["name"] for branch in graph["branches"]] == ["main"]
    assert graph["has_more"] is True
    assert (await part.get_commit_graph(1, 1))["has_more"] is False


async def test_slips_about_parents_and_bases_are_results(tmp_path: Path) -> None:
    folder, part = await made(tmp_path)
    first = folder.git("rev-parse", "HEAD~1")
    assert await part.get_commit_parent("HEAD") == {
        "sha": first,
        "short_sha": folder.git("rev-parse", "--short", first),
    }
    assert "no parent" in await refusal_of(part.get_commit_parent, first)
    assert "No commit is called" in await refusal_of(part.get_commit_parent, "nowhere")
    assert "No commit is called" in await refusal_of(part.get_merge_base, "--all")
    assert "names no commit" in await refusal_of(part.get_merge_base, ":/first")
    folder.git("checkout", "-q", "--orphan", "island")
    folder.commit("on an island")
    assert "no commit in common" in await refusal_of(part.get_merge_base, "island", "main")
    assert "no commit in common" in await refusal_of(part.get_merge_base, "island")


async def test_a_ref_is_resolved_to_a_hash_or_null(tmp_path: Path) -> None:
    folder, part = await made(tmp_path)
    folder.git("tag", "-a", "v1", "-m", "an annotated tag")
    sha = folder.git("rev-parse", "HEAD")
    assert await part.resolve_ref("v1") == sha
    assert await part.resolve_ref(" ") is None
    assert await part.resolve_ref("-x") is None
    assert await part.resolve_ref("nowhere") is None


async def test_bad_arguments_are_errors(tmp_path: Path) -> None:
    _, part = await made(tmp_path)
    with pytest.raises(NotFound):
        await part.get_commit_log("nowhere")
    with pytest.raises(InvalidParams, match="`offset`"):
        await part.get_commit_graph(1, -1)
    with pytest.raises(InvalidParams, match="`limit`"):
        await part.get_commit_graph(-1)


async def test_the_branch_has_the_seeds_shape(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = BranchMethods(await discover(folder.root))
    sha = folder.git("rev-parse", "HEAD")
    assert await part.get_current_branch() == {"branch": "main", "sha": sha, "detached": False}
    folder.git("checkout", "-q", "--detach")
    assert await part.get_current_branch() == {"branch": None, "sha": sha, "detached": True}


async def test_cleanness_is_true_or_false(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = BranchMethods(await discover(folder.root))
    assert await part.is_clean() is True
    folder.write("a", "changed\n")
    assert await part.is_clean() is False


async def test_the_branches_and_which_is_current(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.git("branch", "side")
    part = BranchMethods(await discover(folder.root))
    listed = await part.list_branches()
    assert listed["current"] == "main"
    assert listed["branches"] == await part.list_all_branches()
    sha = folder.git("rev-parse", "HEAD")
    assert listed["branches"][1] == {
        "name": "side",
        "sha": sha,
        "message": "first",
        "is_current": False,
        "is_remote": False,
    }
    folder.git("checkout", "-q", "--detach")
    assert (await part.list_branches())["current"] is None
