"""Calls with a key are carried out once."""

import asyncio

import pytest

from jupyter_ac.errors import Busy, InvalidParams, NotFound
from jupyter_ac.rpc import repeated_calls
from jupyter_ac.rpc.repeated_calls import KEPT_S, RepeatedCalls, repeat_key

KEY = ("ann", "page", "T.f", "k")


class Work:
    """Counts how often it is done."""

    def __init__(self) -> None:
        self.count = 0
        self.gate = asyncio.Event()
        self.error: Exception | None = None

    async def do(self) -> object:
        self.count += 1
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return self.count


async def test_a_repeated_call_gets_the_first_result_while_it_runs_and_later() -> None:
    calls, work = RepeatedCalls(), Work()
    both = [asyncio.create_task(calls.run(KEY, [], work.do)) for _ in range(2)]
    await asyncio.sleep(0)
    assert calls.knows(KEY)
    work.gate.set()
    assert await asyncio.gather(*both) == [1, 1]
    assert await calls.run(KEY, [], work.do) == 1
    assert await calls.run((*KEY[:3], "other"), [], work.do) == 2


async def test_a_failure_is_not_kept() -> None:
    calls, work = RepeatedCalls(), Work()
    work.gate.set()
    work.error = NotFound("x")
    with pytest.raises(NotFound):
        await calls.run(KEY, [], work.do)
    assert not calls.knows(KEY)
    work.error = None
    assert await calls.run(KEY, [], work.do) == 2


async def test_a_call_goes_on_when_its_caller_leaves() -> None:
    calls, work = RepeatedCalls(), Work()
    first = asyncio.create_task(calls.run(KEY, [], work.do))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait({first})
    second = asyncio.create_task(calls.run(KEY, [], work.do))
    work.gate.set()
    assert await second == 1
    assert work.count == 1


async def test_a_call_that_is_cancelled_is_carried_out_again() -> None:
    calls, work = RepeatedCalls(), Work()
    first = asyncio.create_task(calls.run(KEY, [], work.do))
    while not work.count:
        await asyncio.sleep(0)
    calls.cancel(KEY)
    calls.cancel((*KEY, "unknown"))
    await asyncio.wait({first})
    assert first.cancelled()
    work.gate.set()
    assert await calls.run(KEY, [], work.do) == 2


async def test_a_key_is_for_one_call() -> None:
    calls, work = RepeatedCalls(), Work()
    work.gate.set()
    await calls.run(KEY, {"a": 1}, work.do)
    with pytest.raises(InvalidParams, match="other params"):
        await calls.run(KEY, {"a": 2}, work.do)
    assert work.count == 1


async def test_at_the_end_nothing_runs_on() -> None:
    calls, work = RepeatedCalls(), Work()
    running = asyncio.create_task(calls.run(KEY, [], work.do))
    await asyncio.sleep(0)
    await calls.aclose()
    assert not calls.knows(KEY)
    await asyncio.wait({running})
    await calls.aclose()


async def test_results_are_kept_for_a_time_and_in_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    calls, work = RepeatedCalls(lambda: now[0]), Work()
    work.gate.set()
    await calls.run(KEY, [], work.do)
    now[0] = KEPT_S
    assert not calls.knows(KEY)
    monkeypatch.setattr(repeated_calls, "MAX_KEPT", 2)
    for name in "abc":
        await calls.run((name,), [], work.do)
    assert [calls.knows((name,)) for name in "abc"] == [False, True, True]
    work.gate.clear()
    running = [asyncio.create_task(calls.run((name,), [], work.do)) for name in "de"]
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="idempotency_key"):
        await calls.run(("f",), [], work.do)
    work.gate.set()
    await asyncio.gather(*running)


@pytest.mark.parametrize("given", ["", "x" * 201, 5, None, ["x"], True])
def test_a_key_is_a_short_text(given: object) -> None:
    with pytest.raises(InvalidParams, match="idempotency_key"):
        repeat_key(("a", "b"), "m", given)


def test_the_key_of_one_caller_means_nothing_for_another() -> None:
    assert repeat_key(("a", ""), "m", "k") != repeat_key(("b", ""), "m", "k")
    assert repeat_key(("a", ""), "m", "k") != repeat_key(("a", ""), "n", "k")
