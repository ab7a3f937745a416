"""Files of 100 MB: git's part works, and what would not fit is refused before it is read."""

import os
from pathlib import Path

import pytest

from jupyter_ac.git.search.grep import MAX_MEMORY
from tests.support.ugly import OK, RepoClient, repo_client, ugly

SIZE = 100 * 1024 * 1024
LINE = b"0123456789abcdef needle 0123456789\n"


async def refuses_to_read(client: RepoClient, name: str) -> None:
    for call in (("get_file_content", name), ("get_file_base64", name), ("get_file_hash", name)):
        assert "longer than 10 MiB" in await client.refusal(*call)
    assert "longer than 10 MiB" in await client.refusal("write_file", name, "x")
    assert await client.call("file_exists", name) is True


async def test_a_file_that_is_too_long_is_refused_and_stays(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    with (folder.root / "hole").open("wb") as file:
        file.truncate(SIZE)
    folder.write("text", LINE * (11 * 1024 * 1024 // len(LINE)))
    async with repo_client(folder) as client:
        for name, is_binary in (("hole", True), ("text", False)):
            await refuses_to_read(client, name)
            assert await client.call("is_binary_file", name) is is_binary
        assert await client.leaves() == ["a", "hole", "text"]
        assert await client.call("rename_file", "hole", "d/hole") == OK
        assert (folder.root / "d/hole").stat().st_size == SIZE
        assert await client.call("delete_file", "d/hole") == OK


@pytest.mark.soak
async def test_a_hundred_megabytes_go_through_git(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    with (folder.root / "text").open("wb") as text, (folder.root / "noise").open("wb") as noise:
        for _ in range(SIZE // (1024 * 1024)):
            text.write(LINE * (1024 * 1024 // len(LINE) + 1))
            noise.write(os.urandom(1024 * 1024))
    async with repo_client(folder) as client:
        assert await client.call("stage_files", ["text", "noise"]) == OK
        assert (await client.text("get_staged_diff")).count("Too large to show.\n") == 2
        await client.do("commit", "large")
        for name in ("text", "noise"):
            await refuses_to_read(client, name)
            assert "longer than 10 MiB" in await client.refusal("get_file_content", name, "HEAD")
        with (folder.root / "text").open("ab") as text:
            text.write(b"more\n")
        assert (await client.text("get_unstaged_diff")).endswith("\nToo large to show.\n")
        (found,) = await client.rows("search_files", "needle")
        assert (found["file"], found["truncated"]) == ("text", True)
        assert await client.call("discard_changes", ["text", "noise"]) == OK
        assert await client.call("rename_file", "noise", "d/noise") == OK
        assert (await client.rows("get_review_changed_files"))[0]["status"] == "renamed"
        assert await client.call("reset_hard") == OK
        assert client.status() == []


async def test_a_tracked_file_too_large_for_an_expression_is_skipped_and_named(
    tmp_path: Path,
) -> None:
    folder = ugly(tmp_path / "r", {"a": "needle\n"})
    folder.git("config", "core.bigFileThreshold", "1m")
    with (folder.root / "huge:file").open("wb") as huge:
        huge.write(b"text\n")
        huge.truncate(MAX_MEMORY + 16 * 1024 * 1024)
    folder.git("update-index", "--add", "--info-only", "huge:file")
    async with repo_client(folder) as client:
        found = await client.rows("search_files", "need.e", False, True)
        assert [row["file"] for row in found] == ["a", "huge:file"]
        assert (found[1]["matches"], "128 MiB" in str(found[1]["skipped"])) == ([], True)
        assert await client.found("needle") == ["a"]


async def test_a_tracked_file_larger_than_memory_is_skipped_and_named(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "needle\n"})
    with (folder.root / "huge").open("wb") as huge:
        huge.write(b"text\n")
    folder.git("add", "huge")
    os.truncate(folder.root / "huge", 1 << 40)
    async with repo_client(folder) as client:
        for is_expression in (False, True):
            found = await client.rows("search_files", "needle", False, is_expression)
            assert [row["file"] for row in found] == ["a", "huge"]
            assert "128 MiB" in str(found[1]["skipped"])
        assert (await client.fields("get_file_tree"))["modified"] == ["huge"]
        assert (await client.text("get_unstaged_diff")).endswith("\nToo large to show.\n")
