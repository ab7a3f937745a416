"""What every door promises: calls, errors, events, streams, an end that is noticed, a way back."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError
from tests.contract.contract import contract
from tests.contract.doors import FRAME_MB, Client, Door
from tests.services.llm.pages import objects

LARGE = "x" * (1 << 20)


@contract
async def test_calls_are_answered_each_with_its_own(door: Door) -> None:
    async with door.open() as page:
        assert await page.repo("get_file_content", "a.py") == "print(1)\n"
        odd = {f"n{n}.txt": f"{n} é 😀 \u2028 \r\n" for n in range(40)}
        await asyncio.gather(*(page.repo("create_file", name, odd[name]) for name in odd))
        found = await asyncio.gather(*(page.repo("get_file_content", name) for name in odd))
        assert found == list(odd.values())
        await page.repo("write_file", "large.txt", LARGE)
        assert await page.repo("get_file_content", "large.txt") == LARGE
        assert (door.folder.root / "large.txt").read_text() == LARGE


@contract
async def test_errors_have_their_types_and_codes(door: Door) -> None:
    refused: dict[tuple[object, ...], str | int] = {
        ("Repo.get_file_content", "../x"): "refused_path",
        ("Repo.get_file_content", "gone"): "not_found",
        ("Repo.get_file_content", "b.bin"): "binary",
        ("Repo.write_file", "a.py", "x", "0" * 64): "conflict",
        ("Repo.create_file", "a.py"): "exists",
        ("Repo.get_file_content",): -32602,
        ("Repo.get_file_content", 5): -32602,
        ("Repo.__init__",): -32601,
        ("No.such",): -32601,
    }
    async with door.open() as page:
        for (name, *args), kind in refused.items():
            with pytest.raises(RemoteError) as caught:
                await page.peer.call(str(name), *args, timeout_s=20)
            assert kind in {caught.value.remote_type, caught.value.remote_code}
            assert str(door.folder.root) not in str(caught.value)
        assert await page.repo("file_exists", "a.py") is True


@contract
async def test_events_reach_every_page_in_order(door: Door) -> None:
    async with door.open() as one, door.open() as two:
        listening = [one, two] if door.is_shared else [one]
        for page in listening:
            await page.call("get_current_state")
        for number in range(10):
            await one.repo("write_file", "events.txt", str(number))
            await one.repo("write_file", f"events{number}.txt", str(number))
        kept = await one.call("set_selected_files", ["a.py", "gone"])
        assert kept == ["a.py"]
        for page in listening:
            await page.until(lambda page: page.named("filesChanged") == [(["a.py"],)])
            assert page.named("filesModified")[1::2] == [
                ([f"events{number}.txt"],) for number in range(10)
            ]


@contract
async def test_an_answer_streams_whole_and_ends_once(door: Door) -> None:
    async with door.open() as page:
        await page.ready()
        result = await page.say("s-1", "Stream, please")
        assert "error" not in result
        assert page.streamed() == result["response"]
        assert "Stream, please" in str(result["response"])
        assert len(page.named("streamComplete")) == 1
        assert page.events[-1][0] == "streamComplete"
        messages = objects((await page.ask("get_current_state"))["messages"])
        assert messages[-1]["content"] == result["response"]


@contract
async def test_an_answer_can_be_stopped(door: Door) -> None:
    async with door.open() as page:
        await page.ready()
        asked = await page.call("chat_streaming", "c-1", "Stop this one")
        assert asked == {"status": "started"}
        await page.until(lambda page: bool(page.named("streamDelta")))
        assert (await page.ask("cancel_streaming", "c-1"))["status"] == "cancelling"
        result = await page.completion()
        assert result["cancelled"] is True
        assert page.streamed() == result["response"]
        assert (await page.ask("get_current_state"))["streaming_active"] is False
        assert "error" in await page.ask("cancel_streaming", "c-1")


@contract
async def test_calls_fail_at_once_when_the_connection_is_closed_under_them(door: Door) -> None:
    async with door.open() as page:
        await page.repo("write_file", "close.txt", "old")
        calls = [
            asyncio.create_task(page.repo("write_file", "close.txt", LARGE)),
            *(asyncio.create_task(page.repo("get_file_tree")) for _ in range(20)),
        ]
        await asyncio.sleep(0)
        await page.peer.close()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {ConnectionClosed}
        with pytest.raises(ConnectionClosed):
            await page.repo("is_clean")
    async with door.open() as page:
        assert await page.repo("get_file_content", "close.txt") in {"old", LARGE}


@contract
async def test_a_cut_line_is_noticed_and_the_door_stays_open(door: Door) -> None:
    async with door.open() as page:
        call = asyncio.create_task(page.repo("get_file_tree"))
        await asyncio.sleep(0)
        page.wire.cut()
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(call, 30)
        await page.ended()
    async with door.open() as page:
        assert await page.repo("file_exists", "a.py") is True


@contract
async def test_a_frame_that_is_too_large_ends_only_its_own_connection(door: Door) -> None:
    async with door.open() as page, door.open() as other:
        call = asyncio.create_task(
            page.repo("create_file", "oversize.txt", "x" * ((FRAME_MB << 20) + 1))
        )
        if not door.too_large:
            await call
            return
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(call, 30)
        assert await page.ended() == door.too_large
        assert await other.repo("file_exists", "oversize.txt") is False


@contract
async def test_a_slow_reader_delays_nobody_and_is_cut_off_or_served(door: Door) -> None:
    text = "y" * (3 << 19)
    async with door.open() as slow, door.open() as other:
        await other.repo("write_file", "slow.txt", text)
        held = asyncio.Event()
        receive = slow.wire.receive

        async def receive_later() -> str | bytes:
            await held.wait()
            return await receive()

        object.__setattr__(slow.wire, "receive", receive_later)
        calls = [
            asyncio.create_task(slow.repo("get_file_content", "slow.txt", timeout_s=60))
            for _ in range(60)
        ]
        for number in range(20):
            await other.repo("write_file", "meanwhile.txt", str(number))
        assert await other.repo("get_file_content", "meanwhile.txt") == "19"
        held.set()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        served = [outcome for outcome in outcomes if outcome == text]
        cut_off = [outcome for outcome in outcomes if isinstance(outcome, ConnectionClosed)]
        assert len(served) + len(cut_off) == len(calls)
        if cut_off:
            assert await slow.ended() == door.overloaded
        assert bool(cut_off) == bool(door.overloaded)


@contract
async def test_a_page_that_comes_back_finds_its_answer_whole(door: Door) -> None:
    async with door.open("returning") as page:
        await page.ready()
        asked = await page.call("chat_streaming", "r-1", "Will you wait for me?")
        assert asked == {"status": "started"}
        await page.until(lambda page: bool(page.named("streamDelta")))
        before = page.streamed()
        session_id = (await page.ask("get_current_state"))["session_id"]
        page.wire.cut()
        await page.ended()
    async with door.open("returning") as page:
        state = await page.ask("get_current_state")
        # A host that has started anew goes on under a new name.
        assert (state["session_id"] == session_id) == bool(door.is_shared)
        questions = [m["content"] for m in objects(state["messages"]) if m["request_id"] == "r-1"]
        assert questions[:1] == ["Will you wait for me?"]
        attached = await page.ask("attach_stream", "r-1")
        if not door.is_shared:  # its host has made the answer to its end, and has ended
            assert attached["done"] is True
            assert str(attached["text"]).startswith(before)
            answer = objects(state["messages"])[-1]
            assert (answer["state"], answer["content"]) == ("done", attached["text"])
            return
        text = str(attached["text"])
        assert text.startswith(before)
        result = await page.completion()
        assert result["response"] == text + added(page, text)


def added(page: Client, attached: str) -> str:
    """Put together what came behind the text of an attachment."""
    text = attached.encode("utf-16-le")
    begun = len(text)
    for _, offset, piece in page.named("streamDelta"):
        assert offset == len(text) // 2, "a gap"
        text += str(piece).encode("utf-16-le")
    return text[begun:].decode("utf-16-le")
