"""The common core of server and client: objects, remotes, callbacks; over in-memory transports."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import AlreadyExists, NotReady, RemoteError
from jupyter_ac.jrpc_oo.hub import Events, Hub
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.peer import Peer
from tests.jrpc_oo.objects import Probe, only, until
from tests.rpc.pairs import running, table


class Noted(Events):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def remote_is_up(self) -> Awaitable[None] | None:
        self.seen.append("up")
        return None

    def setup_done(self) -> Awaitable[None] | None:
        self.seen.append("done")
        return None

    def remote_disconnected(self, uuid: str) -> Awaitable[None] | None:
        self.seen.append(f"gone {uuid}")
        return None


def hub_of(*objects: object, events: Noted | None = None, timeout_s: float = 5) -> Hub:
    hub = Hub(events or Noted(), timeout_s)
    for each in objects:
        hub.add_class(each, None)
    return hub


@asynccontextmanager
async def joined(hub: Hub, peer_methods: str = "") -> AsyncIterator[Peer]:
    """Connect a peer to a hub; gives the far end after the handshake."""
    one, two = direct_pair()
    far = Peer(two, table(**dict.fromkeys(peer_methods.split(), lambda: "far")))
    serving = asyncio.create_task(hub.serve(one))
    async with running(far):
        await far.handshaken()
        await until(
            lambda: far.closed or all(e.handshake.done() for e in hub.remotes.by_uuid.values())
        )
        yield far
    async with asyncio.timeout(30):
        await serving
        await hub.release()


async def test_objects_are_served_under_the_name_of_their_class_or_the_one_given() -> None:
    hub = Hub(Noted(), 5)
    hub.add_class(Probe(), None)
    hub.add_class(Probe(), "Other")
    async with joined(hub) as far:
        assert {"Probe.add", "Other.add"} <= far.remote_methods
        assert await far.call("Probe.add", 1, 2) == 3
        assert await far.call("Other.slow_add", 1, 2) == 3


async def test_one_name_may_hold_several_objects_but_no_method_twice() -> None:
    class More:
        def further(self) -> int:
            return 1

    hub = Hub(Noted(), 5)
    probe = Probe()
    hub.add_class(probe, "N")
    hub.add_class(More(), "N")
    hub.add_class(probe, "N")
    with pytest.raises(
        AlreadyExists, match=r"N\.add is served already.*add_class\(object, 'Name'\)"
    ):
        hub.add_class(Probe(), "N")
    async with joined(hub) as far:
        assert await far.call("N.further") == 1
        assert await far.call("N.add", 1, 1) == 2


def test_mistakes_are_named() -> None:
    hub = Hub(Noted(), 5)
    with pytest.raises(TypeError, match=r"Probe\(\), not the class"):
        hub.add_class(Probe, None)
    with pytest.raises(ValueError, match="obj_name"):
        hub.add_class(Probe(), "")
    for timeout_s in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="remote_timeout"):
            Hub(Noted(), timeout_s)


async def test_an_object_added_later_is_announced_and_can_be_called() -> None:
    class Late:
        def hello(self) -> str:
            return "late"

    hub = hub_of(Probe())
    async with joined(hub) as far:
        assert "Late.hello" not in far.remote_methods
        hub.add_class(Late(), None)
        await until(lambda: "Late.hello" in far.remote_methods)
        assert await far.call("Late.hello") == "late"
        assert "Probe.add" in far.remote_methods


async def test_the_object_is_given_live_views() -> None:
    probe = Probe()
    hub = hub_of(probe)
    assert list(vars(probe)) == ["get_call", "get_remotes", "get_server"]
    async with joined(hub, "name"):
        assert await probe.get_server()["T.name"]() == "far"
        assert only(await vars(probe)["get_call"]()["T.name"]()) == "far"
        (uuid,) = vars(probe)["get_remotes"]()
        assert await vars(probe)["get_remotes"]()[uuid].rpcs["T.name"]() == "far"
    assert not probe.get_server()


async def test_a_method_knows_which_remote_calls_it() -> None:
    class Who:
        def plain(self) -> str:
            return current_caller().client

        async def back(self) -> object:
            return await current_caller().peer.call("T.name")

    hub = hub_of(Who())
    async with joined(hub, "name") as one, joined(hub) as two:
        uuids = {await far.call("Who.plain") for far in (one, two)}
        assert uuids == set(hub.remotes.by_uuid)
        assert await one.call("Who.back") == "far"
    with pytest.raises(NotReady):
        current_caller()


async def test_the_owner_is_told_what_happens_in_order() -> None:
    events = Noted()
    hub = hub_of(events=events)
    async with joined(hub):
        (uuid,) = hub.remotes.by_uuid
        assert events.seen == ["up", "done"]
    assert events.seen == ["up", "done", f"gone {uuid}"]


async def test_an_object_may_be_added_when_a_remote_comes() -> None:
    class Adding(Noted):
        def remote_is_up(self) -> None:
            hub.add_class(probe, None)

    probe = Probe()
    hub = hub_of(events=Adding())
    for _ in range(2):
        async with joined(hub) as far:
            assert await far.call("Probe.add", 1, 2) == 3


async def test_callbacks_may_be_coroutines_and_may_call_the_remote() -> None:
    class Calling(Noted):
        async def setup_done(self) -> None:
            self.seen.append(str(await hub.remotes.server["T.name"]()))

        async def remote_disconnected(self, uuid: str) -> None:
            await asyncio.sleep(0.01)
            self.seen.append(f"gone {len(uuid)}")

    events = Calling()
    hub = hub_of(events=events)
    async with joined(hub, "name"):
        await until(lambda: "far" in events.seen)
    assert events.seen[-1] == "gone 36"


@pytest.mark.parametrize("name", ["remote_is_up", "setup_done", "remote_disconnected"])
@pytest.mark.parametrize("waits", [False, True])
async def test_a_callback_that_fails_is_logged_and_harms_nothing(
    name: str, waits: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def plain(*_: object) -> None:
        raise RuntimeError("on purpose")

    async def coroutine(*_: object) -> None:
        raise RuntimeError("on purpose")

    events = Noted()
    setattr(events, name, coroutine if waits else plain)
    with caplog.at_level(logging.ERROR):
        async with joined(hub_of(Probe(), events=events)) as far:
            assert await far.call("Probe.add", 1, 2) == 3
    assert "on purpose" in caplog.text


async def test_a_callback_that_never_ends_is_cancelled_after_a_while() -> None:
    class Hanging(Noted):
        async def setup_done(self) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                self.seen.append("cancelled")

    events = Hanging()
    before = asyncio.all_tasks()
    async with joined(hub_of(events=events)):
        pass
    await until(lambda: "cancelled" in events.seen)
    await until(lambda: asyncio.all_tasks() <= before)
    assert events.seen[-1] == "cancelled"


async def test_private_names_are_refused_when_called() -> None:
    async with joined(hub_of(Probe())) as far:
        for name in ("Probe._private", "Probe.__init__", "Probe.get_server"):
            with pytest.raises(RemoteError, match="no method"):
                await far.call(name)
