"""Files of a commit written into a folder, without a checkout."""

import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git import commit_export
from jupyter_ac.git.commit_export import export_files
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """The first commit has files that the second one changes and removes."""
    folder = make_repository(tmp_path / "r", {"a.py": "old\n", "b/ä b.py": "x\n", "gone": "g\r\n"})
    folder.git("tag", "before")
    folder.write("a.py", "new\n")
    (folder.root / "gone").unlink()
    folder.commit("later")
    return folder


def make_tree(folder: RepositoryFolder, rows: str) -> str:
    done = subprocess.run(
        ["git", "mktree"], cwd=folder.root, input=rows, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


async def export(folder: RepositoryFolder, target: Path, *paths: str) -> int:
    repository = await discover(folder.root)
    commit = folder.git("rev-parse", "before").strip()
    return await export_files(repository, commit, paths, target)


async def test_the_bytes_of_the_commit_are_written(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    target.mkdir()
    assert await export(folder, target, "a.py", "b/ä b.py", "gone", "never") == 3
    written = {str(one.relative_to(target)) for one in target.rglob("*") if one.is_file()}
    assert written == {"a.py", "b/ä b.py", "gone"}
    assert (target / "a.py").read_bytes() == b"old\n"
    assert (target / "gone").read_bytes() == b"g\r\n"
    assert folder.git("status", "--short") == ""


async def test_filters_do_not_run(folder: RepositoryFolder, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    folder.git("config", "filter.trap.smudge", f"touch {trap}")
    (folder.root / ".git" / "info" / "attributes").write_text("* filter=trap\n", "utf-8")
    target = tmp_path / "out"
    target.mkdir()
    assert await export(folder, target, "a.py") == 1
    assert not trap.exists()


async def test_links_and_hostile_names_are_left_out(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    (folder.root / "link").symlink_to("/etc/hostname")
    folder.commit("a link")
    blob = folder.git("rev-parse", "HEAD:a").strip()
    inner = make_tree(folder, f"100644 blob {blob}\tconfig\n")
    tree = make_tree(folder, f"100644 blob {blob}\ta\n040000 tree {inner}\t..\n")
    commit = folder.git("commit-tree", "-m", "hostile", tree).strip()
    folder.git("tag", "before", commit)
    target = tmp_path / "deep" / "out"
    target.mkdir(parents=True)
    assert await export(folder, target, "a", "../config", "link") == 1
    assert [one.name for one in (tmp_path / "deep").iterdir()] == ["out"]
    assert [one.name for one in target.iterdir()] == ["a"]


async def test_limits(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    target.mkdir()
    monkeypatch.setattr(commit_export, "MAX_FILE_BYTES", 3)
    assert await export(folder, target, "a.py", "b/ä b.py", "gone") == 2


async def test_an_unknown_commit_is_an_error(folder: RepositoryFolder, tmp_path: Path) -> None:
    repository = await discover(folder.root)
    with pytest.raises(GitError, match="can't read the files"):
        await export_files(repository, "0" * 40, ["a.py"], tmp_path)
