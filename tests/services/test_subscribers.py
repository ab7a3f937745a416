import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jupyter_ac.events import CompactionEvent, Event, FilesChanged, StartupProgress, UserMessage
from jupyter_ac.ids import ConversationKey, Identity, RequestId
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.subscribers import Subscribers, wire_name
from tests.chat.memory import ADA
from tests.services.llm.pages import FLAT, WITH_DELTAS, Connection, Page, connect, never_answer

BOB = Identity("bob")
CHANGED = FilesChanged(["a.py"])


@asynccontextmanager
async def joined(audience: Subscribers, *pages: tuple[Page, Identity]) -> AsyncIterator[list[Peer]]:
    connections: list[Connection] = []
    for page, identity in pages:
        connection = await connect(page, {}, identity)
        audience.join(connection.host, ConversationKey(identity))
        connections.append(connection)
    try:
        yield [connection.host for connection in connections]
    finally:
        await audience.aclose()
        for connection in connections:
            await connection.close()


def test_an_event_has_its_full_name_unless_only_the_flat_one_is_listed() -> None:
    assert wire_name({"AcApp.filesChanged"}, "filesChanged") == "AcApp.filesChanged"
    assert wire_name({"filesChanged"}, "filesChanged") == "filesChanged"
    assert wire_name({"filesChanged", "AcApp.other"}, "filesChanged") is None
    assert wire_name({"system.listComponents"}, "filesChanged") is None
    assert wire_name((), "filesChanged") == "AcApp.filesChanged"


async def test_an_event_reaches_every_page_of_a_person_in_the_name_that_it_lists() -> None:
    audience = Subscribers()
    one, flat, bobs = Page(WITH_DELTAS), Page(FLAT), Page(WITH_DELTAS)
    async with joined(audience, (one, ADA), (flat, ADA), (bobs, BOB)):
        audience.publish(CHANGED, ConversationKey(ADA))
        audience.publish(StartupProgress("ready", "Ready", 100))
        for page in (one, flat):
            await page.until(lambda page: len(page.events) == 2)
            assert page.events[0] == ("filesChanged", (["a.py"],))
        await bobs.until(lambda page: len(page.events) == 1)
        assert bobs.events == [("startupProgress", ("ready", "Ready", 100))]


async def test_the_pages_of_a_person_are_those_at_all_their_seats() -> None:
    audience = Subscribers()
    async with joined(audience, (Page(), ADA), (Page(), BOB)) as (adas, bobs):
        aside = await connect(Page(), {}, ADA)
        audience.join(aside.host, ConversationKey(ADA, "a notebook's cells"))
        assert audience.pages_of(ADA) == [adas, aside.host]
        audience.leave(adas)
        assert (audience.pages_of(ADA), audience.pages_of(BOB)) == ([aside.host], [bobs])
        await aside.close()


async def test_pages_can_be_left_out() -> None:
    audience = Subscribers()
    one, two = Page(), Page()
    async with joined(audience, (one, ADA), (two, ADA)) as (first, _):
        audience.publish(
            UserMessage({"content": "x", "request_id": "1-a"}), ConversationKey(ADA), but=[first]
        )
        audience.publish(CHANGED, ConversationKey(ADA))
        await two.until(lambda page: len(page.events) == 2)
        await one.until(lambda page: len(page.events) == 1)
        assert one.events[0][0] == "filesChanged"


async def test_a_silent_page_delays_nobody() -> None:
    audience = Subscribers()
    silent, other = Page(answer=never_answer), Page()
    async with joined(audience, (silent, ADA), (other, ADA)):
        for number in range(50):
            audience.publish(
                CompactionEvent(RequestId(str(number)), {"stage": "notice", "message": ""}),
                ConversationKey(ADA),
            )
        await other.until(lambda page: len(page.events) == 50)
        assert [args[0] for args in other.named("compactionEvent")] == [str(n) for n in range(50)]


async def test_a_page_that_has_left_or_closed_gets_nothing() -> None:
    audience = Subscribers()
    gone, closed, here = Page(), Page(), Page()
    async with joined(audience, (gone, ADA), (closed, ADA), (here, ADA)) as (first, second, _):
        audience.leave(first)
        audience.leave(first)
        await second.close()
        assert len(audience) == 2
        audience.publish(CHANGED, ConversationKey(ADA))
        await here.until(lambda page: bool(page.events))
        assert gone.events == closed.events == []


async def test_events_before_the_handshake_wait_for_it_in_order() -> None:
    audience = Subscribers()
    near, far = direct_pair()
    host, page = Peer(far, {}), Page()
    audience.join(host, ConversationKey(ADA))
    events: list[Event] = [StartupProgress("a", "A", 1), CHANGED]
    for event in events:
        audience.publish(event)
    page.peer = Peer(near, page.methods)
    tasks = [asyncio.create_task(peer.run()) for peer in (host, page.peer)]
    await page.until(lambda page: len(page.events) == 2)
    assert [name for name, _ in page.events] == ["startupProgress", "filesChanged"]
    await audience.aclose()
    await page.peer.close()
    await asyncio.wait_for(asyncio.gather(*tasks), 30)


async def test_a_page_that_never_lists_its_methods_doesnt_hold_up_the_close() -> None:
    audience = Subscribers()
    near, far = direct_pair()
    host = Peer(far, {})
    audience.join(host, ConversationKey(ADA))
    audience.publish(CHANGED)
    await asyncio.wait_for(audience.aclose(), 30)
    assert len(audience) == 0
    await near.close()


async def test_a_remote_without_listing_gets_notifications_in_the_full_name() -> None:
    audience = Subscribers()
    page = Page(["AcApp.filesChanged"])
    connection = await connect(page, {}, profile=JSONRPC2)
    audience.join(connection.host, ConversationKey(ADA))
    audience.publish(CHANGED)
    await page.until(lambda page: bool(page.events))
    assert [name for name, _ in page.events] == ["filesChanged"]
    await audience.aclose()
    await connection.close()


async def test_an_observer_hears_each_event_whoever_is_connected() -> None:
    audience = Subscribers()
    heard: list[tuple[Event, ConversationKey | None]] = []
    audience.observe(lambda event, key: heard.append((event, key)))
    audience.publish(CHANGED, ConversationKey(ADA))
    async with joined(audience, (Page(), ADA)) as (peer,):
        audience.publish(CHANGED, but=(peer,))
    assert heard == [(CHANGED, ConversationKey(ADA)), (CHANGED, None)]
