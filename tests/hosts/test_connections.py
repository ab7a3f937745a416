"""A server's side of all its connections."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy, GitError
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.registry import WorkspaceRegistry
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.state_feed.feed import StateFeed

REPOSITORY = Repository(Path("/r"), Path("/r/.git"), Path("/r/.git"), "r")


class Space:
    """A workspace that serves by waiting for the connection to end."""

    def __init__(self) -> None:
        self.is_busy = False
        self.served = asyncio.Event()

    @asynccontextmanager
    async def follow(self, remote: Remote) -> AsyncIterator[StateFeed]:
        yield StateFeed({"whose": list(remote.conversation_key)})

    async def serve(self, transport: Transport, *_whose_and_how: object) -> None:
        self.served.set()
        try:
            await transport.receive()
        finally:
            await transport.close()


def connections_of(
    space: Space | None, *, reports_to_somebody: bool = True
) -> tuple[Connections, list[str]]:
    @asynccontextmanager
    async def build(_repository: Repository) -> AsyncIterator[Space]:
        if space is None:
            raise GitError("git is missing")
        yield space

    reports: list[str] = []
    registry = WorkspaceRegistry[Space](build, idle_s=60)
    report = (lambda: reports.append("active")) if reports_to_somebody else None
    connections = Connections(registry, 1 << 20, report)  # type: ignore[arg-type]  # the least of a workspace
    return connections, reports


def serve(connections: Connections) -> "tuple[asyncio.Task[None], Transport]":
    ours, theirs = direct_pair()
    return connections.serve(REPOSITORY, ours, Remote(), lambda _caller, _access: True), theirs


async def test_a_connection_is_served_until_it_ends() -> None:
    space = Space()
    connections, reports = connections_of(space)
    task, page = serve(connections)
    async with asyncio.timeout(30):
        await space.served.wait()
        await page.close()
        with pytest.raises(Exception, match="closed"):
            await task
        await connections.aclose()
    assert reports == []


async def test_what_keeps_the_workspace_from_opening_ends_the_connection_s_task() -> None:
    connections, _ = connections_of(None)
    task, _page = serve(connections)
    async with asyncio.timeout(30):
        with pytest.raises(GitError, match="git is missing"):
            await task
        await connections.aclose()


async def test_closing_ends_every_connection() -> None:
    space = Space()
    connections, _ = connections_of(space)
    task, _page = serve(connections)
    async with asyncio.timeout(30):
        await space.served.wait()
        await connections.aclose()
    assert task.done()


async def test_without_anyone_to_tell_a_person_is_served_all_the_same() -> None:
    space = Space()
    connections, _ = connections_of(space, reports_to_somebody=False)
    task, page = serve(connections)
    async with asyncio.timeout(30):
        await space.served.wait()
        connections.note_activity()
        await page.close()
        with pytest.raises(Exception, match="closed"):
            await task
        await connections.aclose()
    assert task.done()


async def test_a_turn_and_a_person_are_activity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.hosts.connections.ACTIVITY_INTERVAL_S", 0.01)
    space = Space()
    connections, reports = connections_of(space)
    serve(connections)
    async with asyncio.timeout(30):
        await space.served.wait()
        busy = [connections.is_busy]
        space.is_busy = True
        while not reports:
            await asyncio.sleep(0.01)
        busy.append(connections.is_busy)
        assert busy == [False, True]
        space.is_busy = False
        reports.clear()
        connections.note_activity()
        assert reports == ["active"]
        await connections.aclose()


async def test_there_is_a_limit_for_the_host_and_for_each_user() -> None:
    space = Space()
    connections, _ = connections_of(space)
    connections._limits = ConnectionLimits(open=3, each=2)
    ada, bob = Remote(Identity("ada")), Remote(Identity("bob"))
    pages = []

    def connect(remote: Remote) -> "asyncio.Task[None]":
        ours, theirs = direct_pair()
        pages.append(theirs)
        return connections.serve(REPOSITORY, ours, remote, lambda _caller, _access: True)

    async with asyncio.timeout(30):
        tasks = [connect(ada), connect(ada)]
        with pytest.raises(Busy, match="2 connections"):
            connect(ada)
        tasks.append(connect(bob))
        with pytest.raises(Busy, match="3 connections"):
            connect(bob)
        await space.served.wait()
        await pages[0].close()
        await asyncio.wait(tasks[:1])
        tasks.append(connect(bob))
        await connections.aclose()
        await asyncio.wait(tasks)


async def test_who_follows_gets_the_own_conversation_and_is_counted_apart() -> None:
    connections, _ = connections_of(Space())
    connections._limits = ConnectionLimits(open=1, streams=2, total=3)
    ada = Remote(Identity("ada"))
    async with asyncio.timeout(30), connections.follow(REPOSITORY, ada) as feed:
        assert b'{"revision":%d,"whose":["ada","",""]}' % feed.revision in feed.frame()
        async with connections.follow(REPOSITORY, ada):
            with pytest.raises(Busy, match="2 event streams"):
                await connections.follow(REPOSITORY, ada).__aenter__()
            connections.require_room(ada.identity)
        connections.require_stream_room()
        await connections.aclose()


async def test_streams_and_sockets_together_have_a_limit() -> None:
    connections, _ = connections_of(Space())
    connections._limits = ConnectionLimits(open=2, streams=2, total=2)
    async with (
        asyncio.timeout(30),
        connections.follow(REPOSITORY, Remote()),
        connections.follow(REPOSITORY, Remote()),
    ):
        with pytest.raises(Busy, match="no room"):
            connections.require_room(Remote().identity)
        await connections.aclose()


async def test_what_keeps_the_workspace_from_opening_frees_the_place_of_the_stream() -> None:
    connections, _ = connections_of(None)
    connections._limits = ConnectionLimits(streams=1)
    for _ in range(3):
        with pytest.raises(GitError, match="git is missing"):
            await connections.follow(REPOSITORY, Remote()).__aenter__()
    await connections.aclose()
