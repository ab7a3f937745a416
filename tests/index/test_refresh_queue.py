import asyncio
from collections.abc import Collection

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import RepoPath
from jupyter_ac.index import refresh_queue
from jupyter_ac.index.refresh_queue import RefreshQueue


class Refreshes:
    """Remembers what it is asked to bring up to date."""

    def __init__(self) -> None:
        self.seen: list[list[str] | None] = []
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.failures = 0

    async def refresh(self, paths: Collection[RepoPath] | None = None) -> object:
        self.seen.append(None if paths is None else list(paths))
        await self.may_go_on.wait()
        if self.failures:
            self.failures -= 1
            raise NotReady("no index")
        return None


async def test_changes_that_come_together_are_one_refresh() -> None:
    index, times = Refreshes(), []
    follower = RefreshQueue(index, lambda: times.append(1))
    follower.touched(["b.py"])
    follower.touched(["a.py", "b.py"])
    assert await follower.settled(5.0)
    assert index.seen == [["a.py", "b.py"]]
    assert times == [1]
    await follower.aclose()


async def test_a_change_of_anything_is_a_look_at_everything() -> None:
    index = Refreshes()
    follower = RefreshQueue(index)
    follower.touched(["a.py"])
    follower.touched([])
    follower.touched(["b.py"])
    assert await follower.settled(5.0)
    assert index.seen == [None]
    await follower.aclose()


async def test_what_changes_during_a_refresh_is_in_the_next() -> None:
    index = Refreshes()
    index.may_go_on.clear()
    follower = RefreshQueue(index)
    follower.touched(["a.py"])
    while not index.seen:
        await asyncio.sleep(0.01)
    follower.touched(["b.py"])
    assert not await follower.settled(0.01)
    index.may_go_on.set()
    assert await follower.settled(5.0)
    assert index.seen == [["a.py"], ["b.py"]]
    await follower.aclose()


async def test_without_changes_all_is_settled() -> None:
    follower = RefreshQueue(Refreshes())
    assert await follower.settled(0.0)
    await follower.aclose()


async def test_the_end_forgets_what_waits() -> None:
    index = Refreshes()
    index.may_go_on.clear()
    follower = RefreshQueue(index)
    follower.touched(["a.py"])
    await follower.aclose()
    follower.touched(["b.py"])
    assert await follower.settled(5.0)
    assert index.seen in ([], [["a.py"]])


async def test_after_a_failure_everything_is_looked_at_until_it_succeeds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refresh_queue, "FIRST_RETRY_S", 0.01)
    index = Refreshes()
    index.failures = 2
    follower = RefreshQueue(index)
    follower.touched(["a.py"])
    assert await follower.settled(5.0)
    assert index.seen == [["a.py"], None, None]
    await follower.aclose()
