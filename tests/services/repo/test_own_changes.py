"""What the pages of this host were told at once is not told again by the watch."""

import asyncio
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.events import FilesModified
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.services.repo.own_changes import OwnChanges, _moment
from jupyter_ac.services.repo.staging import StagingMethods
from jupyter_ac.services.repo.watch import ScanReason
from jupyter_ac.services.repo.writes import MoveMethods, WriteMethods
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.watched import BRISK, WAIT_S, WatchedRepository, until, watched


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"a.py": "1\n", "b.py": "2\n", "lib/c.py": "c\n"}
    return make_repository(tmp_path / "garden", files)


def writes(scene: WatchedRepository) -> WriteMethods:
    return WriteMethods(scene.writers.files, scene.writers.audience)


async def test_fifty_writes_are_told_once_each(folder: RepositoryFolder) -> None:
    async with watched(folder) as scene:
        part = writes(scene)
        for number in range(50):
            await part.write_file(f"w{number % 5}.py", f"{number}\n")
        told = await scene.events()
        assert told == [[f"w{number % 5}.py"] for number in range(50)]
        assert scene.tree.looks > 2


async def test_what_others_do_right_after_is_told(folder: RepositoryFolder) -> None:
    async with watched(folder) as scene:
        part = writes(scene)
        for number in range(10):
            await part.write_file("a.py", f"ours {number}\n")
            folder.write("a.py", f"theirs {number}\n")
            assert await scene.events() == [["a.py"], ["a.py"]]


async def test_of_several_only_what_others_did_is_told(folder: RepositoryFolder) -> None:
    async with watched(folder) as scene:
        await writes(scene).write_file("a.py", "ours\n")
        folder.write("b.py", "theirs\n")
        await MoveMethods(scene.repository, scene.writers).delete_file("lib/c.py")
        assert await scene.events() == [["a.py"], ["lib/c.py"], ["b.py"]]


async def test_changes_of_the_index_are_told_once(folder: RepositoryFolder) -> None:
    async with watched(folder) as scene:
        await writes(scene).write_file("a.py", "ours\n")
        part = StagingMethods(scene.repository, scene.writers)
        await part.stage_files(["a.py"])
        assert await scene.events() == [["a.py"], ["a.py"]]
        folder.write("b.py", "theirs\n")
        assert await scene.is_told("b.py") == [["b.py"]]
        await part.stage_all()
        assert await scene.events() == [[]]
        await part.commit("all")
        assert await scene.events() == [[]]


async def test_what_was_told_and_is_undone_by_others_is_told(folder: RepositoryFolder) -> None:
    """It is again as the watch saw it last, but not as the pages did."""
    async with watched(folder) as scene:
        part = StagingMethods(scene.repository, scene.writers)
        folder.write("b.py", "theirs\n")
        assert await scene.is_told("b.py") == [["b.py"]]
        await part.stage_files(["b.py"])
        await scene.tree._tree.snapshot()  # as a page does then
        folder.git("reset", "--quiet", "--", "b.py")
        assert (await scene.events())[0] == ["b.py"]
        await writes(scene).write_file("new.py", "ours\n")
        await scene.tree._tree.snapshot()
        (folder.root / "new.py").unlink()
        assert await scene.events() == [["new.py"], ["new.py"]]


async def test_a_renamed_folder_is_told_once(folder: RepositoryFolder) -> None:
    async with watched(folder) as scene:
        await MoveMethods(scene.repository, scene.writers).rename_directory("lib", "src")
        assert await scene.events() == [["lib", "src"]]
        folder.write("src/c.py", "theirs\n")
        assert await scene.is_told("src/c.py") == [["src/c.py"]]


async def test_a_change_under_way_is_not_told_before_it_is_done(folder: RepositoryFolder) -> None:
    async with watched(folder, replace(BRISK, settle_s=WAIT_S)) as scene:
        release = asyncio.Event()

        async def long(_: object) -> None:
            folder.write("a.py", "half\n")
            folder.write("b.py", "done\n")
            await release.wait()

        changing = asyncio.create_task(scene.writers.changer.change(long))
        await until(lambda: scene.watch._cause is ScanReason.NOTICE)
        release.set()
        await changing
        scene.writers.audience.publish(FilesModified(["a.py", "b.py"]))
        assert await scene.events() == [["a.py", "b.py"]]


def own_changes(repository: Repository) -> OwnChanges:
    return OwnChanges(repository, lambda: False)


async def test_signs_and_times_tell_ours_from_theirs(folder: RepositoryFolder) -> None:
    own = own_changes(await discover(folder.root))
    assert await own.others(["a.py"]) == ["a.py"]
    assert await own.others([]) == []
    folder.write("a.py", "ours\n")
    own.files_modified(FilesModified(["a.py", "gone.py"]))
    assert await own.others(["a.py", "gone.py"]) is None
    assert await own.others([]) is None
    assert await own.others(["a.py", "b.py"]) == ["b.py"]
    folder.write("a.py", "them\n")
    folder.write("gone.py")
    assert await own.others(["a.py", "gone.py"]) == ["a.py", "gone.py"]
    own.files_modified(FilesModified(["a.py", "gone.py"]))
    assert await own.others([]) is None
    folder.git("add", "gone.py")
    assert await own.others(["a.py", "b.py", "gone.py"], {"gone.py"}) == ["b.py", "gone.py"]
    assert await own.others(["a.py"]) == []
    assert await own.others([]) == []


async def test_what_an_event_without_paths_stands_for(folder: RepositoryFolder) -> None:
    own = own_changes(await discover(folder.root))
    folder.write("theirs.py")
    await until(partial(past, folder, "theirs.py"))
    own.files_modified(FilesModified([]))
    assert await own.others(["a.py", "lib/c.py", "theirs.py", "none/at/all.py"]) is None
    (folder.root / "lib/c.py").unlink()
    folder.write("a.py", "theirs\n")
    assert await own.others(["a.py", "b.py", "lib/c.py"]) == ["a.py", "lib/c.py"]


async def test_told_of_too_many_paths_they_are_remembered_by_time(
    folder: RepositoryFolder,
) -> None:
    own = own_changes(await discover(folder.root))
    names = [f"{number}.py" for number in range(1500)]
    for name in names:
        folder.write(name)
    await until(partial(past, folder, names[-1]))
    own.files_modified(FilesModified(names))
    assert await own.others(names) is None
    folder.write(names[7], "theirs\n")
    assert await own.others(names) == [names[7]]


async def test_many_paths_do_not_hold_up_the_loop(folder: RepositoryFolder) -> None:
    own = own_changes(await discover(folder.root))
    await until(partial(past, folder, "lib/c.py"))
    own.files_modified(FilesModified([]))
    names = [f"lib/{number}.py" for number in range(5000)]
    sorting = asyncio.create_task(own.others(names))
    turns = 0
    while not sorting.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 5
    assert await sorting is None


async def test_only_what_was_told_before_the_mark_is_forgotten(folder: RepositoryFolder) -> None:
    own = own_changes(await discover(folder.root))
    own.files_modified(FilesModified(["a.py"]))
    mark = own.mark()
    own.files_modified(FilesModified(["b.py"]))
    own.forget(mark)
    assert await own.others(["a.py", "b.py"]) == ["a.py"]


def past(folder: RepositoryFolder, name: str) -> bool:
    """Whether the clock of files has gone on since a file was written."""
    return _moment() > os.lstat(folder.root / name).st_ctime_ns
