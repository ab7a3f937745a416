import os
from pathlib import Path

from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.git.checkpoints.plan import (
    FileRestore,
    StepChanges,
    entry_now,
    is_blocked,
    is_version,
    plan_restore,
)
from jupyter_ac.git.disk_entries import NOTHING
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from tests.support.repositories import make_repository


def version(data: bytes, mode: str = "100644") -> FileVersion:
    return FileVersion(mode, ObjectFolder(Path("unused"), "sha1").name_of("blob", data))


ONE, TWO = version(b"1\n"), version(b"2\n")


async def test_files_are_written_before_others_go_unless_these_are_in_the_way(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"moved": "2\n", "d/x": "2\n", "f": "2\n", "c": "2\n"})
    wanted = {
        "moved": (None, TWO),
        "back": (ONE, None),
        "d/x": (None, TWO),
        "d": (ONE, None),
        "f": (None, TWO),
        "f/x": (ONE, None),
        "c": (None, TWO),
        "C": (ONE, None),
        "d.txt": (ONE, None),
    }
    step = StepChanges({RepoPath(path): change for path, change in wanted.items()}, {}, ())
    plan = plan_restore(await discover(folder.root), [step], [])
    assert plan.kept == {}
    order = [change.path for change in plan.files]
    assert set(order[:2]) == {"back", "d.txt"}
    assert set(order[2:6]) == {"moved", "d/x", "f", "c"}
    assert set(order[6:]) == {"d", "f/x", "C"}


async def test_a_plan_of_two_steps(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "2\n", "big": "2\n"})
    path, big, passing = RepoPath("a"), RepoPath("big"), RepoPath("passing")
    steps = [
        StepChanges({path: (ONE, None), passing: (None, ONE)}, {}, ()),
        StepChanges({path: (None, TWO), passing: (ONE, None), big: (ONE, TWO)}, {"big": "why"}, ()),
    ]
    plan = plan_restore(await discover(folder.root), steps, [{}])
    assert plan.files == [FileRestore(path, TWO, ONE)]
    assert plan.kept == {"big": "why"}
    assert (plan.first[path], plan.last[path]) == (0, 1)


async def test_a_file_in_a_repository_that_was_made_since_is_kept(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    make_repository(folder.root / "d", {"x": "2\n"})
    step = StepChanges({RepoPath("d/x"): (ONE, TWO)}, {}, ())
    plan = plan_restore(await discover(folder.root), [step], [])
    assert plan.kept == {"d/x": "is in a repository of its own now"}


async def test_what_is_there_now(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n"})
    repository = await discover(folder.root)
    os.mkfifo(folder.root / "pipe")
    (folder.root / "link").symlink_to("a")
    found = entry_now(repository, RepoPath("a"))
    assert is_version(found, ONE)
    assert not is_version(found, TWO)
    assert not is_version(found, version(b"1\n", "100755"))
    assert not is_version(found, None)
    assert is_version(entry_now(repository, RepoPath("link")), version(b"a", "120000"))
    for path in ("missing", "d", "a/x", "link/x"):
        assert entry_now(repository, RepoPath(path)) == NOTHING, path
        assert is_version(NOTHING, None)
    assert entry_now(repository, RepoPath("pipe")) is None
    assert not is_version(None, None)


async def test_what_is_in_the_way(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"f": "1\n", "d/e/x": "1\n", "d/y": "1\n"})
    (folder.root / "empty/inner").mkdir(parents=True)
    repository = await discover(folder.root)
    assert is_blocked(repository, RepoPath("f/x"), ())
    assert not is_blocked(repository, RepoPath("f/x"), {"f"})
    assert is_blocked(repository, RepoPath("d"), {"d/e/x"})
    assert not is_blocked(repository, RepoPath("d"), {"d/e/x", "d/y"})
    assert not is_blocked(repository, RepoPath("empty"), ())
    assert not is_blocked(repository, RepoPath("new/x"), ())
