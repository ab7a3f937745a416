import asyncio
from functools import partial

from jupyter_ac.services.state_feed.followers import WOKEN_IN_A_ROW, Followers

MANY = 3 * WOKEN_IN_A_ROW


def crowd(followers: Followers, count: int) -> list[int]:
    woken: list[int] = []
    for number in range(count):
        followers.add(partial(woken.append, number))
    return woken


async def test_all_are_woken_in_turn_and_other_work_gets_its_turn_between() -> None:
    followers = Followers()
    woken = crowd(followers, MANY)
    followers.wake()
    assert woken == []
    seen = []
    while len(woken) < MANY:
        await asyncio.sleep(0)
        seen.append(len(woken))
    assert woken == list(range(MANY))
    assert seen == [WOKEN_IN_A_ROW, 2 * WOKEN_IN_A_ROW, MANY]


async def test_changes_that_come_all_the_time_starve_nobody() -> None:
    followers = Followers()
    woken = crowd(followers, MANY)
    for _ in range(3):
        followers.wake()
        await asyncio.sleep(0)
    assert sorted(woken) == list(range(MANY))


async def test_who_was_woken_before_a_change_is_woken_again() -> None:
    followers = Followers()
    woken = crowd(followers, 2)
    followers.wake()
    await asyncio.sleep(0)
    followers.wake()
    followers.wake()
    await asyncio.sleep(0)
    assert woken == [0, 1, 0, 1]


async def test_who_has_left_is_not_woken() -> None:
    followers = Followers()
    woken: list[str] = []

    def stay() -> None:
        woken.append("stays")

    def leave() -> None:
        woken.append("leaves")

    def first() -> None:
        followers.discard(leave)

    for wake in (first, leave, stay):
        followers.add(wake)
    followers.wake()
    await asyncio.sleep(0)
    assert woken == ["stays"]
    assert len(followers) == 2
    followers.discard(leave)


async def test_at_the_end_all_are_woken_at_once() -> None:
    followers = Followers()
    woken = crowd(followers, MANY)
    followers.wake()
    followers.wake_at_once()
    assert woken == list(range(MANY))
    await asyncio.sleep(0)
    assert len(woken) == MANY


def test_without_followers_no_event_loop_is_needed() -> None:
    Followers().wake()
