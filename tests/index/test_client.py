import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.errors import NotReady, RemoteError
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexClient, IndexState
from jupyter_ac.index.indexing.progress import RefreshProgress, ignore
from jupyter_ac.workers.process import Worker
from tests.support.deadly_files import KILLED, make_parsers_mortal
from tests.support.jupyter_files import BESIDE, JupyterFilesSetting, write_beside
from tests.support.processes import wait_until_gone
from tests.support.repositories import RepositoryFolder, make_repository

LIMIT_S = 90.0

FILES: dict[str, str | bytes] = {"a.py": "def fern(): ...\n", "b.py": "import a\n"}


@asynccontextmanager
async def client_of(
    folder: RepositoryFolder, cache: Path, worker: Worker | None = None
) -> AsyncIterator[IndexClient]:
    client = IndexClient(folder.root, cache, worker)
    try:
        async with asyncio.timeout(LIMIT_S):
            yield client
    finally:
        await client.aclose()


async def until_noticed(worker: Worker) -> None:
    while worker.pid is not None:
        await asyncio.sleep(0.01)


async def test_the_first_call_starts_the_worker_and_looks_at_the_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with client_of(folder, tmp_path / "c") as client:
        assert client.status[:2] == (IndexState.OFF, RefreshProgress(0, 0))
        assert await client.call("Index.skipped", timeout_s=LIMIT_S) == []
        assert client.status.state is IndexState.READY
        assert client.status.progress == RefreshProgress(2, 2)
        assert client.status.generation


async def test_it_is_made_ready_in_the_background_and_tells_how_far_it_is(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    told: list[RefreshProgress] = []
    client = IndexClient(folder.root, tmp_path / "c", report=told.append)
    client.start()
    assert not await client.ready(0)
    assert client.status.state is IndexState.INDEXING
    with pytest.raises(NotReady, match="still being made"):
        await client.call("Index.skipped", timeout_s=0)
    assert await client.ready(LIMIT_S)
    assert told[-1] == RefreshProgress(2, 2)
    await client.aclose()


async def test_changes_are_seen_after_a_refresh(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with client_of(folder, tmp_path / "c") as client:
        assert (await client.refresh()).changed == ()
        before = client.status.generation
        folder.write("large.py", "x = 1\n" * 200_000)
        done = await client.refresh([RepoPath("large.py")])
        assert (done.changed, done.skipped) == (("large.py",), 1)
        assert client.status.generation == done.generation != before
        assert await client.call("Index.skipped") == [
            {"path": "large.py", "reason": "too large (1.2 MB)"}
        ]


async def test_after_a_crash_of_the_worker_the_next_call_works(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    worker = Worker("index")
    async with client_of(folder, tmp_path / "c", worker) as client:
        await client.refresh()
        pid = worker.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert await client.call("Index.skipped", timeout_s=LIMIT_S) == []
        assert worker.pid not in {None, pid}
        again = worker.pid
        assert again is not None
        os.kill(again, signal.SIGKILL)
        await until_noticed(worker)
        folder.write("c.py", "x = 1\n")
        await client.refresh([RepoPath("c.py")])
        assert client.status.state is IndexState.READY


async def test_a_file_that_kills_parsers_is_named_and_the_index_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_parsers_mortal(tmp_path / "site", monkeypatch)
    folder = make_repository(tmp_path / "r", {**FILES, "deadly.py": KILLED})
    async with client_of(folder, tmp_path / "c") as client:
        assert await client.call("Index.skipped", timeout_s=LIMIT_S) == [
            {"path": "deadly.py", "reason": "the parser was ended by SIGKILL"}
        ]


async def test_a_tree_that_cannot_be_read_is_said_and_tried_again(tmp_path: Path) -> None:
    folder = RepositoryFolder(tmp_path / "r")
    folder.root.mkdir()
    async with client_of(folder, tmp_path / "c") as client:
        with pytest.raises(NotReady, match="is in no git repository"):
            await client.call("Index.skipped", timeout_s=LIMIT_S)
        assert client.status.state is IndexState.FAILED
        make_repository(folder.root, FILES)
        assert await client.call("Index.skipped", timeout_s=LIMIT_S) == []


async def test_an_error_of_the_worker_is_passed_on(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    async with client_of(folder, tmp_path / "c") as client:
        with pytest.raises(RemoteError):
            await client.call("Index.nosuch", timeout_s=LIMIT_S)


async def test_nothing_is_left_running(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    worker = Worker("index")
    client = IndexClient(folder.root, tmp_path / "c", worker, ignore)
    assert await client.ready(LIMIT_S)
    pid = worker.pid
    assert pid is not None
    await client.aclose()
    wait_until_gone(pid)
    assert not await client.ready(LIMIT_S)


class Large:
    """The worker of a tree that has more files than are indexed."""

    pid = 1

    async def start(self) -> None: ...

    async def aclose(self) -> None: ...

    async def call(self, *args: object, timeout_s: float) -> None: ...

    async def run(self, *_args: object, **_options: object) -> dict[str, object]:
        counts = dict.fromkeys(("parsed", "from_cache", "removed", "skipped"), 0)
        return {**counts, "changed": [], "generation": "1", "beyond": 12_345}


async def test_an_index_of_a_part_of_the_tree_says_so(tmp_path: Path) -> None:
    client = IndexClient(tmp_path, tmp_path / "c", cast("Worker", Large()))
    assert await client.ready(LIMIT_S)
    assert client.status.state is IndexState.READY
    assert "first 200,000 files by name; 12,345 more are left out" in client.status.reason
    await client.aclose()


async def test_what_jupyter_writes_is_in_it_by_the_wish_of_the_moment(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    write_beside(folder)
    wish = JupyterFilesSetting()
    client = IndexClient(folder.root, tmp_path / "c", shows_jupyter_files=wish)

    async def known() -> list[str]:
        rows = await client.call("Index.resolve_symbols", ["plot"])
        return sorted(row["file"] for row in cast("list[dict[str, str]]", rows))

    python = sorted(path for path in BESIDE if path.endswith(".py"))
    try:
        async with asyncio.timeout(LIMIT_S):
            for _ in range(2):
                wish.is_shown = False
                assert await known() == []
                before = client.status
                wish.is_shown = True
                assert client.status == before
                assert await known() == python
                assert client.status.generation != before.generation
            await client.refresh([RepoPath("a.py")])
            assert await known() == python
            assert client.status.state is IndexState.READY
    finally:
        await client.aclose()
