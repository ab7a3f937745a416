from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.task_worktrees import read_blobs
from jupyter_ac.planner.worktrees.tree_entries import entries_of
from tests.support.armed_repository import arm
from tests.support.repositories import make_repository


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


async def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    armed = arm(tmp_path)
    (armed.folder.root / "plain.txt").write_text("2\n", encoding="utf-8")
    await snapshot_commit(await discover(armed.folder.root), "snapshot")
    assert armed.ran() == set()
