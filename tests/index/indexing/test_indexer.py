import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing import indexer as keeping
from jupyter_ac.index.indexing.indexer import Indexer
from jupyter_ac.index.indexing.listing import cut
from jupyter_ac.index.indexing.pool import Pool
from jupyter_ac.index.indexing.progress import RefreshProgress, RefreshResult
from tests.support.deadly_files import KILLED, make_parsers_mortal
from tests.support.jupyter_files import BESIDE, write_beside
from tests.support.repositories import RepositoryFolder, make_repository

LIMIT_S = 90.0

FILES: dict[str, str | bytes] = {
    "garden/__init__.py": "",
    "garden/bed.py": "class Bed:\n    def plant(self, seed): ...\n",
    "garden/fern.py": "from garden.bed import Bed\n\nBed().plant('fern')\n",
    "seeds.dat": "no language\n",
}


@asynccontextmanager
async def kept(folder: RepositoryFolder, cache: Path) -> AsyncIterator[Indexer]:
    repository = await discover(folder.root)
    async with asyncio.timeout(LIMIT_S), Indexer(repository, cache, Pool(str(folder.root), 1)) as k:
        yield k


def symbols(keeper: Indexer, path: str) -> list[str]:
    record = keeper.view.record(RepoPath(path))
    assert record is not None
    return [symbol.name for symbol in record.symbols]


def counts(done: RefreshResult) -> tuple[object, ...]:
    return done.parsed, done.from_cache, done.removed, done.skipped, done.changed


def of(*paths: str) -> list[RepoPath]:
    return [RepoPath(path) for path in paths]


async def test_a_tree_is_read_once_and_then_only_what_changes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        first = await keeper.refresh()
        assert counts(first)[:4] == (3, 0, 0, 0)
        assert list(first.changed) == sorted(FILES)
        assert list(keeper.view.paths()) == sorted(FILES)
        assert keeper.view.record(RepoPath("seeds.dat")) is None
        assert symbols(keeper, "garden/bed.py") == ["Bed", "plant"]
        generation = keeper.generation
        assert counts(await keeper.refresh()) == (0, 0, 0, 0, ())
        folder.write("garden/bed.py", "class Border: ...\n")
        assert (await keeper.refresh()).changed == ("garden/bed.py",)
        assert symbols(keeper, "garden/bed.py") == ["Border"]
        assert keeper.generation != generation


async def test_a_second_keeper_parses_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        generation = keeper.generation
    async with kept(folder, tmp_path / "c") as keeper:
        assert counts(await keeper.refresh())[:2] == (0, 3)
        assert keeper.generation == generation
        assert symbols(keeper, "garden/bed.py") == ["Bed", "plant"]


async def test_a_branch_switch_a_worktree_and_a_clone_parse_only_what_is_new(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        folder.git("checkout", "-q", "-b", "other")
        folder.write("garden/new.py", "x = 1\n")
        folder.commit()
        assert counts(await keeper.refresh())[:2] == (1, 0)
        folder.git("checkout", "-q", "main")
        assert counts(await keeper.refresh())[:3] == (0, 0, 1)
    folder.git("worktree", "add", "-q", str(tmp_path / "w"), "other")
    folder.git("clone", "-q", "-b", "other", str(folder.root), str(tmp_path / "clone"))
    for name in ("w", "clone"):
        async with kept(RepositoryFolder(tmp_path / name), tmp_path / "c") as keeper:
            assert counts(await keeper.refresh())[:2] == (0, 4)


async def test_named_paths_are_looked_at_alone(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        folder.write("garden/bed.py", "class Border: ...\n")
        folder.write("garden/fern.py", "x = 1\n")
        assert (await keeper.refresh(of("garden/bed.py"))).changed == ("garden/bed.py",)
        assert counts(await keeper.refresh(of("garden/bed.py"))) == (0, 0, 0, 0, ())
        assert (await keeper.refresh()).changed == ("garden/fern.py",)


async def test_files_and_folders_come_and_go_by_name(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        folder.write("pond/a.py", "a = 1\n")
        folder.write("pond/deep/b.py", "b = 1\n")
        folder.write("pond/.gitignore", "ignored.py\n")
        folder.write("pond/ignored.py", "c = 1\n")
        found = await keeper.refresh(of("pond", "pond/ignored.py"))
        assert found.changed == ("pond/.gitignore", "pond/a.py", "pond/deep/b.py")
        for path in (folder.root / "pond").rglob("*"):
            if path.is_file():
                path.unlink()
        (folder.root / "pond/deep").rmdir()
        (folder.root / "pond").rmdir()
        found = await keeper.refresh(of("pond"))
        assert found.changed == ("pond/.gitignore", "pond/a.py", "pond/deep/b.py")
        assert found.removed == 3
        assert list(keeper.view.paths()) == sorted(FILES)


async def test_a_folder_that_became_a_file_is_named_with_what_was_in_it(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        folder.write("pond.py/a.py", "a = 1\n")
        await keeper.refresh()
        (folder.root / "pond.py/a.py").unlink()
        (folder.root / "pond.py").rmdir()
        folder.write("pond.py", "reed = 1\n")
        found = await keeper.refresh(of("pond.py", "pond.py/a.py"))
        assert found.changed == ("pond.py", "pond.py/a.py")
        assert found.removed == 1
        assert symbols(keeper, "pond.py") == ["reed"]


async def test_a_changed_rule_of_what_is_ignored_is_a_look_at_the_whole(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        folder.write("new.py", "x = 1\n")
        await keeper.refresh()
        folder.write(".gitignore", "new.py\n")
        found = await keeper.refresh(of(".gitignore"))
        assert found.changed == (".gitignore", "new.py")
        assert RepoPath("new.py") not in keeper.view.paths()


async def test_files_that_git_lets_go_vanish_though_they_are_the_same(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {**FILES, "inner/a.py": "x = 1\n", "b.py": "y = 1\n"})
    async with kept(folder, tmp_path / "c") as keeper:
        folder.write(".gitignore", "b.py\n")
        await keeper.refresh()
        folder.git("rm", "-q", "--cached", "b.py", "inner/a.py")
        folder.git("init", "-q", "inner")
        found = await keeper.refresh(of("b.py", "inner/a.py"))
        assert found.removed == 2
        assert found.changed == ("b.py", "inner/a.py")
        assert not {"b.py", "inner/a.py"} & set(keeper.view.paths())
        assert (await keeper.refresh(of(*FILES))).changed == ()


async def test_deleted_files_vanish_with_their_symbols(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        assert keeper.view.defining("Bed")
        (folder.root / "garden/bed.py").unlink()
        assert (await keeper.refresh(of("garden/bed.py"))).removed == 1
        assert not keeper.view.defining("Bed")
        assert not keeper.view.targets(RepoPath("garden/fern.py"))


async def test_what_is_skipped_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    folder.write("large.py", "x = 1\n" * 200_000)
    async with kept(folder, tmp_path / "c") as keeper:
        assert (await keeper.refresh()).skipped == 1
        assert keeper.view.skipped() == {"large.py": "too large (1.2 MB)"}
        assert RepoPath("large.py") in keeper.view.paths()


async def test_files_beyond_the_most_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    monkeypatch.setattr(keeping, "cut", partial(cut, most=3))
    async with kept(folder, tmp_path / "c") as keeper:
        assert (await keeper.refresh()).beyond == 1
        assert "seeds.dat" not in keeper.view.paths()
        folder.git("rm", "-q", "garden/fern.py")
        assert (await keeper.refresh()).beyond == 0
        assert "seeds.dat" in keeper.view.paths()


async def test_a_file_that_kills_parsers_is_said_and_read_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_parsers_mortal(tmp_path / "site", monkeypatch)
    folder = make_repository(tmp_path / "r", {**FILES, "deadly.py": KILLED})
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        assert keeper.view.skipped() == {"deadly.py": "the parser was ended by SIGKILL"}
        assert symbols(keeper, "garden/bed.py") == ["Bed", "plant"]
        assert counts(await keeper.refresh())[:4] == (0, 0, 0, 1)
        folder.write("deadly.py", "def harmless(): ...\n")
        assert (await keeper.refresh()).skipped == 0
        assert symbols(keeper, "deadly.py") == ["harmless"]


async def test_a_file_that_kills_parsers_is_known_to_the_next_keeper_without_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_parsers_mortal(tmp_path / "site", monkeypatch)
    folder = make_repository(tmp_path / "r", {**FILES, "deadly.py": KILLED})
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        known = keeper.view.skipped()
    clone = make_repository(tmp_path / "other", {**FILES, "elsewhere.py": KILLED})
    async with kept(clone, tmp_path / "c") as keeper:
        assert (await keeper.refresh()).parsed == 0
        assert list(keeper.view.skipped().values()) == list(known.values()) != []


async def test_progress_is_told_and_ends_at_the_whole(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"bed_{at}.py": f"x = {at}\n" * 500 for at in range(60)}
    folder = make_repository(tmp_path / "r", files)
    told: list[RefreshProgress] = []
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh(report=told.append)
    assert told == sorted(told)
    assert told[-1] == RefreshProgress(60, 60)


async def test_refreshes_wait_for_each_other(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        found = await asyncio.gather(*(keeper.refresh() for _ in range(3)))
        assert [row.parsed for row in found] == [3, 0, 0]


async def test_a_cancelled_refresh_is_made_up_for(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        refreshing = asyncio.create_task(keeper.refresh())
        while not keeper.parser_pids:
            await asyncio.sleep(0.001)
        refreshing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await refreshing
        await keeper.refresh()
        assert list(keeper.view.paths()) == sorted(FILES)
        assert symbols(keeper, "garden/bed.py") == ["Bed", "plant"]


async def test_a_killed_parser_is_replaced_for_the_next_change(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        for pid in keeper.parser_pids:
            os.kill(pid, signal.SIGKILL)
        folder.write("garden/bed.py", "class Border: ...\n")
        assert (await keeper.refresh()).skipped == 0
        assert symbols(keeper, "garden/bed.py") == ["Border"]


async def test_equal_trees_have_equal_generations_whether_committed_or_not(
    tmp_path: Path,
) -> None:
    one = make_repository(tmp_path / "1", FILES)
    other = make_repository(tmp_path / "2")
    for path, content in FILES.items():
        other.write(path, content)
    generations = set()
    for folder in (one, other):
        async with kept(folder, tmp_path / "c") as keeper:
            await keeper.refresh()
            generations.add(keeper.generation)
    assert len(generations) == 1


async def test_a_file_is_read_from_the_working_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    folder.write("seeds.dat", "changed")
    async with kept(folder, tmp_path / "c") as keeper:
        assert await keeper.read(RepoPath("seeds.dat"), 5) == b"chang"


async def test_a_restart_begins_where_the_last_run_ended(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"bed_{at}.py": f"def fern_{at}(): ...\n" for at in range(60)}
    folder = make_repository(tmp_path / "r", files)
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
    folder.write("bed_1.py", "def moss(): ...\n")
    (folder.root / "bed_2.py").unlink()
    folder.write("new.py", "def reed(): ...\n")
    async with kept(folder, tmp_path / "c") as keeper:
        done = await keeper.refresh()
        assert counts(done)[:3] == (2, 0, 1)
        assert done.changed == ("bed_1.py", "bed_2.py", "new.py")
        assert symbols(keeper, "bed_1.py") == ["moss"]
        assert symbols(keeper, "bed_3.py") == ["fern_3"]
        assert keeper.view.defining("reed")
        assert not keeper.view.defining("fern_2")
        generation = keeper.generation
    async with kept(folder, tmp_path / "other cache") as keeper:
        await keeper.refresh()
        assert keeper.generation == generation


async def test_an_end_while_a_snapshot_is_written_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_SAVE_S", 0.0)
    monkeypatch.setattr(keeping, "_STEP_S", -1.0)
    files: dict[str, str | bytes] = {f"bed_{at}.py": f"def fern_{at}(): ...\n" for at in range(60)}
    folder = make_repository(tmp_path / "r", files)
    cache = tmp_path / "c"
    async with kept(folder, cache) as keeper:
        await keeper.refresh()
        while not list(cache.glob("index-draft-*")):
            await asyncio.sleep(0)
        keeper.save()
        assert not list(cache.glob("index-draft-*"))
        assert len(list(cache.glob("index-*.snapshot"))) == 1


async def test_what_jupyter_writes_comes_and_goes_with_the_wish(tmp_path: Path) -> None:
    tracked = "garden/.ipynb_checkpoints/bed-checkpoint.py"
    folder = make_repository(tmp_path / "r", {**FILES, tracked: "x = 1\n"})
    write_beside(folder)
    own = sorted([*FILES, tracked])
    async with kept(folder, tmp_path / "c") as keeper:
        await keeper.refresh()
        assert list(keeper.view.paths()) == own
        assert (await keeper.refresh(of(BESIDE[0], "deep"))).changed == ()
        # What is asked for is one file, what differs are the others as well.
        done = await keeper.refresh(of("seeds.dat"), with_jupyter_files=True)
        assert list(done.changed) == sorted(BESIDE)
        assert symbols(keeper, BESIDE[0]) == ["plot"]
        folder.write(BESIDE[0], "def other(): ...\n")
        await keeper.refresh(of(BESIDE[0]))
        assert symbols(keeper, BESIDE[0]) == ["other"]
        fewer = await keeper.refresh(of("seeds.dat"), with_jupyter_files=False)
        assert fewer.removed == len(BESIDE)
        assert list(keeper.view.paths()) == own
