"""git, Python, the repository."""

import json
import os
from pathlib import Path

import pytest

from jupyter_ac.hosts.cli.checks import programs
from jupyter_ac.hosts.cli.checks.context import CheckState
from tests.hosts.cli.checks.conftest import Look
from tests.support.repositories import RepositoryFolder


def fake_git(folder: Path, says: str) -> None:
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\necho '{says}'\n")
    (folder / "git").chmod(0o755)


async def test_git_is_there(look: Look) -> None:
    found = await programs.git(await look())
    assert found.state is CheckState.OK
    assert found.text[0].isdigit()


@pytest.mark.parametrize("says", ["git version 2.30.9", "hello"])
async def test_git_is_too_old_or_is_no_git(
    says: str, look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await look()
    fake_git(tmp_path / "bin", says)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    found = await programs.git(here)
    assert found.state is CheckState.FAIL
    assert "2.31" in found.remedy


async def test_git_is_missing(look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = await look()
    monkeypatch.setenv("PATH", str(tmp_path))
    found = await programs.git(here)
    assert found.state is CheckState.FAIL
    assert "not installed" in found.text
    assert "2.31" in found.remedy


async def test_python_says_which_one(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    here = await look()
    assert (await programs.python(here)).state is CheckState.OK
    monkeypatch.setattr("sys.platform", "win32")
    assert (await programs.python(here)).state is CheckState.WARN


async def test_the_repository(look: Look, garden: RepositoryFolder, tmp_path: Path) -> None:
    assert (await programs.repository(await look())).text == str(garden.root)
    garden.git("worktree", "add", "--quiet", str(tmp_path / "side"))
    side = await programs.repository(await look(folder=tmp_path / "side"))
    assert side.text == f"{tmp_path / 'side'}, worktree side"


async def test_no_repository(look: Look, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    found = await programs.repository(await look(folder=tmp_path / "bare"))
    assert found.state is CheckState.FAIL
    assert "git init" in found.remedy


async def test_a_repository_that_git_cannot_read(look: Look, garden: RepositoryFolder) -> None:
    garden.write(".git/config", "[core\n")
    found = await programs.repository(await look())
    assert found.state is CheckState.FAIL
    assert "git status" in found.remedy


async def test_a_review_that_was_left_open(look: Look, garden: RepositoryFolder) -> None:
    place = garden.root / ".git/review.json"
    sha = garden.git("rev-parse", "HEAD")
    hashes = dict.fromkeys(("branch_tip", "base_commit", "parent_commit", "original_sha"), sha)
    journal = {"branch": "feature", "original_branch": "main", "phase": "reviewing", **hashes}
    place.write_text(json.dumps(journal))
    found = await programs.repository(await look())
    assert found.state is CheckState.WARN
    assert "A review of `feature` is open" in found.text
    assert "panel" in found.remedy
    place.write_text("rubbish")
    assert "can't be used" in (await programs.repository(await look())).text


async def test_what_git_would_run_is_listed(look: Look, garden: RepositoryFolder) -> None:
    assert (await programs.configured(await look())).state is CheckState.OK
    garden.git("config", "filter.strip.clean", "python3 tools/strip.py")
    garden.git("config", "core.pager", "less\x1b[2J")
    found = await programs.configured(await look())
    assert found.state is CheckState.WARN
    assert "filter 'strip'" in found.text
    lines = "\n".join(found.details)
    assert "filter strip: not_allowed (local): 'python3 tools/strip.py'" in lines
    assert "\x1b" not in lines
