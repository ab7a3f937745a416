"""Open calls: answered once, failed together, timeouts with the method's name."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed, TimedOut
from jupyter_ac.rpc.messages import Success
from jupyter_ac.rpc.pending_calls import PendingCalls


async def test_an_answer_reaches_its_call_and_no_other() -> None:
    pending = PendingCalls()
    with pending.wait_for(1, "A.a", 60) as first, pending.wait_for(2, "A.b", 60) as second:
        pending.settle(2, Success(2, "two"))
        pending.settle(2, Success(2, "again"))
        pending.settle(3, Success(3, "of nobody"))
        assert await second == "two"
        assert not first.done()


async def test_all_open_calls_fail_when_the_connection_ends() -> None:
    pending = PendingCalls()
    with pending.wait_for(1, "A.a", 60) as first, pending.wait_for(2, "A.b", 60) as second:
        pending.fail(ConnectionClosed("gone", 1001))
        for future in (first, second):
            with pytest.raises(ConnectionClosed, match="gone"):
                await future


async def test_a_call_that_nobody_answers_names_itself() -> None:
    pending = PendingCalls()
    with pending.wait_for(1, "A.slow", 0.0) as future, pytest.raises(TimedOut, match=r"A\.slow"):
        await asyncio.wait_for(future, 60)
