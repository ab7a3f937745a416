"""Methods that the clients of the tests call, and clients that don't wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from jupyter_ac.errors import Busy, Conflict
from jupyter_ac.http_client import HttpClient, Pauses
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access, CallRules, MethodTable, Namespace, method
from jupyter_ac.rpc.repeated_calls import RepeatedCalls
from jupyter_ac.rpc.running_call import current_call
from jupyter_ac.rpc.target_states import TargetStates
from tests.support.edge_server import EdgeServer, edge_server

PARTS = ("one ", "two ", "three")
CONNECTED = ("connected", "inspecting")


class Page:
    """Methods of seed 003."""

    @method(Access.EXECUTE, rules=CallRules(trigger="start_connect"))
    async def connect(self) -> str:
        _fire("connect_success")
        return "connected"

    @method(Access.EXECUTE, rules=CallRules(CONNECTED, "start_disconnect", changes_state=True))
    async def disconnect(self) -> str:
        _fire("disconnect_complete")
        return "gone"

    @method(Access.EXECUTE, rules=CallRules(CONNECTED, changes_state=True))
    async def clear(self, url: str, target: str = "") -> str:
        del target
        return url

    @method(Access.EXECUTE, rules=CallRules(CONNECTED, changes_state=True))
    async def js(self, code: str) -> str:
        return code


def _fire(trigger: str) -> None:
    target = current_call().target
    assert target is not None
    target.fire(trigger)


class Work:
    """Methods of a host."""

    def __init__(self) -> None:
        self.count = 0
        self.never = asyncio.Event()

    @method(Access.READ)
    async def read(self) -> int:
        return self.count

    @method(Access.WRITE)
    async def add(self, number: int = 1) -> int:
        self.count += number
        return self.count

    @method(Access.READ)
    async def fail(self) -> None:
        raise Conflict("It has changed.", {"path": "a.py"})

    @method(Access.WRITE)
    async def busy(self) -> None:
        self.count += 1
        raise Busy("Another one runs.")

    @method(Access.READ)
    async def wait(self) -> None:
        await self.never.wait()

    @method(Access.EXECUTE)
    async def write(self, *, how: str = "") -> dict[str, object]:
        call = current_call()
        call.report({"kind": "begin"})
        async with call.stream() as stream:
            for part in PARTS:
                stream.write(part)
                await asyncio.sleep(0.03)
            if how == "fail":
                raise Conflict("The model has gone.")
            if how == "hang":
                await self.never.wait()
        return {"text": "".join(PARTS)}


class Rpc:
    """What a host says of its methods."""

    @method(Access.READ)
    async def discover(self) -> dict[str, object]:
        return {
            "methods": {
                "Work.read": {"access": "read", "requires_state": []},
                "Work.add": {"access": "write", "requires_state": []},
                "clear": {"access": "execute", "requires_state": list(CONNECTED)},
            }
        }


@dataclass
class Waits:
    """Waits for nothing, and remembers for how long it should have."""

    seconds: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)

    def pauses(self) -> Pauses:
        return Pauses(self.sleep, lambda: 1.0)


@dataclass
class Edge:
    """A server with these methods."""

    server: EdgeServer
    work: Work
    waits: Waits

    def client(self, timeout_s: float = 90.0, hmac_key: bytes | None = None) -> HttpClient:
        pauses = self.waits.pauses()
        return HttpClient(self.server.url, "t", hmac_key, timeout_s=timeout_s, pauses=pauses)


@asynccontextmanager
async def edge(*, discovers: bool = True, guards: CallGuards | None = None) -> AsyncIterator[Edge]:
    """Serve the methods, and give what clients need."""
    work = Work()
    parts = [Namespace("", Page()), Namespace("Work", work)]
    if discovers:
        parts.append(Namespace("rpc", Rpc()))
    guards = guards or CallGuards(repeated=RepeatedCalls(), targets=TargetStates())
    async with edge_server(MethodTable(*parts), guards) as server:
        yield Edge(server, work, Waits())
        work.never.set()
