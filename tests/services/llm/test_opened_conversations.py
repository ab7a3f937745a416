import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import ClientId, ConversationKey, Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.services.llm import opened_conversations
from jupyter_ac.services.llm.opened_conversations import OpenedConversations
from tests.chat.memory import ADA, open_world
from tests.services.llm.pages import Page, keeping, objects, serving

FILES = {"oak.py": "1\n", "elm.py": "2\n", "ash.py": "3\n"}


async def texts(page: Page) -> list[object]:
    """What has been said in the page's conversation."""
    state = await page.ask("get_current_state")
    return [message["content"] for message in objects(state["messages"])]


async def test_two_clients_answer_side_by_side_each_with_its_own_ticks_and_stream() -> None:
    world = open_world(FILES)
    async with serving(world) as service:
        one, two = await service.page(client="one"), await service.page(client="two")
        await one.call("set_selected_files", ["oak.py"])
        opened = await two.ask("open_conversation", "")
        assert (opened["messages"], opened["message_count"]) == ([], 0)
        assert await two.call("get_selected_files") == ["oak.py"]
        await two.call("set_selected_files", ["elm.py"])
        assert await one.call("get_selected_files") == ["oak.py"]
        world.model.held = True
        for page, request_id in ((one, "1-a"), (two, "2-b")):
            asked = await page.ask("chat_streaming", request_id, f"Asked in {request_id}")
            assert asked == {"status": "started"}
        async with asyncio.timeout(30):
            while len(world.model.requests) < 2:
                await asyncio.sleep(0.01)
        for page, request_id in ((one, "1-a"), (two, "2-b")):
            running = objects((await page.ask("get_current_state"))["active_streams"])
            assert [stream["request_id"] for stream in running] == [request_id]
        second = await one.ask("chat_streaming", "3-c", "A second one here")
        assert "Another stream is active (1-a)" in str(second["error"])
        world.model.release.set()
        for page, request_id in ((one, "1-a"), (two, "2-b")):
            await page.completion()
            assert [args[0] for args in page.named("streamComplete")] == [request_id]
            assert (await texts(page))[0] == f"Asked in {request_id}"
            assert page.named("userMessage") == []
        sent = [str(request.messages) for request in world.model.requests]
        assert ["oak.py" in text for text in sent].count(True) == 1
        assert ["elm.py" in text for text in sent].count(True) == 1


async def test_who_opens_the_same_conversation_shares_it() -> None:
    world = open_world(FILES)
    async with serving(world) as service:
        one, two, three = [await service.page(client=name) for name in ("one", "two", "three")]
        opened = await two.ask("open_conversation", "")
        await three.ask("open_conversation", opened["session_id"])
        await two.call("set_selected_files", ["ash.py"])
        await three.until(lambda page: bool(page.named("filesChanged")))
        assert three.named("filesChanged") == [(["ash.py"],)]
        await two.say("1-a", "Why?")
        await three.until(lambda page: bool(page.named("sessionChanged")))
        assert three.named("userMessage") == [({"content": "Why?", "request_id": "1-a"},)]
        assert await texts(three) == await texts(two)
        assert await texts(one) == []
        assert one.events == []
        shared = await one.ask("get_current_state")
        await two.ask("open_conversation", shared["session_id"])
        await one.say("2-b", "In the one that all panels show")
        assert (await texts(two))[0] == "In the one that all panels show"


async def test_a_client_that_connects_again_is_in_its_conversation() -> None:
    world = open_world()
    async with serving(world) as service:
        first = await service.page(client="two")
        same = await service.page(client="two")
        await first.ask("open_conversation", "")
        world.model.held = True
        await first.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(world.model.began.wait(), 30)
        await same.until(lambda page: bool(page.named("userMessage")))
        await service.leave(first)
        again = await service.page(client="two")
        attached = await again.ask("attach_stream", "1-a")
        assert attached["state"] == "running"
        world.model.release.set()
        await again.completion()
        assert await texts(again) == ["Why?", "Hello world"]
        assert await texts(await service.page(client="other")) == []
        assert await texts(await service.page()) == []


@pytest.mark.parametrize("name", ["sess_0_none", "nonsense", "x" * 101])
async def test_an_unknown_conversation_is_refused_and_nothing_changes(
    tmp_path: Path, name: str
) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page(client="one")
        await page.say("1-a", "Why?")
        with pytest.raises(RemoteError, match=r"There is no session|at most 100 characters"):
            await page.call("open_conversation", name)
        assert await texts(page) == ["Why?", "Hello world"]
        assert len(await page.rows("history_list_sessions")) == 1


async def test_nobody_opens_the_conversation_of_another_person(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        ada = await service.page(client="one")
        opened = await ada.ask("open_conversation", "")
        bob = await service.page(client="one", identity=Identity("bob"))
        with pytest.raises(RemoteError, match="There is no session"):
            await bob.call("open_conversation", opened["session_id"])


async def test_a_connection_aside_opens_nothing() -> None:
    async with serving(open_world()) as service:
        page = await service.page(client="one", aside="cells")
        with pytest.raises(RemoteError, match="aside"):
            await page.call("open_conversation", "")


async def test_each_conversation_goes_on_after_a_restart(tmp_path: Path) -> None:
    world = open_world(FILES)
    async with keeping(world, tmp_path) as service:
        one, two = await service.page(client="one"), await service.page(client="two")
        await one.say("1-a", "In the first")
        first = await two.ask("open_conversation", "")
        await two.say("2-b", "In the second")
        await two.call("set_selected_files", ["elm.py"])
        second = await two.ask("new_session")
        await two.say("3-c", "In the second, later")
    async with keeping(world, tmp_path) as service:
        one, two = await service.page(client="one"), await service.page(client="two")
        # Also when the second one is opened first, and was used last.
        opened = await two.ask("open_conversation", second["session_id"])
        assert opened["session_id"] == second["session_id"]
        assert await texts(two) == ["In the second, later", "Hello world"]
        assert await texts(one) == ["In the first", "Hello world"]
        assert await two.call("get_selected_files") == ["elm.py"]
        assert await one.call("get_selected_files") == []
        third = await service.page(client="three")
        await third.ask("open_conversation", first["session_id"])
        assert await texts(third) == ["In the second", "Hello world"]
        listed = await one.rows("history_list_sessions")
        assert {row["aside"] for row in listed} == {False}


async def test_a_conversation_that_has_gone_on_leaves_its_first_session_to_others(
    tmp_path: Path,
) -> None:
    async with keeping(open_world(), tmp_path) as service:
        one, two = await service.page(client="one"), await service.page(client="two")
        first = await one.ask("open_conversation", "")
        await one.say("1-a", "One?")
        await one.ask("new_session")
        await two.ask("open_conversation", first["session_id"])
        assert await texts(two) == ["One?", "Hello world"]
        assert await texts(one) == []
        refused = await one.ask("load_session_into_context", first["session_id"])
        assert "open beside this one" in str(refused["error"])
        await two.ask("new_session")
        loaded = await one.ask("load_session_into_context", first["session_id"])
        assert loaded["session_id"] == first["session_id"]


async def test_conversations_that_nobody_shows_are_forgotten_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.conversation.MAX_OPENED", 2)
    async with keeping(open_world(), tmp_path) as service:
        service.domain.book.shown = service.domain.audience.conversation_keys
        page = await service.page(client="shown")
        shown = await page.ask("open_conversation", "")
        names = []
        for number in range(4):
            other = await service.page(client=f"client {number}")
            names.append((await other.ask("open_conversation", ""))["session_id"])
            await other.say(f"{number}-a", f"Question {number}")
            await service.leave(other)
        kept = service.domain.book.of(ADA)
        opened = [each.session.session_id for each in kept if each.conversation_key.opened]
        assert opened == [shown["session_id"], names[-1]]
        again = await service.page(client="client 0")
        assert await texts(again) == []
        await again.ask("open_conversation", names[0])
        assert await texts(again) == ["Question 0", "Hello world"]


async def test_the_id_can_be_named_in_json_rpc() -> None:
    async with serving(open_world()) as service:
        method = service.table["LLMService.open_conversation"]
        assert JSONRPC2.bind(method, {"id": "sess_1_a"})[1] == {"id": "sess_1_a"}


async def test_clients_are_remembered_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened_conversations, "MAX_CLIENTS", 2)
    async with serving(open_world()) as service:
        opened = OpenedConversations(service.domain.book, service.domain.ports.history)
        remotes = [Remote(ADA, ClientId(name)) for name in ("a", "b", "c")]
        first = [opened.of(remote).opened for remote in remotes]
        assert opened.of(remotes[2]).opened is first[2]
        assert opened.of(remotes[0]).opened is not first[0]
        unnamed = Remote(ADA)
        assert opened.of(unnamed).opened is not opened.of(unnamed).opened


def test_the_key_of_an_opened_conversation_says_how_it_is_stored() -> None:
    key = ConversationKey(ADA, opened="sess_1_a/2")
    assert (key.column, key.holder, key.first_session) == (
        "opened",
        f"{ADA}\nopened sess_1_a/2",
        "sess_1_a",
    )
    assert (ConversationKey(ADA).column, ConversationKey(ADA).holder) == ("", ADA)
    assert ConversationKey(ADA, "cells").column == "cells"
