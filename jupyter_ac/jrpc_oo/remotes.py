"""The connected remotes, and calls to their functions by name: `call["Class.method"](1, 2)`."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Concatenate, Generic, TypeAlias, TypeVar, overload

from jupyter_ac.errors import AcError, CallError, ConnectionClosed, MethodNotFound
from jupyter_ac.rpc.dialect import LIST_COMPONENTS
from jupyter_ac.rpc.peer import Peer

Result = TypeVar("Result")
_Default = TypeVar("_Default")

Function: TypeAlias = Callable[..., Coroutine[None, None, Result]]
"""Calls one remote method; returns a coroutine."""

Run: TypeAlias = Callable[Concatenate[str, ...], Coroutine[None, None, Result]]
"""Calls the remote method named by its first argument."""


class Answers(dict[str, object]):
    """The remotes' answers, by uuid.

    Attributes:
        errors: errors of the remotes that didn't answer, by uuid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.errors: dict[str, AcError] = {}


class Functions(Mapping[str, Function[Result]], Generic[Result]):
    """Remote functions by full name: a live view, also valid after a reconnect.

    Every name gives a function, so that one can be fetched before the other side is connected.
    Iteration, length, `in` and `get` cover only the names that are offered at present.

    Args:
        names: returns the names offered at present.
        run: calls a function.
    """

    def __init__(self, names: Callable[[], Collection[str]], run: Run[Result]) -> None:
        self._names = names
        self._run = run

    def __getitem__(self, name: str) -> Function[Result]:
        if name == LIST_COMPONENTS:
            # Upstream's peers would read the call as the message that we offer nothing any more.
            raise MethodNotFound(f"{name} is not to be called; the names are listed here")
        return partial(self._run, name)

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    @overload
    def get(self, key: str, /) -> Function[Result] | None: ...
    @overload
    def get(
        self, key: str, /, default: Function[Result] | _Default
    ) -> Function[Result] | _Default: ...
    def get(self, key: str, /, default: object = None) -> object:
        """Return the function of a name that is offered at present, else the default."""
        if key in self:
            return self[key]
        return default


_Result = TypeVar("_Result")


class OwnerLoop:
    """The event loop on which it is created, for use from other loops and threads."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def is_elsewhere(self) -> bool:
        """Return whether the caller runs in another loop, or in none."""
        return _running() is not self._loop and not self._loop.is_closed()

    async def run(self, work: Coroutine[None, None, _Result]) -> _Result:
        """Run a coroutine on this loop, and wait for it in another loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def call(self, action: Callable[[], None]) -> None:
        """Run a function on this loop: immediately if called there, otherwise soon."""
        if self.is_elsewhere():
            self._loop.call_soon_threadsafe(action)
        else:
            action()


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_Outcome = TypeVar("_Outcome")


class RemoteEnd:
    """One remote; must be created on the event loop of its connection.

    Attributes:
        uuid: our identifier for it; in the methods that it calls it is `current_caller().client`.
        rpcs: its functions; each returns the bare value.
        peer: our end of the connection.
        handshake: ends when the remote has listed its methods, or failed to.
        loop: the event loop.
    """

    def __init__(self, uuid: str, peer: Peer, handshake: "asyncio.Task[None]") -> None:
        self.uuid = uuid
        self.peer = peer
        self.handshake = handshake
        self.loop = OwnerLoop()
        self.rpcs: Functions[object] = Functions(partial(_names, (self,)), self._call)

    async def _call(self, name: str, *args: object) -> object:
        if self.loop.is_elsewhere():
            return await self.loop.run(self.peer.call(name, *args))
        return await self.peer.call(name, *args)


class Remotes:
    """All connected remotes. Their functions may be awaited in any event loop.

    Attributes:
        by_uuid: a live view.
        call: functions that call every remote with that method.
        server: functions that call the only remote with that method.
        arrived: set when a remote is added.

    Args:
        not_connected: creates the error of a call while no remote is connected; None: the call
            succeeds without effect.
        connecting: waits for a remote that is connecting, and returns whether there was one; None:
            there is none.
    """

    def __init__(
        self,
        not_connected: Callable[[], AcError] | None,
        connecting: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._not_connected = not_connected
        self._connecting = connecting
        self.arrived = asyncio.Event()
        self._loop: OwnerLoop | None = None
        self._ends: dict[str, RemoteEnd] = {}
        self.by_uuid: Mapping[str, RemoteEnd] = MappingProxyType(self._ends)
        names = partial(_names, self._ends.values())
        self.call: Functions[Answers] = Functions(names, self._call_all)
        self.server: Functions[object] = Functions(names, self._call_one)

    def add(self, end: RemoteEnd) -> None:
        """Add a remote."""
        self._loop = end.loop
        self._ends[end.uuid] = end
        self.arrived.set()

    def remove(self, uuid: str) -> None:
        """Remove a remote; its connection ends the open calls."""
        del self._ends[uuid]

    async def _call_all(self, name: str, *args: object) -> Answers:
        if self._loop is not None and self._loop.is_elsewhere():
            return await self._loop.run(self._call_all(name, *args))
        ends = await self._ends_with(name)
        answers = Answers()
        if not ends and self._not_connected is None and not _names(self._ends.values()):
            return answers
        if not ends:
            raise self._missing(name)
        outcomes = await _gather([end.peer.call(name, *args) for end in ends])
        for end, outcome in zip(ends, outcomes, strict=True):
            if isinstance(outcome, AcError):
                answers.errors[end.uuid] = outcome
            else:
                answers[end.uuid] = outcome
        if not answers:
            raise next(iter(answers.errors.values()))
        return answers

    async def _call_one(self, name: str, *args: object) -> object:
        if self._loop is not None and self._loop.is_elsewhere():
            return await self._loop.run(self._call_one(name, *args))
        ends = await self._ends_with(name)
        if not ends:
            raise self._missing(name)
        if len(ends) > 1:
            raise CallError(
                f"{len(ends)} remotes offer {name}: call one by remotes[uuid].rpcs[{name!r}], "
                f"or all by call[{name!r}]"
            )
        return await ends[0].peer.call(name, *args)

    async def _ends_with(self, name: str) -> list[RemoteEnd]:
        """Return the remotes with a method; if none has it, wait for pending handshakes."""
        while True:
            ends = [
                end
                for end in self._ends.values()
                if name in end.peer.remote_methods and not end.peer.closed
            ]
            if ends:
                return ends
            arriving = [end.handshake for end in self._ends.values() if not end.handshake.done()]
            if not arriving:
                if not self._ends and self._connecting is not None and await self._connecting():
                    continue
                return []
            await asyncio.wait(arriving, return_when=asyncio.FIRST_COMPLETED)

    def _missing(self, name: str) -> AcError:
        # One that has just ended may not have been removed yet.
        if all(end.peer.closed for end in self._ends.values()):
            return (
                ConnectionClosed("nobody is connected")
                if self._not_connected is None
                else self._not_connected()
            )
        return MethodNotFound(f"no remote offers {name}")


def _names(ends: Iterable[RemoteEnd]) -> frozenset[str]:
    live = [end.peer.remote_methods for end in ends if not end.peer.closed]
    return frozenset[str]().union(*live) - {LIST_COMPONENTS}


async def _gather(
    calls: list[Coroutine[None, None, _Outcome]],
) -> list[_Outcome | AcError]:
    """Wait for all calls, each with its time limit; raises exceptions other than `AcError`."""
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
