"""Files as they stand at one moment."""

from pathlib import Path

from jupyter_ac.chat.edits.file_snapshot import look_around
from jupyter_ac.ids import RepoPath
from tests.support.edited import repository_of
from tests.support.repositories import make_repository


async def test_disk_index_ignored_and_missing_folders_are_seen_together(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"a.py": "a\n", "d/b.py": "b\n", ".gitignore": "*.log"}
    )
    folder.write("a.py", "changed\n")
    folder.write("long", "x" * 200)
    (folder.root / "empty").mkdir()
    names = ["a.py", "d/b.py", "new/deep/x.py", "empty/in/y.py", "z.log", "long", "d"]
    scene = await look_around(repository_of(folder), map(RepoPath, names), 100)
    assert scene.disk[RepoPath("a.py")].data == b"changed\n"
    assert scene.staged == {"d/b.py", "new/deep/x.py", "empty/in/y.py", "z.log"}
    assert scene.ignored == {"z.log"}
    assert scene.made[RepoPath("new/deep/x.py")] == "new"
    assert scene.made[RepoPath("empty/in/y.py")] == "empty/in"
    assert scene.made[RepoPath("d/b.py")] == ""
    assert set(scene.problems) == {"long", "d"}
    assert len(scene.entries[RepoPath("a.py")]) == 1


async def test_a_path_of_which_git_cant_tell_keeps_no_other_from_being_seen(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a\n", ".gitignore": "*.log"})
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    folder.write("sub/left.py", "x\n")
    names = ["a.py", "sub/left.py", "z.log"]
    scene = await look_around(repository_of(folder), map(RepoPath, names), 100)
    assert scene.disk.keys() == {"a.py", "z.log"}
    assert "in submodule 'sub'" in scene.problems[RepoPath("sub/left.py")].message
    assert scene.ignored == {"z.log"}
