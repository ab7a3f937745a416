"""Clones that have not everything: partial and shallow ones, and borrowed objects."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import clone, repo_client, ugly


@pytest.fixture
def source(tmp_path: Path) -> RepositoryFolder:
    """Three commits, and a branch at the first one."""
    folder = ugly(tmp_path / "source", {"a": "1\n"})
    folder.git("branch", "side")
    for text in ("2\n", "3\n"):
        folder.write("a", text)
        folder.commit(f"text {text.strip()}")
    folder.git("config", "uploadpack.allowFilter", "true")
    folder.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return folder


@pytest.mark.parametrize("filtered", ["blob:none", "tree:0"])
async def test_reading_a_partial_clone_fetches_nothing(
    source: RepositoryFolder, tmp_path: Path, filtered: str
) -> None:
    folder = clone(source, tmp_path / "r", f"--filter={filtered}")
    fetched = tmp_path / "fetched"
    upload = tmp_path / "upload"
    upload.write_text(f'#!/bin/sh\ntouch {fetched}\nexec git-upload-pack "$@"\n')
    upload.chmod(0o755)
    folder.git("config", "remote.origin.uploadpack", str(upload))
    folder.write("a", "4\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["a"]}
        assert "-3\n+4\n" in await client.text("get_unstaged_diff")
        assert len(await client.rows("search_commits", "text")) == 2
        assert (await client.fields("get_commit_graph"))["has_more"] is False
        assert await client.found("4") == ["a"]
        for method, *arguments in (
            ("get_file_content", "a", "HEAD~1"),
            ("get_diff_to_branch", "HEAD~1"),
        ):
            assert "partial" in await client.refusal(method, *arguments)
        await client.do("stage_all")
        assert await client.changed() == {"a": "modified"}
        assert not fetched.exists()
        await client.do("discard_changes", ["a"])
        await client.do("checkout_branch", "origin/side")
        assert fetched.exists()
        assert await client.text("get_file_content", "a") == "1\n"


async def test_a_shallow_clone_ends_where_it_ends(source: RepositoryFolder, tmp_path: Path) -> None:
    folder = clone(source, tmp_path / "r", "--depth=1")
    folder.write("a", "4\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["a"]}
        graph = await client.fields("get_commit_graph")
        assert isinstance(graph["commits"], list)
        assert [commit["parents"] for commit in graph["commits"]] == [[]]
        assert "no parent" in await client.refusal("get_commit_parent", "HEAD")
        assert [row["message"] for row in await client.rows("search_commits", "text")] == ["text 3"]
        await client.do("stage_all")
        await client.do("commit", "on top")
        assert folder.git("rev-list", "--count", "HEAD") == "2"


async def test_objects_that_another_repository_lends(
    source: RepositoryFolder, tmp_path: Path
) -> None:
    """Without them the repository looked as if it had no commit yet."""
    folder = clone(source, tmp_path / "r")
    folder.write(".git/objects/info/alternates", f"{source.root}/.git/objects\n")
    folder.git("repack", "-adlq")
    async with repo_client(folder) as client:
        assert await client.lists() == {}
        source.root.rename(tmp_path / "away")
        for method, *arguments in (
            ("get_current_branch",),
            ("is_clean",),
            ("get_commit_graph",),
            ("reset_hard",),
            ("discard_changes", ["a"]),
        ):
            said = await client.refusal(method, *arguments)
            assert "bad object HEAD" in said or "missing object" in said
        assert (folder.root / "a").read_text() == "3\n"
        (tmp_path / "away").rename(source.root)
        assert await client.text("get_file_content", "a", "HEAD~1") == "2\n"
        assert await client.lists() == {}
