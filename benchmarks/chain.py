"""What the chain of checks adds to a call: without any optional step, and with all of them."""

import asyncio
import logging
import time
from typing import Final

from benchmarks.figure import at_most
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.call_log import CallLog
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards, Dispatch
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.repeated_calls import RepeatedCalls
from jupyter_ac.rpc.signatures import SignatureVerifier, sign
from jupyter_ac.rpc.target_states import TargetStates
from jupyter_ac.rpc.token_bucket import RateLimiter

ROUNDS: Final = 9
COUNT: Final = 2000
KEY: Final = b"k" * 32


async def read(path: str, line: int = 0) -> str:
    """Be a method that waits for nothing."""
    return path[line:]


def guards() -> CallGuards:
    """All optional steps; the log is off, as it is unless somebody asks for it."""
    return CallGuards(
        authorize=lambda _caller, _access: True,
        verifier=SignatureVerifier(KEY, required=True),
        limiter=RateLimiter({"T.read": 10**9}),
        repeated=RepeatedCalls(),
        targets=TargetStates(),
        metrics=CallMetrics(["T.read"]),
        log=CallLog(logging.getLogger("benchmarks.chain"), str),
    )


def calls(*, is_signed: bool) -> list[Call]:
    """Calls as they come from a connection, each with a signature of its own."""
    message: dict[str, object] = {"jsonrpc": "2.0", "method": "T.read", "params": ["a.py", 1]}
    made = []
    for number in range(COUNT):
        call: dict[str, object] = {**message, "id": number}
        if is_signed:
            call["auth"] = sign(KEY, call, int(time.time()), f"n{number}-{time.monotonic_ns()}")
        made.append(Call("T.read", ["a.py", 1], number, is_answered=True, message=call))
    return made


async def each_us(steps: CallGuards) -> float:
    """Microseconds for a call, less those of the method itself."""
    method = Method.of("T.read", read, Access.READ)
    peer = Peer(direct_pair()[0], {})
    caller = Caller(Identity("ann"), ClientId("page"), peer)
    dispatch = Dispatch({"T.read": method}, caller, JSONRPC2, steps)
    answered: list[object] = []
    waiting = calls(is_signed=steps.verifier is not None)
    began_s = time.perf_counter()
    for call in waiting:
        work = dispatch.start(call, lambda _call, outcome: answered.append(outcome))
        if work is not None:
            await work
    chained_s = time.perf_counter() - began_s
    if answered != [".py"] * COUNT:
        raise RuntimeError(f"not every call was carried out: {answered[:1]}")
    began_s = time.perf_counter()
    for _ in range(COUNT):
        await read("a.py", 1)
    return (chained_s - (time.perf_counter() - began_s)) / COUNT * 1e6


async def measure() -> None:
    """Measure both in turns."""
    least, most = [], []
    for _ in range(ROUNDS):
        least.append(await each_us(NO_GUARDS))
        most.append(await each_us(guards()))
    at_most("the chain around a call, no optional step", least, "µs", 30).emit()
    at_most("the chain around a call, all optional steps", most, "µs", 100).emit()


if __name__ == "__main__":
    asyncio.run(measure())
