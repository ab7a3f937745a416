from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.git.checkpoints.comparison import (
    MAX_DIFF_BYTES,
    ChangedPath,
    changed_paths,
    diff,
    is_within,
    net_changes,
    version_changes,
)
from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.git.checkpoints.store import Checkpoint
from jupyter_ac.git.checkpoints.worktree_scan import MAX_FILE_BYTES
from jupyter_ac.ids import RepoPath
from tests.support.armed_repository import arm
from tests.support.checkpoint_runs import begin_run
from tests.support.repositories import make_repository


async def test_changed_paths_with_what_is_not_known(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "gone": "1\n", "same": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        folder.write("a", "2\n")
        (folder.root / "gone").unlink()
        folder.write("caf\udce9", "1\n")
        folder.write("large", b"0" * (MAX_FILE_BYTES + 1))
        make_repository(folder.root / "nested", {"x": "1\n"})

    before, after = await run.step(act)
    assert await changed_paths(run.store, before, after) == [
        ChangedPath("a", "modified"),
        ChangedPath("caf\udce9", "added"),
        ChangedPath("gone", "deleted"),
        ChangedPath("large", "unknown"),
        ChangedPath("nested/", "unknown"),
    ]
    assert await changed_paths(run.store, before, before) == []


async def test_the_diff_names_binary_files_only_and_runs_nothing(tmp_path: Path) -> None:
    armed = arm(tmp_path)
    folder = armed.folder
    run = await begin_run(folder)
    armed.ran()

    def act() -> None:
        folder.write("filtered.txt", "one\r\nthree\n")
        folder.write("binary", b"\0\1\2")

    before, after = await run.step(act)
    shown = await diff(run.store, before, after)
    assert armed.ran() == set()
    assert "Binary files /dev/null and b/binary differ" in shown
    assert "-one\n-two\n+one\r\n+three\n" in shown
    assert await diff(run.store, after, after) == ""


async def test_a_long_diff_is_cut_after_a_file(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    run = await begin_run(folder)
    text = "0123456789\n" * (MAX_DIFF_BYTES // 22)
    before, after = await run.step(lambda: [folder.write(name, text) for name in "xyz"])
    shown = await diff(run.store, before, after)
    assert len(shown) < MAX_DIFF_BYTES
    assert shown.count("\ndiff --git") == 0
    assert shown.endswith("+0123456789\nThe diff is longer than 4 MiB; the rest isn't shown.\n")
    _, last = await run.step(lambda: folder.write("w", text * 2))
    alone = await diff(run.store, after, last)
    assert alone.startswith("diff --git a/w b/w")
    assert len(alone) <= MAX_DIFF_BYTES + 100


async def test_a_path_that_leads_elsewhere_makes_a_checkpoint_damaged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    run = await begin_run(folder)
    before, _ = await run.step(lambda: None)
    objects = ObjectFolder(folder.root / ".git/jupyter_ac/checkpoints/run/objects", "sha1")
    blob = objects.add("blob", b"x")
    for path in (".git/hooks/post-checkout", "../x", "a/.GIT/config"):
        files = objects.add_tree({RepoPath(path): FileVersion("100755", blob)})
        other = objects.add_tree({RepoPath("files"): FileVersion("40000", files)})
        with pytest.raises(Conflict, match="damaged"):
            await version_changes(run.store, before, Checkpoint("run", other))
    with pytest.raises(AcError):
        await version_changes(run.store, before, Checkpoint("run", "0" * 40))


def test_net_changes() -> None:
    steps = [{"a": (1, 2), "b": (1, 2)}, {}, {"a": (2, 3), "c": (0, 1)}, {"b": (5, 6)}]
    net, foreign = net_changes(steps, [{"c"}, {"b"}, {"a"}])
    assert net == {"a": (1, 3), "c": (0, 1)}
    assert foreign == {"b"}


def test_what_is_within() -> None:
    assert is_within("a/b", {"a/"})
    assert is_within("a", {"a"})
    assert not is_within("ab/c", {"a/"})
    assert not is_within("a/b", {"a"})
