import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams, TimedOut
from jupyter_ac.git import activity
from jupyter_ac.git.activity import (
    MAX_TOGETHER,
    Activity,
    ActivityReader,
    commits_in,
)
from jupyter_ac.git.repository import discover
from jupyter_ac.git.runner import GitOptions, read_git
from tests.support.repositories import RepositoryFolder, make_repository

DAY_S = 24 * 3600


def changed(folder: RepositoryFolder, *paths: str, days_ago: int = 1) -> None:
    """Commit a change of each file."""
    folder.clock = int(time.time()) - days_ago * DAY_S
    for path in paths:
        place = folder.root / path
        folder.write(path, f"{place.read_text() if place.exists() else ''}more\n")
    folder.commit("changed")


async def read(folder: RepositoryFolder, days: int = 90) -> Activity:
    return await ActivityReader(await discover(folder.root)).read(days)


async def test_files_are_ranked_by_their_commits_and_old_ones_do_not_count(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a\n", "b c.py": "b\n", "old.py": "o\n"})
    changed(folder, "old.py", days_ago=200)
    for days_ago in (5, 4, 3):
        changed(folder, "a.py", days_ago=days_ago)
    changed(folder, "b c.py", "a.py", days_ago=2)
    (folder.root / "b c.py").unlink()
    found = await read(folder)
    assert found.head == folder.git("rev-parse", "HEAD")
    assert [(file["path"], file["commits"], file["exists"]) for file in found.files] == [
        ("a.py", 4, True),
        ("b c.py", 1, False),
    ]
    assert (found.commits, found.is_partial, found.more_files) == (4, False, 0)
    assert sum(count for _, count in found.by_day) == 4
    assert [day for day, _ in found.by_day] == sorted(day for day, _ in found.by_day)
    assert found.files[0]["last_day"] == found.by_day[-1][0]
    assert len((await read(folder, 365)).files) == 3


async def test_files_that_change_together_are_paired(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "", "b": "", "c": ""})
    for days_ago in (9, 8, 7):
        changed(folder, "a", "b", days_ago=days_ago)
    changed(folder, "a", "c")
    changed(folder, "a")
    pair = {"first": "a", "second": "b", "together": 3, "share": 1.0}
    assert (await read(folder)).pairs == (pair,)


async def test_a_commit_of_many_files_pairs_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "", "b": ""})
    names = [f"f{at}" for at in range(MAX_TOGETHER + 1)]
    changed(folder, *names)
    changed(folder, *names)
    found = await read(folder)
    assert found.pairs == ()
    assert len(found.files) == len(names)


async def test_names_of_any_characters_are_read(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": ""})
    strange = ["\x01odd", "two\nlines", "ä", "\udcff"]
    changed(folder, *strange)
    assert {file["path"] for file in (await read(folder)).files} == set(strange)


async def test_merges_do_not_count(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": ""})
    folder.git("checkout", "-q", "-b", "side")
    changed(folder, "side")
    folder.git("checkout", "-q", "main")
    changed(folder, "a")
    folder.git("merge", "-q", "--no-edit", "side")
    assert (await read(folder)).commits == 2


async def test_a_repository_without_commits_has_no_activity(tmp_path: Path) -> None:
    folder = RepositoryFolder(tmp_path)
    folder.git("init", "-q")
    assert await read(folder) == Activity(days=90)


@pytest.mark.parametrize("days", [0, -1, 366])
async def test_the_number_of_days_is_bounded(tmp_path: Path, days: int) -> None:
    folder = make_repository(tmp_path / "r", {"a": ""})
    with pytest.raises(InvalidParams, match="days must be"):
        await read(folder, days)


async def test_it_is_counted_once_until_head_moves(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": ""})
    changed(folder, "a")
    reader = ActivityReader(await discover(folder.root))
    first, second = await asyncio.gather(reader.read(90), reader.read(90))
    assert first is second
    assert await reader.read(90) is first
    changed(folder, "a")
    assert (await reader.read(90)).commits == 2


async def test_a_long_log_is_cut_and_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": ""})
    for _ in range(4):
        changed(folder, "a")
    monkeypatch.setattr(activity, "MAX_COMMITS", 3)
    found = await read(folder)
    assert (found.commits, found.is_partial) == (3, True)
    monkeypatch.setattr(activity, "MAX_COMMITS", 20_000)
    monkeypatch.setattr(activity, "_MAX_BYTES", 8)
    found = await read(folder)
    assert found.is_partial
    assert found.commits < 4


async def test_what_was_read_within_the_time_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": ""})
    for _ in range(3):
        changed(folder, "a")

    async def slow(root: Path, args: Sequence[str], options: GitOptions) -> NoReturn:
        await read_git(root, args, options)
        raise TimedOut("git log took too long")

    monkeypatch.setattr(activity, "read_git", slow)
    found = await read(folder)
    assert (found.is_partial, found.commits) == (True, 2)


@given(st.binary(max_size=200))
def test_any_output_is_parsed(data: bytes) -> None:
    for commit in commits_in(data):
        assert all(commit.paths)
