"""The remotes that are connected, and calls to one or to all of them."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from jupyter_ac.errors import AcError, CallError, ConnectionClosed, MethodNotFound
from jupyter_ac.jrpc_oo.calls import Answers, Functions
from jupyter_ac.jrpc_oo.event_loop import OwnerLoop
from jupyter_ac.rpc.dialect import LIST_COMPONENTS
from jupyter_ac.rpc.peer import Peer

_Outcome = TypeVar("_Outcome")


class RemoteEnd:
    """One remote; to be made on the event loop of its connection.

    Attributes:
        uuid: our own name for it; to the methods it calls it is `current_caller().client`.
        rpcs: its functions; each gives the bare value.
        peer: our end of the connection.
        greeting: ends when the remote has listed its methods, or is not going to.
        home: the loop.
    """

    def __init__(self, uuid: str, peer: Peer, greeting: "asyncio.Task[None]") -> None:
        self.uuid = uuid
        self.peer = peer
        self.greeting = greeting
        self.home = OwnerLoop()
        self.rpcs: Functions[object] = Functions(partial(_names, (self,)), self._call)

    async def _call(self, name: str, *args: object) -> object:
        if self.home.is_elsewhere():
            return await self.home.run(self.peer.call(name, *args))
        return await self.peer.call(name, *args)


class Remotes:
    """All that are connected. Their functions may be awaited in other loops than theirs.

    Attributes:
        by_uuid: a live view.
        call: functions that call every remote of that name.
        server: functions that call the only remote of that name.
        arrived: set when a remote is let in.

    Args:
        nobody: what a call fails with when nobody is connected; None: it reaches nobody and
            succeeds.
        coming: waits for who is on the way, and says whether anybody was; None: nobody ever is.
    """

    def __init__(
        self,
        nobody: Callable[[], AcError] | None,
        coming: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._nobody = nobody
        self._coming = coming
        self.arrived = asyncio.Event()
        self._home: OwnerLoop | None = None
        self._ends: dict[str, RemoteEnd] = {}
        self.by_uuid: Mapping[str, RemoteEnd] = MappingProxyType(self._ends)
        names = partial(_names, self._ends.values())
        self.call: Functions[Answers] = Functions(names, self._call_all)
        self.server: Functions[object] = Functions(names, self._call_one)

    def add(self, end: RemoteEnd) -> None:
        """Let a remote in."""
        self._home = end.home
        self._ends[end.uuid] = end
        self.arrived.set()

    def remove(self, uuid: str) -> None:
        """Forget a remote; open calls are ended by its connection."""
        del self._ends[uuid]

    async def _call_all(self, name: str, *args: object) -> Answers:
        if self._home is not None and self._home.is_elsewhere():
            return await self._home.run(self._call_all(name, *args))
        ends = await self._offering(name)
        answers = Answers()
        if not ends and self._nobody is None and not _names(self._ends.values()):
            return answers
        if not ends:
            raise self._missing(name)
        outcomes = await _together([end.peer.call(name, *args) for end in ends])
        for end, outcome in zip(ends, outcomes, strict=True):
            if isinstance(outcome, AcError):
                answers.errors[end.uuid] = outcome
            else:
                answers[end.uuid] = outcome
        if not answers:
            raise next(iter(answers.errors.values()))
        return answers

    async def _call_one(self, name: str, *args: object) -> object:
        if self._home is not None and self._home.is_elsewhere():
            return await self._home.run(self._call_one(name, *args))
        ends = await self._offering(name)
        if not ends:
            raise self._missing(name)
        if len(ends) > 1:
            raise CallError(
                f"{len(ends)} remotes offer {name}: call one by remotes[uuid].rpcs[{name!r}], "
                f"or all by call[{name!r}]"
            )
        return await ends[0].peer.call(name, *args)

    async def _offering(self, name: str) -> list[RemoteEnd]:
        """Find who has a method; when nobody has, wait for those who have yet to list theirs."""
        while True:
            ends = [
                end
                for end in self._ends.values()
                if name in end.peer.remote_methods and not end.peer.closed
            ]
            if ends:
                return ends
            arriving = [end.greeting for end in self._ends.values() if not end.greeting.done()]
            if not arriving:
                if not self._ends and self._coming is not None and await self._coming():
                    continue
                return []
            await asyncio.wait(arriving, return_when=asyncio.FIRST_COMPLETED)

    def _missing(self, name: str) -> AcError:
        # One that has just ended may not have been removed yet.
        if all(end.peer.closed for end in self._ends.values()):
            return (
                ConnectionClosed("nobody is connected") if self._nobody is None else self._nobody()
            )
        return MethodNotFound(f"no remote offers {name}")


def _names(ends: Iterable[RemoteEnd]) -> frozenset[str]:
    live = [end.peer.remote_methods for end in ends if not end.peer.closed]
    return frozenset[str]().union(*live) - {LIST_COMPONENTS}


async def _together(
    calls: list[Coroutine[None, None, _Outcome]],
) -> list[_Outcome | AcError]:
    """Wait for all calls, each of them bounded; what is no error of ours is raised."""
    if len(calls) == 1:
        try:
            return [await calls[0]]
        except AcError as error:
            return [error]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    found: list[_Outcome | AcError] = []
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, AcError):
            raise outcome
        found.append(outcome)
    return found
