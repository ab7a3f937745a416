import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span
from jupyter_ac.chat.streams import ActiveStream, EditsSoFar
from jupyter_ac.errors import AcError
from jupyter_ac.ids import RequestId
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, WireDialect
from jupyter_ac.services.llm.delivery import (
    ACKNOWLEDGE_S,
    INTERVAL_S,
    RESENT_CHARS_PER_S,
    Deliveries,
    DeliveryPace,
)
from tests.chat.memory import completion
from tests.services.llm.pages import (
    FLAT,
    WITH_DELTAS,
    WITHOUT_DELTAS,
    Answer,
    Connection,
    Page,
    answer_at_once,
    connect,
    never_answer,
    objects,
)

NAME = RequestId("1-a")
END = completion(NAME, "over")


def test_a_first_frame_goes_out_at_once_and_the_next_after_the_interval() -> None:
    pace = DeliveryPace()
    assert pace.wait_s(100.0, ended=False) == 0
    assert pace.send(100.0, ended=False)
    pace.acknowledged()
    assert pace.wait_s(100.02, ended=False) == pytest.approx(INTERVAL_S - 0.02)
    assert pace.wait_s(100.05, ended=False) == 0


def test_a_frame_in_flight_holds_the_next_one_for_a_second() -> None:
    pace = DeliveryPace()
    pace.send(100.0, ended=False)
    assert pace.wait_s(100.5, ended=False) == pytest.approx(ACKNOWLEDGE_S - 0.5)
    assert not pace.send(101.0, ended=False)
    assert pace.is_silent
    assert pace.wait_s(101.0, ended=False) == pytest.approx(INTERVAL_S)


def test_a_long_text_is_repeated_less_often() -> None:
    pace = DeliveryPace(resent_chars=RESENT_CHARS_PER_S // 2)
    pace.send(100.0, ended=False)
    pace.acknowledged()
    assert pace.wait_s(100.1, ended=False) == pytest.approx(0.4)
    assert pace.wait_s(100.1, ended=True) == 0


def test_a_silent_page_gets_notifications_from_then_on() -> None:
    pace = DeliveryPace()
    pace.send(0.0, ended=False)
    pace.send(1.0, ended=False)
    pace.acknowledged()
    assert not pace.send(2.0, ended=False)
    assert not pace.in_flight


def test_at_the_end_nothing_is_waited_for() -> None:
    pace = DeliveryPace()
    pace.send(100.0, ended=False)
    assert pace.wait_s(100.001, ended=True) == 0
    assert not pace.send(100.001, ended=True)


@given(st.lists(st.tuples(st.floats(0, 0.2), st.booleans()), min_size=2, max_size=80))
def test_no_more_than_twenty_frames_go_out_in_a_second(steps: list[tuple[float, bool]]) -> None:
    pace, now = DeliveryPace(), 0.0
    sent: list[float] = []
    for pause, acknowledges in steps:
        now += pause
        if acknowledges:
            pace.acknowledged()
        if pace.wait_s(now, ended=False) == 0:
            pace.send(now, ended=False)
            sent.append(now)
    gaps = [later - earlier for earlier, later in pairwise(sent)]
    assert all(gap > INTERVAL_S - 1e-9 for gap in gaps)


@dataclass
class Followed:
    stream: ActiveStream
    deliveries: Deliveries
    connection: Connection


@asynccontextmanager
async def followed(page: Page, profile: WireDialect = JRPC_OO) -> AsyncIterator[Followed]:
    connection = await connect(page, {}, profile=profile)
    deliveries, stream = Deliveries(), ActiveStream(NAME)
    deliveries.follow(connection.host, stream)
    try:
        yield Followed(stream, deliveries, connection)
    finally:
        await deliveries.aclose()
        await connection.close()


async def write(stream: ActiveStream, pieces: Iterable[str]) -> None:
    for piece in pieces:
        stream.append(piece)
        await asyncio.sleep(0.001)


@pytest.mark.parametrize(
    ("listed", "event"),
    [(WITH_DELTAS, "streamDelta"), (WITHOUT_DELTAS, "streamChunk"), (FLAT, "streamChunk")],
)
async def test_a_page_gets_all_the_text_in_the_form_that_it_lists(
    listed: tuple[str, ...], event: str
) -> None:
    page = Page(listed)
    pieces = [f"wörd {n} 😀 " for n in range(200)]
    async with followed(page) as found:
        await write(found.stream, pieces)
        found.stream.end(END)
        await page.completion()
        assert page.streamed() == "".join(pieces)
        assert {name for name, _ in page.events} == {event, "streamComplete"}
        assert page.events[-1] == ("streamComplete", (NAME, END.result))
        assert 2 <= len(page.named(event)) <= 30


@pytest.mark.parametrize("listed", [WITH_DELTAS, WITHOUT_DELTAS])
async def test_a_silent_page_still_gets_everything_and_the_end_last(
    listed: tuple[str, ...],
) -> None:
    page = Page(listed, never_answer)
    async with followed(page) as found:
        found.stream.append("one ")
        await page.until(lambda page: len(page.events) == 1)
        found.stream.append("two ")
        await page.until(lambda page: len(page.events) == 2)
        found.stream.append("three")
        found.stream.end(END)
        await page.completion()
        assert page.streamed() == "one two three"
        assert page.events[-1][0] == "streamComplete"


async def test_the_end_goes_out_at_once_behind_a_frame_without_acknowledgement() -> None:
    page = Page(WITH_DELTAS, never_answer)
    async with followed(page) as found:
        found.stream.append("one ")
        await page.until(lambda page: len(page.events) == 1)
        loop = asyncio.get_running_loop()
        began = loop.time()
        found.stream.append("two")
        found.stream.end(END)
        await page.completion()
        assert loop.time() - began < ACKNOWLEDGE_S / 2
        assert page.streamed() == "one two"


async def test_a_rejected_frame_counts_as_acknowledged() -> None:
    async def rejects(_: str) -> object:
        raise AcError("no")

    page = Page(WITH_DELTAS, rejects)
    async with followed(page) as found:
        await write(found.stream, [f"{n} " for n in range(120)])
        found.stream.end(END)
        await page.completion()
        assert page.streamed() == "".join(f"{n} " for n in range(120))
        assert len(page.named("streamDelta")) > 2


async def test_one_frame_is_in_flight_at_a_time() -> None:
    release = asyncio.Event()

    async def held(_: str) -> object:
        await release.wait()
        return None

    page = Page(WITH_DELTAS, held)
    async with followed(page) as found:
        await write(found.stream, ["x"] * 250)
        assert len(page.events) == 1
        release.set()
        await page.until(lambda page: len(page.events) == 2)
        assert page.streamed() == "x" * 250
        found.stream.end(END)


async def test_a_later_follower_gets_the_rest_at_exactly_its_offset() -> None:
    page = Page(WITH_DELTAS)
    connection = await connect(page, {})
    deliveries, stream = Deliveries(), ActiveStream(NAME)
    stream.append("😀 before ")
    deliveries.follow(connection.host, stream)
    stream.append("after")
    stream.end(END)
    await page.completion()
    assert page.named("streamDelta") == [(NAME, 10, "after")]
    await deliveries.aclose()
    await connection.close()


async def test_the_ends_of_all_streams_of_a_page_can_be_waited_for() -> None:
    page, other = Page(WITHOUT_DELTAS), Page(WITHOUT_DELTAS)
    async with followed(page) as found, followed(other):
        waiting = asyncio.create_task(found.deliveries.see_through(found.connection.host))
        await write(found.stream, ["one ", "two"])
        assert not waiting.done()
        found.stream.end(END)
        await waiting
        assert page.events[-1][0] == "streamComplete"
        await found.deliveries.see_through(found.connection.host)


async def test_following_twice_replaces_the_first_lane() -> None:
    page = Page(WITH_DELTAS)
    async with followed(page) as found:
        found.stream.append("a")
        found.deliveries.follow(found.connection.host, found.stream)
        found.stream.append("b")
        found.stream.end(END)
        await page.completion()
        assert page.named("streamDelta") == [(NAME, 1, "b")]
        assert len(page.named("streamComplete")) == 1


async def test_a_page_that_is_gone_ends_its_lane_and_no_other() -> None:
    gone, here = Page(WITH_DELTAS), Page(WITH_DELTAS)
    async with followed(gone) as found:
        other = await connect(here, {})
        found.deliveries.follow(other.host, found.stream)
        await found.connection.close()
        await write(found.stream, ["x"] * 100)
        found.stream.end(END)
        await here.completion()
        assert here.streamed() == "x" * 100
        await other.close()
    assert gone.events == []


async def test_a_page_that_lists_nothing_of_ours_is_left_alone() -> None:
    page = Page(["Other.method"])
    async with followed(page) as found:
        found.stream.append("x")
        found.stream.progress("reading", "…")
        found.stream.end(END)
        await found.deliveries.aclose()
        assert page.events == []


async def test_a_remote_without_listing_gets_chunks_and_the_end_as_notifications() -> None:
    page = Page(WITH_DELTAS)
    async with followed(page, JSONRPC2) as found:
        found.stream.append("x")
        await page.until(lambda page: bool(page.events))
        found.stream.end(END)
        await page.completion()
        assert page.streamed() == "x"


async def test_progress_is_passed_on() -> None:
    page = Page(WITH_DELTAS)
    async with followed(page) as found:
        found.stream.progress("waiting", "Waiting …")
        await page.until(lambda page: bool(page.events))
        assert page.events == [
            ("compactionEvent", (NAME, {"stage": "waiting", "message": "Waiting …"}))
        ]
        found.stream.end(END)


@pytest.mark.parametrize("answer", [answer_at_once, never_answer])
async def test_closing_is_bounded(answer: Answer) -> None:
    page = Page(WITH_DELTAS, answer)
    async with followed(page) as found:
        found.stream.append("x")
        found.stream.end(END)
        await asyncio.wait_for(found.deliveries.aclose(), 30)
        assert page.events[-1][0] == "streamComplete"


WITH_REASONING = (*WITH_DELTAS, "AcApp.streamReasoning", "AcApp.streamRetry")


async def test_reasoning_goes_out_apart_and_before_the_answer_that_follows_it() -> None:
    page = Page(WITH_REASONING)
    async with followed(page) as found:
        for piece in ("Ünd ", "😀 ", "so.", *"abcdefgh" * 20):
            found.stream.thoughts.append(piece)
            await asyncio.sleep(0.001)
        found.stream.append("The answer.")
        found.stream.end(END)
        await page.completion()
    frames = page.named("streamReasoning")
    assert "".join(str(text) for _, _, text in frames) == found.stream.thoughts.text
    assert frames[0][:2] == (NAME, 0)
    assert len(frames) <= 20
    assert page.streamed() == "The answer."
    names = [name for name, _ in page.events]
    assert names[-2:] == ["streamDelta", "streamComplete"]
    assert set(names[:-2]) == {"streamReasoning"}


async def test_a_later_follower_gets_the_rest_of_the_reasoning_at_its_offset() -> None:
    page = Page(WITH_REASONING)
    connection = await connect(page, {})
    deliveries, stream = Deliveries(), ActiveStream(NAME)
    stream.thoughts.append("😀 before ")
    deliveries.follow(connection.host, stream)
    stream.thoughts.append("after")
    stream.end(END)
    await page.completion()
    assert page.named("streamReasoning") == [(NAME, 10, "after")]
    await deliveries.aclose()
    await connection.close()


async def test_a_page_that_knows_no_reasoning_gets_none() -> None:
    page = Page(WITH_DELTAS)
    async with followed(page) as found:
        found.stream.thoughts.append("hm")
        found.stream.append("So.")
        found.stream.end(END)
        await page.completion()
    assert page.streamed() == "So."


WITH_EDITS = (*WITH_DELTAS, "AcApp.editBlocks")
BLOCK = EditBlock(0, BlockKind.EDIT, "a", span=Span(2, 4), is_complete=False)


async def test_edit_blocks_go_out_behind_the_text_that_they_are_about() -> None:
    page = Page(WITH_EDITS)
    async with followed(page) as found:
        for number in range(1, 40):
            found.stream.edits = EditsSoFar((replace(BLOCK, span=Span(0, 3 * number)),), number)
            found.stream.append("ab😀")
            await asyncio.sleep(0.005)
        found.stream.end(END)
        await page.completion()
    units = 0
    told = page.named("editBlocks")
    assert 1 < len(told) < 39
    for name, args in page.events:
        if name == "streamDelta":
            units += len(str(args[2]).encode("utf-16-le")) // 2
        if name == "editBlocks":
            (row,) = objects(args[1])
            assert row["span"] == [0, units]
    assert objects(told[-1][1])[0]["span"] == [0, 39 * 4]
    assert page.events[-1][0] == "streamComplete"


async def test_a_page_that_follows_later_is_told_of_the_blocks_so_far_once() -> None:
    page = Page(WITH_EDITS)
    connection = await connect(page, {})
    deliveries, stream = Deliveries(), ActiveStream(NAME)
    stream.append("😀b😀😀")
    stream.edits = EditsSoFar((BLOCK,), 3)
    deliveries.follow(connection.host, stream)
    await page.until(lambda page: bool(page.named("editBlocks")))
    stream.append("x")
    stream.end(END)
    await page.completion()
    (told,) = page.named("editBlocks")
    assert objects(told[1])[0]["span"] == [3, 7]
    await deliveries.aclose()
    await connection.close()


@pytest.mark.parametrize("listed", [WITH_DELTAS, WITHOUT_DELTAS, FLAT])
async def test_a_page_that_does_not_list_edit_blocks_gets_none(listed: tuple[str, ...]) -> None:
    page = Page(listed)
    async with followed(page) as found:
        found.stream.edits = EditsSoFar((BLOCK,), 1)
        found.stream.append("😀abc")
        found.stream.end(END)
        await page.completion()
    assert page.named("editBlocks") == []
    assert page.streamed() == "😀abc"
