from pathlib import Path

import pytest

from jupyter_ac.chat.excluded_files import MAX_ODD, ExcludedFiles
from jupyter_ac.chat.history.exclusion_store import ExcludedPathStore
from jupyter_ac.errors import RefusedPath, TooLarge
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.git.repository import discover
from tests.support.histories import history_in
from tests.support.repositories import make_repository


async def test_changes_are_told_whoever_has_made_them(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": "", "d/b.py": ""})
    repository, database = await discover(folder.root), history_in(tmp_path)
    told = list[ExcludedPaths]()
    store = ExcludedPathStore(database)
    mine = ExcludedFiles(repository, store, told.append)
    theirs = ExcludedFiles(repository, store, lambda _: None)
    assert mine.known is None
    assert (await mine.read()).paths == ()
    assert told == []
    await theirs.replace(["d/", "./a.py", "gone.py"])
    found = await mine.read()
    assert found.paths == ("a.py", "d", "gone.py")
    assert await mine.read() is found
    assert told == [found]
    await mine.replace([])
    assert [each.paths for each in told] == [found.paths, ()]
    await database.aclose()


@pytest.mark.parametrize("path", ["../up", "/etc", ".", "", ".git/config", "a\0"])
async def test_a_path_outside_is_refused_and_nothing_changes(tmp_path: Path, path: str) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": ""})
    database = history_in(tmp_path)
    files = ExcludedFiles(await discover(folder.root), ExcludedPathStore(database), lambda _: None)
    await files.replace(["a.py"])
    with pytest.raises(RefusedPath):
        await files.replace(["b.py", path])
    assert (await files.read()).paths == ("a.py",)
    await database.aclose()


async def test_a_file_is_excluded_under_both_names_while_it_moves(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": ""})
    database = history_in(tmp_path)
    files = ExcludedFiles(await discover(folder.root), ExcludedPathStore(database), lambda _: None)
    await files.replace(["a.py"])

    async def fail() -> None:
        async with files.moving("a.py", "b.py"):
            assert (await files.read()).paths == ("a.py", "b.py")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await fail()
    assert (await files.read()).paths == ("a.py",)
    async with files.moving("a.py", "b.py"):
        pass
    assert (await files.read()).paths == ("b.py",)
    async with files.moving("c.py", "e.py"):
        pass
    assert (await files.read()).paths == ("b.py",)
    await database.aclose()


async def test_what_is_excluded_already_stays_as_it_is_written(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": "", "d/b.py": "", "e/b.py": ""})
    database = history_in(tmp_path)
    files = ExcludedFiles(await discover(folder.root), ExcludedPathStore(database), lambda _: None)
    await files.replace(["out/x.py", "link/y.py", "old\\name"])
    assert (await files.read()).paths == ("link/y.py", "old/name", "out/x.py")
    (folder.root / "out").symlink_to("/etc")
    (folder.root / "link").symlink_to("d")
    (folder.root / "old").symlink_to("d")
    known = ["out/x.py", "link/y.py", "old/name"]
    found = await files.replace([*known, "./a.py", "link/new.py"])
    assert found.paths == ("a.py", "d/new.py", "link/y.py", "old/name", "out/x.py")
    with pytest.raises(RefusedPath, match="leads out"):
        await files.replace([*known, "out/new.py"])
    assert (await files.read()).paths == found.paths
    assert (await files.replace(["out/x.py"])).paths == ("out/x.py",)
    await database.aclose()


async def test_paths_for_which_git_is_asked_are_bounded(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": ""})
    database = history_in(tmp_path)
    files = ExcludedFiles(await discover(folder.root), ExcludedPathStore(database), lambda _: None)
    odd = [f"d\\{at}" for at in range(MAX_ODD + 1)]
    with pytest.raises(TooLarge, match="at most 1,000 of these"):
        await files.replace(["a.py", *odd])
    assert (await files.read()).paths == ()
    assert len((await files.replace(odd[1:])).paths) == MAX_ODD
    plain = [f"d/{at}" for at in range(MAX_ODD + 1)]
    assert len((await files.replace([*plain, odd[0]])).paths) == MAX_ODD + 1
    await database.aclose()


async def test_a_file_that_was_included_for_a_while_is_told_of_the_log_only(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": ""})
    database, told = history_in(tmp_path), list[ExcludedPaths]()
    repository, store = await discover(folder.root), ExcludedPathStore(database)
    mine = ExcludedFiles(repository, store, told.append)
    theirs = ExcludedFiles(repository, store, lambda _: None)
    first = await mine.replace(["a.py"])
    await theirs.replace([])
    await theirs.replace(["a.py"])
    again = await mine.read()
    assert (first.new_since(first.paths, first.number), told) == ((), [first])
    assert again.new_since(first.paths, first.number) == ("a.py",)
    await database.aclose()
