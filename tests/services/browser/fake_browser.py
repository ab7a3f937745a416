"""A browser worker in memory, and callers of the methods over it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.browser.client import BrowserClient, Change
from jupyter_ac.errors import AcError, NotConnected, NotFound
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import BY_METHOD, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.target_states import TargetStates
from jupyter_ac.services.browser.names import browser_methods
from jupyter_ac.services.browser.page_connection import PageConnection
from jupyter_ac.services.browser.watched_targets import WatchedTargets
from tests.support.json_values import JsonValue

WAIT_S = 30.0


def row(target: str, *, launched: bool = False, kind: str = "page") -> dict[str, object]:
    """What the worker says of a target."""
    return {
        "id": target,
        "type": kind,
        "title": f"Page {target}",
        "url": f"http://127.0.0.1/{target}",
        "browser": "b1",
        "launched": launched,
    }


def view(**changed: object) -> dict[str, object]:
    """What the worker reports of a watched target."""
    return {
        "title": "Page a",
        "url": "http://127.0.0.1/a",
        "events": 3,
        "errors": 1,
        "fetch_enabled": False,
        "response_stage": False,
        "paused_count": 0,
        "selections": {},
        "pending_count": 0,
        "inspect_active": False,
        "problem": "",
        "filters_enabled": [],
        "filters_disabled": ["assets"],
        **changed,
    }


class FakeBrowser(BrowserClient):
    """Has the targets a, b (pages) and w (a worker); keeps what it is asked for.

    Attributes:
        targets: rows by id.
        asked: each call: its name and arguments.
        answers: of actions, by name; an error is raised.
        gate: holds back `watch` while it is cleared.
    """

    def __init__(self, report: Callable[[Change], None]) -> None:
        super().__init__(Path("/"), report)
        self.report = report
        self.targets = {"a": row("a"), "b": row("b"), "w": row("w", kind="service_worker")}
        self.asked: list[tuple[str, tuple[object, ...]]] = []
        self.answers: dict[str, object] = {}
        self.gate = asyncio.Event()
        self.gate.set()
        self.is_ended = False

    @property
    def is_running(self) -> bool:
        return bool(self.asked) and not self.is_ended

    async def call(self, name: str, *args: object, timeout_s: float = 30.0) -> object:
        del timeout_s
        self.asked.append((name, args))
        await asyncio.sleep(0)
        answer = self.answers.get(str(args[1]) if name == "act" else name)
        if isinstance(answer, AcError):
            raise answer
        if answer is not None:
            return answer
        return await self._known(name, *args)

    async def _known(self, name: str, *args: object) -> object:
        target = str(args[0]) if args else ""
        if name == "targets":
            return list(self.targets.values())
        if name == "watch":
            await self.gate.wait()
            if target not in self.targets:
                raise NotFound("No connected browser has this page.")
            return self.targets[target]
        if name == "unwatch":
            self.report({"kind": "detached", "target": target, "reason": "unwatched"})
            await asyncio.sleep(0)
        if name == "launch":
            self.targets["new"] = row("new", launched=True)
            return {"browser": "b2", "target": "new"}
        if name == "act" and args[1] == "row":
            return self.targets[target]
        return {}

    async def aclose(self) -> None:
        self.is_ended = True

    def acted(self, action: str) -> list[Mapping[str, object]]:
        """The arguments of an action, each time that it was asked for."""
        found = []
        for name, args in self.asked:
            if name == "act" and args[1] == action and isinstance(args[2], Mapping):
                found.append(args[2])
        return found


class Caller:
    """One client: sends messages as they are on the wire."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self.answers: dict[object, asyncio.Future[dict[str, JsonValue]]] = {}
        self._last = 0

    def take(self, frame: str) -> None:
        message = json.loads(frame)
        future = self.answers.get(message.get("id"))
        if future is not None and not future.done():
            future.set_result(message)

    async def message(
        self, method: str, params: object = None, epoch: int | None = None
    ) -> dict[str, JsonValue]:
        """Call, and return the whole answer."""
        self._last += 1
        sent: dict[str, object] = {"jsonrpc": "2.0", "method": method, "id": str(self._last)}
        sent["params"] = {} if params is None else params
        if epoch is not None:
            sent["epoch"] = epoch
        future: asyncio.Future[dict[str, JsonValue]] = asyncio.get_running_loop().create_future()
        self.answers[str(self._last)] = future
        self._send(json.dumps(sent))
        return await asyncio.wait_for(future, WAIT_S)

    async def result(
        self, method: str, params: object = None, epoch: int | None = None
    ) -> JsonValue:
        """Call, and return the result."""
        answer = await self.message(method, params, epoch)
        assert "error" not in answer, answer
        return answer["result"]

    async def error(
        self, method: str, params: object = None, epoch: int | None = None
    ) -> JsonValue:
        """Call, and return the error."""
        answer = await self.message(method, params, epoch)
        assert "result" not in answer, answer
        return answer["error"]


class World:
    """A workspace's browser methods over a worker in memory.

    Attributes:
        machines: of all targets.
        targets: the watched ones.
        page: the page of seed 003's clients.
        changes: how often clients were told of a change.
    """

    def __init__(self) -> None:
        self.changes = 0
        self.machines = TargetStates()
        self.made: list[FakeBrowser] = []
        self.targets = WatchedTargets(self._make, self.machines, self._changed)
        self.page = PageConnection(self.targets, self.machines, self._changed)
        self.table = MethodTable(*browser_methods(self.targets, self.page))
        self._running: list[asyncio.Task[None]] = []
        self._peers: list[Peer] = []

    @property
    def browser(self) -> FakeBrowser:
        """The worker; made by this if nothing was called yet."""
        made = self.targets.client
        assert isinstance(made, FakeBrowser)
        return made

    def caller(
        self,
        profile: WireDialect = BY_METHOD,
        *,
        has_login: bool = True,
        identity: str = "ann",
        guards: CallGuards | None = None,
    ) -> Caller:
        """Connect one more client."""
        ours, theirs = direct_pair()
        caller = Caller(theirs.send)
        remote = Remote(Identity(identity), ClientId("c"), has_login=has_login)
        steps = guards or CallGuards(targets=self.machines)
        peer = Peer(ours, self.table, profile=profile, remote=remote, guards=steps)
        self._peers.append(peer)

        async def read() -> None:
            while True:
                frame = await theirs.receive()
                caller.take(frame if isinstance(frame, str) else frame.decode())

        self._running += [asyncio.create_task(peer.run()), asyncio.create_task(read())]
        return caller

    async def aclose(self) -> None:
        for peer in self._peers:
            await peer.close()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.targets.aclose()

    def _changed(self) -> None:
        self.changes += 1

    def _make(self, report: Callable[[Change], None]) -> BrowserClient:
        self.made.append(FakeBrowser(report))
        return self.made[-1]


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    made = World()
    try:
        yield made
    finally:
        await made.aclose()


LOST = NotConnected("The browser worker has ended; connect again.")
