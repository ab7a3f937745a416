import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from jupyter_ac.index.indexing.cache import UNUSED_DAYS, Cache, Key

FERN, MOSS = Key("python", "fern"), Key("python", "moss")


@asynccontextmanager
async def cache_in(folder: Path, version: str = "1", **limits: int) -> AsyncIterator[Cache]:
    cache = Cache(folder, version, **limits)
    try:
        yield cache
    finally:
        await cache.aclose()


async def test_what_was_kept_is_found_again_by_another_process_of_the_same_version(
    tmp_path: Path,
) -> None:
    async with cache_in(tmp_path / "c") as cache:
        await cache.write({FERN: b"green", Key("toml", "fern"): b"other"})
        assert await cache.read([FERN, MOSS]) == {FERN: b"green"}
    async with cache_in(tmp_path / "c") as cache:
        await cache.write({FERN: b"greener"})
        assert await cache.read([FERN]) == {FERN: b"greener"}
    async with cache_in(tmp_path / "c", "2") as cache:
        assert await cache.read([FERN]) == {}
    assert (tmp_path / "c").stat().st_mode & 0o077 == 0


def overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[20:4000] = b"\xff" * 3980
    path.write_bytes(data)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def not_a_database(path: Path) -> None:
    path.write_text("a diary, by mistake" * 500)


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (dear, diary)")


def removed(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("harm", [overwritten, emptied, cut, not_a_database, foreign, removed])
@pytest.mark.parametrize("is_open", [False, True])
async def test_a_damaged_file_is_made_anew(
    tmp_path: Path, harm: Callable[[Path], None], is_open: bool
) -> None:
    async with cache_in(tmp_path) as first, cache_in(tmp_path) as second:
        await first.write({Key("python", f"{at}"): b"x" * 2000 for at in range(50)})
        if not is_open:
            await first.aclose()
        cache = first if is_open else second
        harm(cache.path)
        await cache.read([FERN])
        await cache.write({FERN: b"green"})
        await cache.write({MOSS: b"soft"})
        assert (await cache.read([FERN, MOSS])).get(MOSS) == b"soft"


async def test_an_entry_that_was_changed_on_the_disk_is_not_believed(tmp_path: Path) -> None:
    async with cache_in(tmp_path) as cache:
        await cache.write({FERN: b"green", MOSS: b"soft"})
        with closing(sqlite3.connect(cache.path, isolation_level=None)) as connection:
            connection.execute("UPDATE entries SET data = (SELECT max(data) FROM entries)")
        assert len(await cache.read([FERN, MOSS])) == 1


async def test_a_place_that_takes_nothing_costs_only_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with cache_in(tmp_path / "file" / "c") as cache:
        await cache.write({FERN: b"green"})
        assert await cache.read([FERN]) == {}
        await cache.tidy()


async def test_several_processes_write_at_once(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from jupyter_ac.index.indexing.cache import Cache, Key\n"
        "async def main():\n"
        "    cache = Cache(Path(sys.argv[1]), '1')\n"
        "    for at in range(30):\n"
        "        await cache.write({Key('python', f'{sys.argv[2]}-{at}'): b'x' * 3000})\n"
        "    await cache.aclose()\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    running = [subprocess.Popen([*command, f"{number}"]) for number in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    async with cache_in(tmp_path) as cache:
        keys = [Key("python", f"{number}-{at}") for number in range(3) for at in range(30)]
        assert len(await cache.read(keys)) == len(keys)


async def test_what_was_used_least_recently_goes_when_there_is_too_much(tmp_path: Path) -> None:
    async with cache_in(tmp_path, max_bytes=400_000) as cache:
        for at in range(6):
            await cache.write({Key("python", f"{at}"): bytes(100_000)})
        with closing(sqlite3.connect(cache.path, isolation_level=None)) as connection:
            connection.execute("UPDATE entries SET day = day - 5")
        await cache.read([Key("python", "0")])
        await cache.tidy()
        found = await cache.read(Key("python", f"{at}") for at in range(6))
        assert {key.name for key in found} == {"0", "5"}
        await cache.aclose()
        assert cache.path.stat().st_size < 400_000


async def test_files_of_other_versions_go_when_nobody_has_used_them_for_long(
    tmp_path: Path,
) -> None:
    old, recent, mine = (Cache(tmp_path, version) for version in ("old", "recent", "mine"))
    for cache in (old, recent, mine):
        await cache.write({FERN: b"green"})
        await cache.aclose()
    long_ago = time.time() - (UNUSED_DAYS + 1) * 86_400
    os.utime(old.path, (long_ago, long_ago))
    os.utime(mine.path, (long_ago, long_ago))
    async with cache_in(tmp_path, "mine") as cache:
        await cache.tidy()
    assert not old.path.exists()
    assert recent.path.exists()
    assert mine.path.exists()


async def test_a_cancelled_write_is_done_all_the_same(tmp_path: Path) -> None:
    async with cache_in(tmp_path) as cache:
        writing = asyncio.create_task(cache.write({FERN: b"green"}))
        await asyncio.sleep(0)
        writing.cancel()
        assert await cache.read([FERN]) == {FERN: b"green"}
