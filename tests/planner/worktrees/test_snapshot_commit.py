import subprocess
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.planner.worktrees.snapshot_commit import (
    add_commit,
    object_folder,
    snapshot_commit,
)
from jupyter_ac.planner.worktrees.tree_entries import entries_of, read_blobs
from tests.support.armed_repository import arm
from tests.support.repositories import RepositoryFolder, make_repository


async def test_uncommitted_work_is_in_it_and_the_repository_stays_as_it_is(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"a.py": "1\n", "gone.py": "x\n", ".gitignore": "secret\n"}
    )
    root = folder.root
    (root / "a.py").write_bytes(b"2\r\n")
    (root / "sub").mkdir()
    (root / "sub" / "new.bin").write_bytes(b"\0\xff")
    (root / "secret").write_text("key", encoding="utf-8")
    (root / "gone.py").unlink()
    (root / "link").symlink_to("a.py")
    status, head = folder.git("status", "--porcelain"), folder.git("rev-parse", "HEAD").strip()
    repository = await discover(root)
    made = await snapshot_commit(repository, "snapshot", [head])
    entries = await entries_of(repository, made.commit)
    assert set(entries) == {".gitignore", "a.py", "sub/new.bin", "link"}
    assert made.files == entries
    blobs = [entries[path].blob for path in sorted(entries)]
    assert await read_blobs(repository, blobs) == [b"secret\n", b"2\r\n", b"a.py", b"\0\xff"]
    assert folder.git("rev-parse", f"{made.commit}^").strip() == head
    assert folder.git("status", "--porcelain") == status
    assert folder.git("for-each-ref").count("\n") == 0
    assert folder.git("fsck", "--no-dangling").strip() == ""


@pytest.mark.parametrize("message", ["one line", "Ä\n\nlast\n", "a\0b", "", "\ud800", "author x"])
@pytest.mark.parametrize("format_", ["sha1", "sha256"])
async def test_a_commit_is_as_git_writes_it(tmp_path: Path, message: str, format_: str) -> None:
    subprocess.run(["git", "init", "-q", f"--object-format={format_}", tmp_path / "r"], check=True)
    folder = RepositoryFolder(tmp_path / "r")
    repository = await discover(folder.root)
    (folder.root / "a").write_text("1", encoding="utf-8")
    first = await snapshot_commit(repository, "first")
    objects = await object_folder(repository, first.commit)
    tree = folder.git("rev-parse", f"{first.commit}^{{tree}}").strip()
    commit = add_commit(objects, tree, message, [first.commit])
    shown = folder.git("show", "-s", "--format=%an %ae %P%n%B", commit)
    said = message.replace("\0", "\ufffd").replace("\ud800", "?")
    assert shown.rstrip("\n") == f"jupyter_ac jupyter_ac@localhost {first.commit}\n{said}".rstrip()
    stored = folder.git("cat-file", "commit", commit).partition("\n\n")[2]
    assert stored.rstrip("\n") == said.rstrip("\n")
    folder.git("update-ref", "refs/heads/x", commit)
    assert folder.git("fsck", "--strict", "--no-dangling").strip() == ""


async def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    armed = arm(tmp_path)
    (armed.folder.root / "plain.txt").write_text("2\n", encoding="utf-8")
    await snapshot_commit(await discover(armed.folder.root), "snapshot")
    assert armed.ran() == set()
