import asyncio
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.indexer import Indexer
from jupyter_ac.index.map import sources as map_sources
from jupyter_ac.index.map.inverted_index import Field
from jupyter_ac.index.map.sources import MapSources
from tests.support.repositories import RepositoryFolder, make_repository


def garden(folder: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {f"f{at}.py": f"def grow_{at}(): ...\n" for at in range(25)}
    return make_repository(folder, files)


async def test_files_and_history_are_followed(tmp_path: Path) -> None:
    made = garden(tmp_path / "r")
    async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
        await keeper.refresh()
        sources = MapSources(keeper)
        assert await sources.ready(None)
        assert len(sources.word_index) == 25
        assert RepoPath("f1.py") in sources.cochange.activity
        made.write("new.py", "def sprout(): ...\n")
        made.git("rm", "-q", "f1.py")
        made.git("add", "new.py")
        made.git("commit", "-qm", "new")
        await keeper.refresh()
        assert await sources.ready(None)
        assert sources.word_index.find(Field.DEFINED, "sprout") == {"new.py": 1}
        assert "f1.py" not in sources.word_index
        assert RepoPath("new.py") in sources.cochange.activity


async def test_what_was_counted_is_kept_for_the_next_process(tmp_path: Path) -> None:
    made = garden(tmp_path / "r")
    for _ in range(2):
        async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
            await keeper.refresh()
            sources = MapSources(keeper)
            await sources.ready(None)
            assert sources.word_index.find(Field.DEFINED, "grow")
    async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
        # The index hasn't been read: all that is known is from the cache.
        sources = MapSources(keeper)
        await sources._restore()
        assert len(sources.word_index) == 25


async def test_a_repository_without_commits_has_no_history(tmp_path: Path) -> None:
    made = make_repository(tmp_path / "r")
    made.write("a.py", "x = 1\n")
    async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
        await keeper.refresh()
        sources = MapSources(keeper)
        assert await sources.ready(None)
        assert list(sources.word_index) == ["a.py"]
        assert sources.cochange.activity == {}


async def test_a_shallow_history_that_is_deepened_is_read_again(tmp_path: Path) -> None:
    made = garden(tmp_path / "r")
    made.write("f1.py", "x = 2\n")
    made.commit()
    shallow = tmp_path / "shallow"
    made.git("clone", "-q", "--depth=1", made.root.as_uri(), str(shallow))
    async with Indexer(await discover(shallow), tmp_path / "cache") as keeper:
        sources = MapSources(keeper)
        await sources.follow_history()
        before = sources.cochange.activity[RepoPath("f1.py")]
        made.git("-C", str(shallow), "fetch", "-q", "--unshallow")
        await sources.follow_history()
        assert sources.cochange.activity[RepoPath("f1.py")] > before
        again = MapSources(keeper)
        await again.follow_history()
        assert again.cochange.activity == sources.cochange.activity


async def test_after_one_change_only_that_file_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = garden(tmp_path / "r")
    async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
        await keeper.refresh()
        sources = MapSources(keeper)
        assert await sources.ready(None)
        looked_at: list[RepoPath] = []
        blob = keeper.blob

        def noted(path: RepoPath) -> str:
            looked_at.append(path)
            return blob(path)

        monkeypatch.setattr(keeper, "blob", noted)
        made.write("f2.py", "def wilt(): ...\n")
        await keeper.refresh([RepoPath("f2.py")])
        assert await sources.ready(None)
        assert looked_at == ["f2.py"]
        assert sources.word_index.find(Field.DEFINED, "wilt") == {"f2.py": 1}


async def test_nothing_is_counted_while_a_refresh_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(map_sources, "_SLICE_S", -1.0)
    made = garden(tmp_path / "r")
    async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
        await keeper.refresh()
        sources = MapSources(keeper)
        sources.follow()
        while not len(sources.word_index):
            await asyncio.sleep(0)
        made.write("f2.py", "def wilt(): ...\n")
        begun = len(sources.word_index)
        await keeper.refresh([RepoPath("f2.py")])
        assert begun <= len(sources.word_index) <= begun + 2
        assert await sources.ready(None)
        assert len(sources.word_index) == 25
        assert sources.word_index.find(Field.DEFINED, "wilt") == {"f2.py": 1}


async def test_who_stops_a_long_first_count_loses_a_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(map_sources, "_SLICE_S", -1.0)
    monkeypatch.setattr(map_sources, "_WORTH_KEEPING_EARLY", 5)
    made = garden(tmp_path / "r")
    async with Indexer(await discover(made.root), tmp_path / "cache") as keeper:
        await keeper.refresh()
        sources = MapSources(keeper)
        following = sources.follow()
        while len(sources.word_index) < 20:
            await asyncio.sleep(0)
        following.cancel()
        again = MapSources(keeper)
        await again._restore()
        assert 10 <= len(again.word_index) <= 20
