"""One workspace per repository, closed when nobody needs it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, NotReady
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.registry import WorkspaceRegistry

IDLE_S = 900.0


@dataclass
class Space:
    """The least that can be kept in a registry."""

    repository: Repository
    is_busy: bool = False
    is_open: bool = True


@dataclass
class Clock:
    """Calls for later, made when the test says so."""

    due: list["Due"] = field(default_factory=list)

    def call_later(self, delay: float, callback: Callable[[], object]) -> "Due":
        assert delay == IDLE_S
        self.due.append(Due(callback))
        return self.due[-1]

    def strike(self) -> None:
        due, self.due = self.due, []
        for call in due:
            if not call.cancelled:
                call.callback()


@dataclass
class Due:
    callback: Callable[[], object]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class House:
    """A registry with its clock and everything that was ever opened."""

    clock: Clock = field(default_factory=Clock)
    opened: list[Space] = field(default_factory=list)
    failing: bool = False

    def __post_init__(self) -> None:
        self.registry: WorkspaceRegistry[Space] = WorkspaceRegistry(self.build, IDLE_S, self.clock)

    def build(self, repository: Repository) -> AbstractAsyncContextManager[Space]:
        return self.space(repository)

    @asynccontextmanager
    async def space(self, repository: Repository) -> AsyncIterator[Space]:
        if self.failing:
            raise GitError("git is missing")
        space = Space(repository)
        self.opened.append(space)
        try:
            yield space
        finally:
            space.is_open = False


def repository(name: str) -> Repository:
    root = Path("/work") / name
    return Repository(root, root / ".git", root / ".git", name)


async def settle(space: Space) -> None:
    """Let the registry's own tasks run until the space is closed."""
    async with asyncio.timeout(30):
        while space.is_open:
            await asyncio.sleep(0)


async def test_users_of_one_repository_share_its_workspace() -> None:
    house = House()
    async with (
        house.registry.use(repository("a")) as first,
        house.registry.use(repository("a")) as second,
        house.registry.use(repository("b")) as other,
    ):
        assert first is second
        assert first is not other
        assert len(house.registry) == 2
    await house.registry.aclose()


async def test_users_who_come_while_it_opens_get_the_same_one() -> None:
    house = House()

    async def use() -> Space:
        async with house.registry.use(repository("a")) as space:
            return space

    one, two = await asyncio.gather(use(), use())
    assert one is two
    await house.registry.aclose()


async def test_it_closes_when_idle_and_opens_anew_for_the_next_user() -> None:
    house = House()
    async with house.registry.use(repository("a")) as first:
        pass
    assert first.is_open
    house.clock.strike()
    await settle(first)
    async with house.registry.use(repository("a")) as second:
        assert second is not first
    await house.registry.aclose()


async def test_a_user_who_comes_back_in_time_keeps_it_open() -> None:
    house = House()
    async with house.registry.use(repository("a")) as first:
        pass
    async with house.registry.use(repository("a")) as second:
        house.clock.strike()
        assert second is first
        assert first.is_open
    await house.registry.aclose()


async def test_a_stream_without_a_user_keeps_it_open_until_it_ends() -> None:
    house = House()
    async with house.registry.use(repository("a")) as space:
        space.is_busy = True
    assert house.registry.is_busy
    house.clock.strike()
    assert space.is_open
    space.is_busy = False
    house.clock.strike()
    await settle(space)
    assert not house.registry.is_busy


async def test_what_keeps_it_from_opening_reaches_the_user_and_is_tried_again() -> None:
    house = House(failing=True)
    with pytest.raises(GitError, match="git is missing"):
        async with house.registry.use(repository("a")):
            pass
    house.failing = False
    async with house.registry.use(repository("a")) as space:
        assert space.is_open
    await house.registry.aclose()


async def test_the_next_one_opens_only_after_the_last_has_closed() -> None:
    house = House()
    async with house.registry.use(repository("a")) as first:
        pass
    house.clock.strike()
    async with house.registry.use(repository("a")):
        assert not first.is_open
    await house.registry.aclose()


async def test_closing_the_host_closes_all_and_refuses_new_users() -> None:
    house = House()
    async with house.registry.use(repository("a")), house.registry.use(repository("b")):
        await house.registry.aclose()
        assert [space.is_open for space in house.opened] == [False, False]
    with pytest.raises(NotReady, match="stopping"):
        async with house.registry.use(repository("a")):
            pass
    assert len(house.registry) == 0
