"""The bounded queue of incoming frames."""

import asyncio
from collections.abc import Awaitable

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.transports.inbox import Inbox

WAIT_S = 90.0


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def finishes(waiting: Awaitable[None] | None) -> None:
    assert waiting is not None
    async with asyncio.timeout(WAIT_S):
        await waiting


def roomy() -> Inbox:
    return Inbox(256, 1_000_000)


async def test_frames_come_out_in_order() -> None:
    inbox = roomy()
    for frame in ("a", b"b", "c"):
        assert inbox.put(frame) is None
    assert [await inbox.get() for _ in range(3)] == ["a", b"b", "c"]


async def test_who_puts_into_a_full_inbox_has_something_to_wait_for() -> None:
    inbox = Inbox(2, 1_000_000)
    assert inbox.put("a") is None
    room = inbox.put("b")
    waiting = asyncio.create_task(inbox.wait_room())
    await settle()
    assert (inbox.has_room, waiting.done()) == (False, False)
    await inbox.get()
    await finishes(room)
    await finishes(waiting)
    await inbox.wait_room()
    assert inbox.has_room


async def test_bytes_are_bounded_too() -> None:
    inbox = Inbox(256, 10)
    assert inbox.put("x" * 9) is None
    room = inbox.put("x")
    await inbox.get()
    await finishes(room)


async def test_one_who_gives_up_waiting_for_room_takes_it_from_no_other() -> None:
    inbox = Inbox(1, 100)
    room = inbox.put("a")
    impatient = asyncio.create_task(inbox.wait_room())
    await settle()
    impatient.cancel()
    await settle()
    assert (impatient.cancelled(), inbox.has_room) == (True, False)
    await inbox.get()
    await finishes(room)


async def test_the_end_frees_both_sides() -> None:
    inbox = Inbox(1, 100)
    room = inbox.put("a")
    inbox.end(ConnectionClosed("over", 1001), drop=True)
    await finishes(room)
    with pytest.raises(ConnectionClosed, match="over"):
        await inbox.get()
    waiting = roomy()
    getter = asyncio.create_task(waiting.get())
    await settle()
    waiting.end(ConnectionClosed("over"), drop=False)
    with pytest.raises(ConnectionClosed):
        await getter


async def test_frames_before_the_end_are_given_unless_dropped() -> None:
    inbox = roomy()
    inbox.put("last")
    inbox.end(ConnectionClosed(), drop=False)
    assert inbox.put("too late") is None
    assert await inbox.get() == "last"
    with pytest.raises(ConnectionClosed):
        await inbox.get()


async def test_frames_are_pushed_only_while_someone_waits_for_them() -> None:
    inbox, pushed = roomy(), []

    def take(frame: str | bytes) -> bool:
        pushed.append(frame)
        return False

    inbox.push_to(take)
    assert inbox.put("queued, nobody waits") is None
    assert await inbox.get() == "queued, nobody waits"
    getter = asyncio.create_task(inbox.get())
    await settle()
    assert inbox.put("pushed") is None
    assert pushed == ["pushed"]
    inbox.push_to(None)
    inbox.put("queued, pushing is off")
    assert await getter == "queued, pushing is off"


async def test_what_a_pushed_frame_sets_in_motion_gets_its_turn() -> None:
    inbox, ran = roomy(), asyncio.Event()

    def take(_frame: str | bytes) -> bool:
        asyncio.get_running_loop().call_soon(ran.set)
        return True

    inbox.push_to(take)
    getter = asyncio.create_task(inbox.get())
    await settle()
    await finishes(inbox.put("x"))
    assert ran.is_set()
    getter.cancel()


async def test_a_frame_that_comes_while_one_is_pushed_waits_its_turn() -> None:
    inbox, depth, order = roomy(), [0], []

    def take(frame: str | bytes) -> bool:
        depth[0] += 1
        order.append((frame, depth[0]))
        if frame == "outer":
            inbox.put("inner")
        depth[0] -= 1
        return False

    inbox.push_to(take)
    getter = asyncio.create_task(inbox.get())
    await settle()
    inbox.put("outer")
    assert order == [("outer", 1)]
    assert await getter == "inner"


async def test_other_connections_get_their_turn_in_a_long_burst() -> None:
    inbox = Inbox(max_frames=8, max_bytes=100)
    taken: list[str | bytes] = []

    def take(frame: str | bytes) -> bool:
        taken.append(frame)
        return False

    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.push_to(take)
    turns = [inbox.put(str(number)) for number in range(320)]
    assert len(taken) == 320
    assert sum(turn is not None for turn in turns) == 10
    for turn in turns:
        if turn is not None:
            await turn
    reading.cancel()
