"""What others change is told once, with the right paths: real repositories, the real system."""

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.watch.fs_events import WatchUnavailable
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.watched import BRISK, WAIT_S, until, watched

pytestmark = pytest.mark.slow

FILES: dict[str, str | bytes] = {
    "a.py": "print(1)\n",
    "lib/b.py": "b\n",
    "lib/deep/c.py": "c\n",
    ".gitignore": "build/\n*.log\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", FILES)


def linked(tmp_path: Path) -> RepositoryFolder:
    """A second worktree: its git directory lies in another one's, and `.git` is a file."""
    main = make_repository(tmp_path / "main", FILES)
    main.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    return RepositoryFolder(Path(os.path.realpath(tmp_path / "side")), main.clock)


def apart(tmp_path: Path) -> RepositoryFolder:
    """A repository whose git directory lies elsewhere."""
    main = make_repository(tmp_path / "main", FILES)
    main.git("init", "--quiet", f"--separate-git-dir={tmp_path / 'elsewhere'}")
    return main


def edit(folder: RepositoryFolder) -> list[str]:
    folder.write("a.py", "print(2)\n")
    return ["a.py"]


def save_as_editors_do(folder: RepositoryFolder) -> list[str]:
    """By another file that takes its place."""
    folder.write("lib/b.py~", "new\n").rename(folder.root / "lib/b.py")
    return ["lib/b.py"]


def new_file(folder: RepositoryFolder) -> list[str]:
    folder.write("lib/new.py")
    return ["lib/new.py"]


def new_folders(folder: RepositoryFolder) -> list[str]:
    """Made and filled at once: nobody watches them yet."""
    for number in range(5):
        folder.write(f"new/deep/er/f{number}.py")
    return [f"new/deep/er/f{number}.py" for number in range(5)]


def remove_file(folder: RepositoryFolder) -> list[str]:
    (folder.root / "a.py").unlink()
    return ["a.py"]


def remove_folder(folder: RepositoryFolder) -> list[str]:
    shutil.rmtree(folder.root / "lib")
    return ["lib/b.py", "lib/deep/c.py"]


def rename_folder(folder: RepositoryFolder) -> list[str]:
    (folder.root / "lib").rename(folder.root / "moved")
    return ["lib/b.py", "lib/deep/c.py", "moved/b.py", "moved/deep/c.py"]


def git_mv(folder: RepositoryFolder) -> list[str]:
    folder.git("mv", "lib/deep", "shallow")
    return ["lib/deep/c.py", "shallow/c.py"]


def add(folder: RepositoryFolder) -> list[str]:
    folder.git("add", "changed.py")
    return ["changed.py"]


def commit(folder: RepositoryFolder) -> list[str]:
    folder.git("commit", "--quiet", "-am", "more")
    return ["b.txt"]


def commit_nothing(folder: RepositoryFolder) -> list[str]:
    folder.git("commit", "--quiet", "--allow-empty", "--only", "-m", "nothing")
    return []


def stash(folder: RepositoryFolder) -> list[str]:
    folder.git("stash", "--include-untracked", "--quiet")
    return ["b.txt", "changed.py"]


def switch(folder: RepositoryFolder) -> list[str]:
    folder.git("switch", "--quiet", "other")
    return ["lib/deep/c.py", "other/new.py"]


def move_branch(folder: RepositoryFolder) -> list[str]:
    """Nothing but the branch's file and its log change."""
    folder.git("update-ref", "HEAD", "other")
    return ["lib/deep/c.py", "other/new.py"]


def ignore(folder: RepositoryFolder) -> list[str]:
    folder.write(".gitignore", "build/\n*.log\nchanged.py\n")
    return [".gitignore", "changed.py"]


KINDS: list[Callable[[RepositoryFolder], list[str]]] = [
    edit,
    save_as_editors_do,
    new_file,
    new_folders,
    remove_file,
    remove_folder,
    rename_folder,
    git_mv,
    add,
    commit,
    commit_nothing,
    stash,
    switch,
    move_branch,
    ignore,
]
PLACES: list[Callable[[Path], RepositoryFolder]] = [
    lambda path: make_repository(path / "garden", FILES),
    linked,
    apart,
]


def prepare(folder: RepositoryFolder) -> None:
    folder.git("branch", "--quiet", "--force", "base")
    folder.git("switch", "--quiet", "-c", "other")
    folder.write("other/new.py")
    folder.write("lib/deep/c.py", "other\n")
    folder.commit("other")
    folder.git("switch", "--quiet", "-")
    folder.write("b.txt", "staged\n")
    folder.git("add", "b.txt")
    folder.write("changed.py", "x\n")


@pytest.mark.parametrize("place", PLACES, ids=["plain", "worktree", "git-dir elsewhere"])
@pytest.mark.parametrize("change", KINDS)
async def test_each_kind_of_change_is_told_once(
    tmp_path: Path,
    place: Callable[[Path], RepositoryFolder],
    change: Callable[[RepositoryFolder], list[str]],
) -> None:
    folder = place(tmp_path)
    prepare(folder)
    async with watched(folder) as scene:
        expected = await asyncio.to_thread(change, folder)
        await scene.log.until(bool)
        assert await scene.events() == [expected]


async def test_a_folder_that_was_empty_is_watched(folder: RepositoryFolder) -> None:
    (folder.root / "empty/inner").mkdir(parents=True)
    async with watched(folder) as scene:
        folder.write("empty/inner/x.py")
        assert await scene.is_told("empty/inner/x.py") == [["empty/inner/x.py"]]
        (folder.root / "later").mkdir()
        assert await scene.events() == []
        folder.write("later/y.py")
        assert await scene.is_told("later/y.py") == [["later/y.py"]]


async def test_a_folder_whose_files_are_all_ignored_is_watched(folder: RepositoryFolder) -> None:
    folder.write("logs/today.log")
    async with watched(folder) as scene:
        folder.write("logs/notes.txt")
        assert await scene.is_told("logs/notes.txt") == [["logs/notes.txt"]]


async def test_a_folder_that_takes_the_place_of_another_is_watched(
    folder: RepositoryFolder,
) -> None:
    async with watched(folder) as scene:
        shutil.copytree(folder.root / "lib", folder.root / "build/lib")
        (folder.root / "lib").rename(folder.root / "build/old")
        (folder.root / "build/lib").rename(folder.root / "lib")
        await scene.events()
        folder.write("lib/deep/c.py", "other\n")
        assert await scene.is_told("lib/deep/c.py") == [["lib/deep/c.py"]]
        folder.write("build/old/b.py", "nobody looks\n")
        assert await scene.events() == []


async def test_nothing_is_looked_at_for_what_happens_in_ignored_folders(
    folder: RepositoryFolder,
) -> None:
    folder.write("build/x/y")
    folder.write("build/log")
    folder.write("app.log")
    async with watched(folder) as scene:
        await scene.events()
        looks = scene.tree.looks
        for number in range(200):
            folder.write(f"build/x/{number}")
            folder.write(f"build/new{number}/y")
        folder.write("app.log", "a line more\n")  # ignored, in a watched folder
        folder.write(".git/objects/aa/x")
        folder.write(".git/FETCH_HEAD")
        (folder.root / ".git/some.lock").touch()
        folder.write(".git/jupyter_ac/history.sqlite-wal")
        assert await scene.events() == []
        assert scene.tree.looks - looks <= 2  # for the file that ends the list, and its aftermath


async def test_what_is_changed_during_a_look_is_told(folder: RepositoryFolder) -> None:
    class SlowTree:
        """Changes a file when it has looked, and gives what it saw."""

        def __init__(self, tree: TreeCache) -> None:
            self._tree = tree
            self.changes = [f"lib/late{number}.py" for number in range(3)]

        async def snapshot(self) -> Snapshot:
            found = await self._tree.snapshot()
            if "a2.py" in found.entries and self.changes:
                folder.write(self.changes.pop())
            return found

    tree = SlowTree(TreeCache(await discover(folder.root)))
    async with watched(folder, tree=tree) as scene:
        folder.write("a2.py")
        expected = [["a2.py"], ["lib/late2.py"], ["lib/late1.py"], ["lib/late0.py"]]
        await scene.log.until(lambda events: len(events) >= 4)
        assert scene.log.events == expected


async def test_thousands_of_files_at_once_are_told_once(folder: RepositoryFolder) -> None:
    for number in range(3000):
        folder.write(f"many/{number % 30}/{number}.txt")
    folder.commit()
    folder.git("switch", "--quiet", "--detach", "HEAD~1")
    async with watched(folder, replace(BRISK, settle_s=WAIT_S)) as scene:
        await asyncio.to_thread(folder.git, "switch", "--quiet", "main")
        await scene.log.until(bool)
        (paths,) = await scene.events()
        assert len(paths) == 3000


async def test_a_lock_left_behind_delays_nothing_for_long(folder: RepositoryFolder) -> None:
    old = time.time() - 3600
    os.utime(folder.write(".git/index.lock"), (old, old))
    async with watched(folder, replace(BRISK, settle_s=60)) as scene:
        folder.write("a.py", "2\n")
        assert await scene.is_told("a.py") == [["a.py"]]


async def test_a_name_that_is_not_utf8_is_told(folder: RepositoryFolder) -> None:
    """The library ends at the first of them."""
    async with watched(folder) as scene:
        for number in range(2):
            (Path(os.fsdecode(os.fsencode(folder.root) + b"/caf\xe9%d.py" % number))).touch()
            assert await scene.is_told(f"caf\udce9{number}.py") == [[f"caf\udce9{number}.py"]]
        folder.write("a.py", "2\n")
        assert await scene.is_told("a.py") == [["a.py"]]


async def test_a_submodule_with_another_commit_is_told(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    make_repository(tmp_path / "part", {"p.py": "1\n"})
    allowed = ("-c", "protocol.file.allow=always")
    folder.git(*allowed, "submodule", "--quiet", "add", str(tmp_path / "part"), "part")
    folder.commit()
    inner = RepositoryFolder(folder.root / "part", folder.clock)
    async with watched(folder) as scene:
        inner.git("commit", "--quiet", "--allow-empty", "-m", "more")
        assert await scene.is_told("part") == [["part"]]


async def test_where_the_system_tells_nothing_the_tree_is_looked_at(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(*_: object) -> None:
        raise WatchUnavailable("The limit is reached.")

    monkeypatch.setattr("jupyter_ac.git.watch.listener.watch_folders", refuse)
    monkeypatch.setattr("jupyter_ac.services.repo.watch._AFTERMATH_S", 0.01)
    caplog.set_level("INFO", "jupyter_ac")
    async with watched(folder, replace(BRISK, poll_s=0.1, poll=1)) as scene:
        for number in range(3):
            folder.write("a.py", f"{number}\n")
            assert await scene.is_told("a.py") == [["a.py"]]
    assert caplog.text.count("The limit is reached.") == 1


async def test_after_changes_that_were_not_heard_of_there_are_looks_all_the_time(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a network's file system, where the others' changes make no notices."""

    class Deaf:
        async def aclose(self) -> None:
            pass

    async def deaf(*_: object) -> Deaf:
        return Deaf()

    monkeypatch.setattr("jupyter_ac.git.watch.listener.watch_folders", deaf)
    monkeypatch.setattr("jupyter_ac.git.watch.listener._DOUBT_S", 0.01)
    monkeypatch.setattr("jupyter_ac.services.repo.watch._AFTERMATH_S", 0.01)
    caplog.set_level("INFO", "jupyter_ac")
    async with watched(
        folder, replace(BRISK, safety_s=0.05, safety=1, poll_s=0.06, poll=1)
    ) as scene:
        for number in range(3):
            folder.write("a.py", f"{number}\n")
            assert await scene.is_told("a.py") == [["a.py"]]
    assert caplog.text.count("did not report some changes") == 1


async def test_a_repository_that_is_gone_is_said_once_and_watched_again_when_it_is_back(
    folder: RepositoryFolder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "jupyter_ac")
    async with watched(folder) as scene:
        folder.root.rename(folder.root.with_name("away"))
        await until(lambda: "can't be watched" in caplog.text)
        make_repository(folder.root, {"fresh.py": "1\n"})
        await scene.is_told("fresh.py", "a.py")
        folder.write("fresh.py", "2\n")
        assert await scene.is_told("fresh.py") == [["fresh.py"]]
    assert caplog.text.count("can't be watched") == 1
    assert caplog.text.count("is watched again") == 1


async def test_pages_hear_of_a_repository_that_is_back_as_it_was(
    folder: RepositoryFolder, caplog: pytest.LogCaptureFixture
) -> None:
    away = folder.root.with_name("away")
    async with watched(folder) as scene:
        folder.root.rename(away)
        await until(lambda: "can't be watched" in caplog.text)
        away.rename(folder.root)
        await scene.log.until(bool)
        assert scene.log.events == [[]]


async def test_a_fault_of_ours_ends_nothing(
    folder: RepositoryFolder, caplog: pytest.LogCaptureFixture
) -> None:
    class BrokenTree:
        def __init__(self, tree: TreeCache) -> None:
            self._tree = tree
            self.faults = 3

        async def snapshot(self) -> Snapshot:
            found = await self._tree.snapshot()
            if "a2.py" in found.entries and self.faults:
                self.faults -= 1
                raise KeyError("a2.py")
            return found

    tree = BrokenTree(TreeCache(await discover(folder.root)))
    async with watched(folder, tree=tree) as scene:
        folder.write("a2.py")
        assert await scene.is_told("a2.py") == [["a2.py"]]
    assert caplog.text.count("can't be watched") == 1
    assert tree.faults == 0


async def test_a_slow_first_look_does_not_make_later_changes_wait(folder: RepositoryFolder) -> None:
    """The first one reads all files of a large repository; pauses go by what a look costs."""
    tree = TreeCache(await discover(folder.root))
    whole = await tree.snapshot()

    class SlowAtFirst:
        looks = 0

        async def snapshot(self) -> Snapshot:
            self.looks += 1
            if self.looks == 1:
                await asyncio.sleep(0.4)
            return whole

    async with watched(folder, tree=SlowAtFirst()) as scene:
        assert scene.watch._cost < 0.1
