from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.checkout_conflicts import blocking_files
from jupyter_ac.git.write_commands import Git
from tests.support.repositories import make_repository


async def test_what_stands_where_a_commit_has_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n", ".gitignore": "*.log\n"})
    folder.git("checkout", "-q", "-b", "other")
    folder.git("rm", "-q", "-r", "d", "a")
    for path in ("a/below", "d", "deep/in/side", "häst\n", "kept.log", "free", "plain"):
        folder.write(path)
    folder.git("add", "--force", "kept.log")
    target = folder.commit("other")
    folder.git("checkout", "-q", "main")
    git = Git(await discover(folder.root))
    assert await blocking_files(git, target) == []
    for path in ("d/untracked", "deep", "häst\n", "kept.log", "aside"):
        folder.write(path, "mine\n")
    # A link above a file's place is in its way; what it leads to is not.
    (folder.root / "plain").symlink_to("d")
    found = ["d/untracked", "deep", "häst\n", "kept.log", "plain"]
    assert await blocking_files(git, target) == found
    assert await blocking_files(git, "HEAD") == []
    folder.git("rm", "-q", "--cached", "a")
    assert await blocking_files(git, "HEAD", target) == ["a", *found]


async def test_what_has_taken_the_place_of_a_tracked_file(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n", "gone": "1\n"})
    for path in ("a", "d/x", "gone"):
        (folder.root / path).unlink()
    (folder.root / "d").rmdir()
    folder.write("a/below", "mine\n")
    folder.write("d", "mine\n")
    assert await blocking_files(Git(await discover(folder.root)), "HEAD") == ["a/below", "d"]


async def test_a_submodules_folder_is_in_nobodys_way(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    sha = folder.git("rev-parse", "HEAD")
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{sha},lib")
    folder.git("commit", "-qm", "lib")
    target = folder.git("rev-parse", "HEAD")
    folder.git("reset", "-q", "--hard", sha)
    folder.write("lib/file")
    assert await blocking_files(Git(await discover(folder.root)), target) == []
