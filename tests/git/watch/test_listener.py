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


class Scene:
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
async def listening(tmp_path: Path) -> AsyncIterator[Scene]:
    folder = make_repository(tmp_path / "r", {"a.py": "x", "lib/b.py": "x", ".gitignore": "o/\n"})
    repository = await discover(folder.root)
    listener = FolderListener(repository)
    try:
        yield Scene(folder, listener, TreeCache(repository))
    finally:
        await listener.close()


async def test_it_listens_anew_only_where_the_folders_differ(tmp_path: Path) -> None:
    async with listening(tmp_path) as scene:
        assert await scene.follow()
        assert scene.listener.is_reliable
        assert not await scene.follow()
        notices = scene.listener._watch
        scene.folder.write("lib/c.py")
        assert await scene.listen()
        assert not await scene.follow()
        scene.folder.write("o/ignored")
        assert await scene.listen()
        assert not await scene.follow()
        assert scene.listener._watch is notices
        scene.folder.write("more/d.py")
        assert await scene.listen()
        assert await scene.follow()
        scene.folder.write("more/e.py")
        assert await scene.listen()
        scene.listener.rewatch_all()
        assert await scene.follow()


async def test_listening_ends_in_time_when_nothing_comes(tmp_path: Path) -> None:
    async with listening(tmp_path) as scene:
        await scene.follow()
        assert not await scene.listener.wait(await scene.tree.snapshot(), time.monotonic())


async def test_a_folder_that_vanishes_meanwhile_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as scene:
        gone = tmp_path / "r/lib"
        monkeypatch.setattr(
            "jupyter_ac.git.watch.listener._doubt",
            lambda *_: gone.rename(tmp_path / "gone") and "",
        )
        assert await scene.follow()
        assert scene.listener._watch is None
        monkeypatch.undo()
        assert await scene.follow()
        assert scene.listener.is_reliable


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
    async with listening(tmp_path) as scene:
        for _ in range(3):
            scene.listener.rewatch_all()
            assert await scene.follow()
            assert not scene.listener.is_reliable
        assert caplog.text.count(said) == 1
        monkeypatch.undo()
        scene.listener.rewatch_all()
        await scene.follow()
        assert scene.listener.is_reliable


async def test_folders_whose_names_are_not_utf8_are_doubted(tmp_path: Path) -> None:
    async with listening(tmp_path) as scene:
        scene.folder.write("caf\udce9/x.py")
        await scene.follow()
        assert not scene.listener.is_reliable
        scene.folder.write("a.py", "y")
        assert await scene.listen()


async def test_a_change_that_was_heard_late_raises_no_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as scene:
        await scene.follow()
        for _ in range(3):
            scene.folder.write("a.py", "y")
            await scene.listener.report_unannounced()
            assert await scene.listen()
        assert not scene.listener._doubt
        monkeypatch.setattr("jupyter_ac.git.watch.listener._DOUBT_S", 0.01)
        await asyncio.gather(
            scene.listener.report_unannounced(), scene.listener.report_unannounced()
        )
        scene.listener.rewatch_all()
        await scene.follow()
        assert not scene.listener.is_reliable


async def test_what_was_heard_is_not_lost_when_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as scene:
        await scene.follow()
        (tmp_path / "r/empty").mkdir()
        begun, release = threading.Event(), threading.Event()

        def slow(*_: object) -> Reaction:
            begun.set()
            release.wait(WAIT_S)
            return Reaction.NOTHING

        monkeypatch.setattr("jupyter_ac.git.watch.listener.reaction_to", slow)
        task = asyncio.create_task(scene.listen())
        await asyncio.to_thread(begun.wait, WAIT_S)
        task.cancel()
        await asyncio.wait({task})
        release.set()
        monkeypatch.undo()
        assert await scene.listener.needs_scan(await scene.tree.snapshot())
        assert await scene.follow()
        scene.folder.write("empty/x.py")
        assert await scene.listen()
