"""Load shedding: late calls, and which connections' next calls are refused."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.rpc import overload
from jupyter_ac.rpc.overload import LATE_CALLS, LATE_S, LOG_S, CallAges, HostLoad
from tests.jrpc_oo.objects import client_of, connected, serving

WAIT_S = 90.0


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def loaded() -> tuple[Clock, HostLoad]:
    clock = Clock()
    return clock, HostLoad(clock)


def test_nothing_is_refused_as_long_as_answers_come_in_time() -> None:
    clock, host = loaded()
    ages = CallAges(host)
    for _ in range(1000):
        calls = [ages.begin() for _ in range(500)]
        clock.now += LATE_S - 1
        assert not ages.is_overloaded()
        for call in calls:
            ages.end(call)
    clock.now += 3600
    assert not ages.is_overloaded()
    assert host.late == 0


def test_one_slow_method_is_no_overload() -> None:
    clock, host = loaded()
    ages = CallAges(host)
    for _ in range(LATE_CALLS - 1):
        ages.begin()
    clock.now += 1000
    assert not ages.is_overloaded()
    assert host.late == LATE_CALLS - 1


def test_many_late_calls_are_and_it_ends_with_them() -> None:
    clock, host = loaded()
    ages = CallAges(host)
    calls = [ages.begin() for _ in range(LATE_CALLS)]
    clock.now += LATE_S + 1
    assert ages.is_overloaded()
    ages.end(calls.pop())
    assert not ages.is_overloaded()
    for call in calls:
        ages.end(call)
    assert host.late == 0


def test_a_connection_that_is_answered_is_not_refused_for_another() -> None:
    clock, host = loaded()
    flood, other, waiting = CallAges(host), CallAges(host), CallAges(host)
    for _ in range(1000):
        flood.begin()
    waiting.begin()
    clock.now += LATE_S + 1
    quick = other.begin()
    assert flood.is_overloaded()
    assert not other.is_overloaded()
    assert waiting.is_overloaded()
    other.end(quick)
    flood.close()
    assert host.late == 1
    assert not waiting.is_overloaded()


def test_many_connections_with_few_calls_each_are_an_overload_as_well() -> None:
    clock, host = loaded()
    all_ages = [CallAges(host) for _ in range(200)]
    for ages in all_ages:
        ages.begin()
    clock.now += LATE_S + 1
    assert sum(ages.is_overloaded() for ages in all_ages) == 200 - LATE_CALLS + 1


def test_a_refusal_says_what_to_do_and_the_log_has_one_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, host = loaded()
    with caplog.at_level(logging.WARNING):
        for _ in range(1000):
            error = host.refuse()
        assert len(caplog.messages) == 1
        clock.now += LOG_S
        host.refuse()
    assert error.type == "busy"
    assert "try again" in str(error)
    assert caplog.messages[1].endswith("1000 refused as busy")


class Slow:
    """A method that answers when it is told to, and one that answers at once."""

    def __init__(self) -> None:
        self.received = asyncio.Event()
        self.waiting = 0

    async def slow(self) -> int:
        self.waiting += 1
        await self.received.wait()
        return self.waiting

    async def quick(self) -> str:
        return "here"


async def again_and_again(call: Callable[[], Awaitable[object]]) -> None:
    while True:
        assert await call() == "here"


async def test_a_real_server_refuses_while_a_slow_method_holds_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overload, "LATE_S", 0.2)
    offered = Slow()
    async with asyncio.timeout(WAIT_S), serving(offered) as server:
        flood, other = client_of(server), client_of(server)
        async with connected(flood), connected(other):
            held = [asyncio.create_task(flood.server["Slow.slow"]()) for _ in range(LATE_CALLS)]
            while offered.waiting < LATE_CALLS:
                assert await flood.server["Slow.quick"]() == "here"
            with pytest.raises(RemoteError, match="Nothing was done; try again") as refused:
                await again_and_again(flood.server["Slow.quick"])
            assert refused.value.remote_type == "busy"
            # Who has no late call himself is served, and the flood's own calls are answered.
            assert await other.server["Slow.quick"]() == "here"
            offered.received.set()
            assert await asyncio.gather(*held) == [LATE_CALLS] * LATE_CALLS
            assert await flood.server["Slow.quick"]() == "here"
