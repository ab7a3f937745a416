"""Changes from outside reach the pages of real workspaces."""

import asyncio
import os
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.settings.admin import JupyterAC
from tests.services.llm.pages import Page
from tests.support.checked_peer import CheckedPeer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.watched import until

WAIT_S = 90


@asynccontextmanager
async def opened(folder: RepositoryFolder) -> AsyncIterator[Workspace]:
    resources = HostResources()
    planner = ModelPlanner({}, folder.root.parent / "no-settings", JupyterAC(), lambda: False)
    try:
        async with Workspace(await discover(folder.root), resources, planner) as workspace:
            yield workspace
    finally:
        await resources.aclose()


@asynccontextmanager
async def connected(workspace: Workspace) -> AsyncIterator[Page]:
    ours, theirs = direct_pair()
    remote = Remote(Identity("ada"), ClientId("page"))
    serving = asyncio.create_task(workspace.serve(ours, remote, lambda _caller, _access: True))
    page = Page(("AcApp.filesModified",))
    page.peer = CheckedPeer(theirs, page.methods)
    running = asyncio.create_task(page.peer.run())
    try:
        async with asyncio.timeout(WAIT_S):
            await page.peer.handshaken()
        yield page
    finally:
        await page.peer.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(running, serving)


def told(page: Page) -> list[list[object]]:
    found = [paths for (paths,) in page.named("filesModified")]
    return [paths for paths in found if isinstance(paths, list)]


async def is_told(page: Page, path: str) -> None:
    await page.until(lambda page: any(path in str(paths) for paths in told(page)), WAIT_S)


def watchers() -> int:
    return sum(thread.name == "folder watch" for thread in threading.enumerate())


def notice_files() -> int:
    opened = Path("/proc/self/fd").iterdir()
    return sum("inotify" in str(each.readlink()) for each in opened if os.path.lexists(each))


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"a.py": "1\n", "lib/b.py": "2\n"})


async def test_each_workspace_notices_the_other_ones_writes_and_everybody_those_from_outside(
    folder: RepositoryFolder,
) -> None:
    async with AsyncExitStack() as stack:
        spaces = [await stack.enter_async_context(opened(folder)) for _ in range(2)]
        one, two = [await stack.enter_async_context(connected(space)) for space in spaces]
        for page in (one, two):
            await page.peer.call("Repo.get_file_tree")
        await one.peer.call("Repo.write_file", "a.py", "one\n")
        await is_told(two, "a.py")
        await two.peer.call("Repo.rename_file", "lib/b.py", "lib/c.py")
        await is_told(one, "lib/c.py")
        folder.write("end.py")
        await asyncio.gather(is_told(one, "end.py"), is_told(two, "end.py"))
        for page in (one, two):
            # The two names of a renaming may come one by one; [] tells of git's own files.
            assert list(chain.from_iterable(told(page))) == [
                "a.py",
                "lib/b.py",
                "lib/c.py",
                "end.py",
            ]


async def test_what_changes_after_a_page_has_asked_for_the_tree_is_told(
    folder: RepositoryFolder,
) -> None:
    async with opened(folder) as workspace:
        for number in range(3):
            async with connected(workspace) as page:
                await page.peer.call("Repo.get_file_tree")
                folder.write(f"new{number}.py")
                await is_told(page, f"new{number}.py")
                assert told(page) == [[f"new{number}.py"]]


async def test_nothing_watches_when_nobody_is_connected(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.hosts.workspace.LINGER_S", 0.05)
    async with opened(folder) as workspace:
        assert watchers() == 0
        for _ in range(2):
            async with connected(workspace):
                await until(lambda: watchers() == 1)
                async with connected(workspace):
                    pass
                assert watchers() == 1
            await until(lambda: (watchers(), notice_files()) == (0, 0))
    assert (watchers(), notice_files()) == (0, 0)


async def test_a_page_that_is_loaded_again_finds_the_watch_running(
    folder: RepositoryFolder,
) -> None:
    async with opened(folder) as workspace:
        async with connected(workspace):
            await until(lambda: watchers() == 1)
            (thread,) = [each for each in threading.enumerate() if each.name == "folder watch"]
        async with connected(workspace) as page:
            folder.write("a.py", "2\n")
            await is_told(page, "a.py")
            assert thread.is_alive()
    await until(lambda: (watchers(), notice_files()) == (0, 0))
    assert not thread.is_alive()


async def test_the_workspace_serves_on_when_its_repository_is_gone(
    folder: RepositoryFolder, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(folder) as workspace, connected(workspace) as page:
        await until(lambda: watchers() == 1)
        while folder.root.exists():  # the workspace may still write into it
            shutil.rmtree(folder.root, ignore_errors=True)
        await until(lambda: "can't be watched" in caplog.text)
        assert await page.peer.call("LLMService.get_selected_files") == []
    assert caplog.text.count("can't be watched") == 1
