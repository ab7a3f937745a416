import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.watch.folders import Reaction
from jupyter_ac.git.watch.listener import FolderListener
from tests.support.repositories import RepositoryFolder, make_repository

WAIT_S = 90


class ListenerFixture:
    """A listener, and looks for it."""

    def __init__(self, folder: RepositoryFolder, listener: FolderListener, tree: TreeCache) -> None:
        self.folder = folder
        self.listener = listener
        self.tree = tree

    async def follow(self) -> bool:
        return await self.listener.update(await self.tree.snapshot())

    async def listen(self) -> bool:
        until = time.monotonic() + WAIT_S
        return await self.listener.wait(await self.tree.snapshot(), until)


@asynccontextmanager
async def listening(tmp_path: Path) -> AsyncIterator[ListenerFixture]:
    folder = make_repository(tmp_path / "r", {"a.py": "x", "lib/b.py": "x", ".gitignore": "o/\n"})
    repository = await discover(folder.root)
    listener = FolderListener(repository)
    try:
        yield ListenerFixture(folder, listener, TreeCache(repository))
    finally:
        await listener.close()


async def test_it_listens_anew_only_where_the_folders_differ(tmp_path: Path) -> None:
    async with listening(tmp_path) as fixture:
        assert await fixture.follow()
        assert fixture.listener.is_reliable
        assert not await fixture.follow()
        notices = fixture.listener._watch
        fixture.folder.write("lib/c.py")
        assert await fixture.listen()
        assert not await fixture.follow()
        fixture.folder.write("o/ignored")
        assert await fixture.listen()
        assert not await fixture.follow()
        assert fixture.listener._watch is notices
        fixture.folder.write("more/d.py")
        assert await fixture.listen()
        assert await fixture.follow()
        fixture.folder.write("more/e.py")
        assert await fixture.listen()
        fixture.listener.rewatch_all()
        assert await fixture.follow()


async def test_listening_ends_in_time_when_nothing_comes(tmp_path: Path) -> None:
    async with listening(tmp_path) as fixture:
        await fixture.follow()
        assert not await fixture.listener.wait(await fixture.tree.snapshot(), time.monotonic())


async def test_a_folder_that_vanishes_meanwhile_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as fixture:
        removed = tmp_path / "r/lib"
        monkeypatch.setattr(
            "jupyter_ac.git.watch.listener._unreliable_because",
            lambda *_: removed.rename(tmp_path / "gone") and "",
        )
        assert await fixture.follow()
        assert fixture.listener._watch is None
        monkeypatch.undo()
        assert await fixture.follow()
        assert fixture.listener.is_reliable


@pytest.mark.parametrize(
    ("replaced", "by", "said"),
    [
        ("watch_limit", lambda: 3, "fs.inotify.max_user_watches"),
        ("is_local", lambda _: False, "from elsewhere"),
    ],
)
async def test_what_can_not_be_relied_on_is_said_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    replaced: str,
    by: object,
    said: str,
) -> None:
    caplog.set_level(logging.INFO, "jupyter_ac")
    monkeypatch.setattr(f"jupyter_ac.git.watch.listener.{replaced}", by)
    async with listening(tmp_path) as fixture:
        for _ in range(3):
            fixture.listener.rewatch_all()
            assert await fixture.follow()
            assert not fixture.listener.is_reliable
        assert caplog.text.count(said) == 1
        monkeypatch.undo()
        fixture.listener.rewatch_all()
        await fixture.follow()
        assert fixture.listener.is_reliable


async def test_folders_whose_names_are_not_utf8_are_doubted(tmp_path: Path) -> None:
    async with listening(tmp_path) as fixture:
        fixture.folder.write("caf\udce9/x.py")
        await fixture.follow()
        assert not fixture.listener.is_reliable
        fixture.folder.write("a.py", "y")
        assert await fixture.listen()


async def test_a_change_that_was_heard_late_raises_no_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as fixture:
        await fixture.follow()
        for _ in range(3):
            fixture.folder.write("a.py", "y")
            await fixture.listener.report_unannounced()
            assert await fixture.listen()
        assert not fixture.listener._unreliable_because
        monkeypatch.setattr("jupyter_ac.git.watch.listener._DOUBT_S", 0.01)
        await asyncio.gather(
            fixture.listener.report_unannounced(), fixture.listener.report_unannounced()
        )
        fixture.listener.rewatch_all()
        await fixture.follow()
        assert not fixture.listener.is_reliable


async def test_what_was_heard_is_not_lost_when_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as fixture:
        await fixture.follow()
        (tmp_path / "r/empty").mkdir()
        begun, release = threading.Event(), threading.Event()

        def slow(*_: object) -> Reaction:
            begun.set()
            release.wait(WAIT_S)
            return Reaction.NOTHING

        monkeypatch.setattr("jupyter_ac.git.watch.listener.reaction_to", slow)
        task = asyncio.create_task(fixture.listen())
        await asyncio.to_thread(begun.wait, WAIT_S)
        task.cancel()
        await asyncio.wait({task})
        release.set()
        monkeypatch.undo()
        assert await fixture.listener.needs_scan(await fixture.tree.snapshot())
        assert await fixture.follow()
        fixture.folder.write("empty/x.py")
        assert await fixture.listen()
