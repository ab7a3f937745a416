"""The calls of the other side; `test_peer` has their limits and `test_call_chain` cancelling."""

import asyncio
from collections.abc import Callable

from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import Dispatch
from jupyter_ac.rpc.incoming_calls import CANCEL, IN_FLIGHT_LIMIT, IncomingCalls, wait_for_stuck
from jupyter_ac.rpc.messages import ErrorObject
from jupyter_ac.rpc.peer import Peer
from tests.rpc.pairs import table


class World:
    """Calls whose answers are gathered."""

    def __init__(self, **handlers: Callable[..., object]) -> None:
        methods = table(**handlers)
        caller = Caller(Identity("ann"), ClientId(""), Peer(direct_pair()[0], {}))
        self.answers: list[tuple[object, object]] = []
        self.calls = IncomingCalls(methods, Dispatch(methods, caller, JSONRPC2), self._answered)

    def call(self, name: str, call_id: int, params: dict[str, object] | None = None) -> Call:
        return Call(name, params, call_id, is_answered=True)

    def _answered(self, call: Call, outcome: object) -> None:
        self.answers.append((call.id, outcome))


async def test_a_single_call_of_an_exchange_runs_in_the_callers_task() -> None:
    tasks: list[object] = []

    async def where() -> int:
        tasks.append(asyncio.current_task())
        await asyncio.sleep(0)
        return 1

    world = World(where=where)
    await world.calls.run([world.call("T.where", 5)])
    assert world.answers == [(5, 1)]
    assert tasks == [asyncio.current_task()]


async def test_several_calls_of_an_exchange_run_at_once() -> None:
    gate, waiting = asyncio.Event(), [0]

    async def meet() -> None:
        waiting[0] += 1
        if waiting[0] == IN_FLIGHT_LIMIT:
            gate.set()
        await gate.wait()

    world = World(meet=meet, plain=lambda: 2)
    calls = [world.call("T.meet", number) for number in range(IN_FLIGHT_LIMIT)]
    await world.calls.run([*calls, world.call("T.plain", -1)])
    assert len(world.answers) == IN_FLIGHT_LIMIT + 1
    assert not await world.calls.cancel_all()


async def test_a_queued_call_is_cancelled_before_it_begins() -> None:
    gate, begun = asyncio.Event(), list[int]()

    async def wait(number: int = 0) -> None:
        begun.append(number)
        await gate.wait()

    world = World(wait=wait)
    for number in range(IN_FLIGHT_LIMIT + 2):
        world.calls.admit(world.call("T.wait", number, {"number": number}))
    assert len(begun) == len(world.calls) == IN_FLIGHT_LIMIT
    world.calls.admit(Call(CANCEL, {"id": IN_FLIGHT_LIMIT}))
    ((call_id, outcome),) = world.answers
    assert call_id == IN_FLIGHT_LIMIT
    assert isinstance(outcome, ErrorObject)
    assert outcome.code == -32800
    gate.set()
    await world.calls.wait_for_end()
    assert begun == [*range(IN_FLIGHT_LIMIT), IN_FLIGHT_LIMIT + 1]
    assert len(world.answers) == IN_FLIGHT_LIMIT + 2
    await wait_for_stuck(await world.calls.cancel_all())


async def test_an_order_to_cancel_that_is_a_request_is_answered() -> None:
    world = World()
    world.calls.admit(world.call(CANCEL, 3, {"id": 9}))
    assert world.answers == [(3, None)]


async def test_a_call_that_is_cancelled_twice_is_answered_once() -> None:
    async def sleep() -> None:
        await asyncio.Event().wait()

    world = World(sleep=sleep)
    orders = [Call(CANCEL, {"id": 5}) for _ in range(2)]
    await world.calls.run([world.call("T.sleep", 5), world.call("T.sleep", 5), *orders])
    assert [call_id for call_id, _ in world.answers] == [5, 5]
    for _, outcome in world.answers:
        assert isinstance(outcome, ErrorObject)
        assert outcome.code == -32800


async def test_what_was_cancelled_in_the_queue_never_begins() -> None:
    gate, begun = asyncio.Event(), [0]

    async def sleep() -> None:
        begun[0] += 1
        await gate.wait()

    world = World(sleep=sleep)
    for number in range(IN_FLIGHT_LIMIT + 2):
        world.calls.admit(world.call("T.sleep", number))
    for _ in range(2):
        world.calls.admit(Call(CANCEL, {"id": IN_FLIGHT_LIMIT}))
    gate.set()
    await world.calls.wait_for_end()
    assert begun == [IN_FLIGHT_LIMIT + 1]
    assert sorted(int(str(call_id)) for call_id, _ in world.answers) == list(
        range(IN_FLIGHT_LIMIT + 2)
    )
