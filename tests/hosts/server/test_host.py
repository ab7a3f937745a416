"""The server's side of all connections."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.registry import WorkspaceRegistry
from jupyter_ac.hosts.server.host import ServerHost
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.transport import Transport

REPOSITORY = Repository(Path("/r"), Path("/r/.git"), Path("/r/.git"), "r")


class Space:
    """A workspace that serves by waiting for the connection to end."""

    def __init__(self) -> None:
        self.is_busy = False
        self.served = asyncio.Event()

    async def serve(self, transport: Transport, _remote: Remote, _authorize: object) -> None:
        self.served.set()
        try:
            await transport.receive()
        finally:
            await transport.close()


def host_of(space: Space | None) -> tuple[ServerHost, list[str]]:
    @asynccontextmanager
    async def build(_repository: Repository) -> AsyncIterator[Space]:
        if space is None:
            raise GitError("git is missing")
        yield space

    reports: list[str] = []
    registry = WorkspaceRegistry[Space](build, idle_s=60)
    host = ServerHost(registry, 1 << 20, lambda: reports.append("active"))  # type: ignore[arg-type]  # the least of a workspace
    return host, reports


def serve(host: ServerHost) -> "tuple[asyncio.Task[None], Transport]":
    ours, theirs = direct_pair()
    return host.serve(REPOSITORY, ours, Remote(), lambda _caller, _access: True), theirs


async def test_a_connection_is_served_until_it_ends() -> None:
    space = Space()
    host, reports = host_of(space)
    task, page = serve(host)
    async with asyncio.timeout(5):
        await space.served.wait()
        await page.close()
        with pytest.raises(Exception, match="closed"):
            await task
        await host.aclose()
    assert reports == []


async def test_what_keeps_the_workspace_from_opening_ends_the_connection_s_task() -> None:
    host, _ = host_of(None)
    task, _page = serve(host)
    async with asyncio.timeout(5):
        with pytest.raises(GitError, match="git is missing"):
            await task
        await host.aclose()


async def test_closing_the_host_ends_every_connection() -> None:
    space = Space()
    host, _ = host_of(space)
    task, _page = serve(host)
    async with asyncio.timeout(5):
        await space.served.wait()
        await host.aclose()
    assert task.done()


async def test_a_turn_and_a_person_are_activity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.hosts.server.host.ACTIVITY_INTERVAL_S", 0.01)
    space = Space()
    host, reports = host_of(space)
    serve(host)
    async with asyncio.timeout(5):
        await space.served.wait()
        busy = [host.is_busy]
        space.is_busy = True
        while not reports:
            await asyncio.sleep(0.01)
        busy.append(host.is_busy)
        assert busy == [False, True]
        space.is_busy = False
        reports.clear()
        host.note_activity()
        assert reports == ["active"]
        await host.aclose()
