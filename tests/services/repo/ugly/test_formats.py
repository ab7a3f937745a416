"""Repositories whose objects, index or references are stored in another way."""

import subprocess
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import RepoClient, repo_client, ugly, with_user

CONFIGURATIONS = [
    "core.splitIndex=true",
    "core.untrackedCache=true",
    "index.version=4",
    "feature.manyFiles=true",
    "index.sparse=true",
    "core.preloadIndex=false",
    "core.ignoreCase=true",
    "core.trustctime=false",
    "core.checkStat=minimal",
]


async def work(client: RepoClient) -> None:
    """Do with two files what a day's work does."""
    folder = client.folder
    folder.write("a", "2\n")
    folder.write("new", "1\n")
    assert await client.lists() == {"modified": ["a"], "untracked": ["new"]}
    assert "-1\n+2\n" in await client.text("get_unstaged_diff")
    await client.do("stage_files", ["a"])
    assert await client.lists() == {"staged": ["a"], "untracked": ["new"]}
    await client.do("unstage_files", ["a"])
    await client.do("stage_all")
    assert await client.changed() == {"a": "modified", "new": "added"}
    made = await client.fields("commit", "second")
    sha = str(made["sha"])
    assert sha == folder.git("rev-parse", "HEAD")
    assert await client.call("resolve_ref", sha[:12]) == sha
    assert [row["sha"] for row in await client.rows("search_commits", sha[:12])] == [sha]
    assert await client.text("get_file_content", "a", "HEAD~1") == "1\n"
    assert (await client.fields("get_merge_base", "HEAD", "HEAD~1"))["sha"] == folder.git(
        "rev-parse", "HEAD~1"
    )
    await client.do("rename_file", "new", "d/new")
    folder.write("a", "3\n")
    await client.do("discard_changes", ["a", "d/new"])
    await client.do("reset_hard")
    assert client.status() == []
    await review(client)


async def review(client: RepoClient) -> None:
    """Review the last commit, and the first one too."""
    first = client.folder.git("rev-list", "--max-parents=0", "HEAD")
    for base in ("HEAD", first):
        begun = await client.fields("checkout_review_parent", "main", base)
        await client.do("setup_review_soft_reset", begun["branch_tip"], begun["parent_commit"])
        assert (await client.changed())["new"] == "added"
        assert (await client.fields("exit_review_mode"))["branch"] == "main"


@pytest.mark.parametrize("setting", CONFIGURATIONS)
async def test_work_is_the_same_however_the_index_is_kept(tmp_path: Path, setting: str) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n", "d/b": "1\n"})
    folder.git("config", *setting.split("="))
    folder.git("update-index", "--really-refresh", "--force-write-index")
    async with repo_client(folder) as client:
        await work(client)


async def test_hashes_of_64_digits(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    folder = RepositoryFolder(tmp_path / "r")
    folder.git("init", "-q", "--initial-branch=main", "--object-format=sha256")
    with_user(folder)
    async with repo_client(folder) as client:
        assert (await client.fields("get_current_branch"))["sha"] == ""
        folder.write("a", "1\n")
        folder.write("d/b", "1\n")
        await client.do("stage_all")
        assert len(str((await client.fields("commit", "first"))["sha"])) == 64
        await work(client)


def has_reftable() -> bool:
    listed = subprocess.run(["git", "init", "-h"], capture_output=True, check=False)
    return b"--ref-format" in listed.stdout + listed.stderr


@pytest.mark.skipif(not has_reftable(), reason="this git keeps references in files only")
async def test_references_in_tables(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    folder = RepositoryFolder(tmp_path / "r")
    folder.git("init", "-q", "--initial-branch=main", "--ref-format=reftable")
    with_user(folder)
    folder.write("a", "1\n")
    folder.write("d/b", "1\n")
    folder.commit("first")
    async with repo_client(folder) as client:
        await work(client)


async def test_reading_runs_no_file_system_monitor(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    ran = tmp_path / "ran"
    monitor = tmp_path / "monitor"
    monitor.write_text(f'#!/bin/sh\ntouch {ran}\nprintf "token\\0/\\0"\n')
    monitor.chmod(0o755)
    folder.git("update-index", "--fsmonitor")
    folder.git("config", "core.fsmonitor", str(monitor))
    folder.write("a", "2\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["a"]}
        assert await client.files() == ["a"]
        assert await client.call("is_clean") is False
        assert await client.found("2") == ["a"]
        assert "+2" in await client.text("get_unstaged_diff")
        await client.do("stage_all")
        assert await client.changed() == {"a": "modified"}
        assert not ran.exists()
