import asyncio
import re
from pathlib import Path

import pytest

from tests.chat.memory import open_world
from tests.services.llm.pages import keeping, objects, serving


@pytest.mark.parametrize("method", ["new_session", "history_new_session"])
async def test_a_new_session_empties_every_page_of_the_person(method: str) -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page()
        await one.ask("chat_streaming", "1-a", "Why?")
        await one.completion()
        begun = await one.ask(method)
        assert re.fullmatch(r"sess_\d+_[0-9a-f]{6}", str(begun["session_id"]))
        for page in (one, two):
            await page.until(
                lambda page: (
                    (begun | {"messages": [], "earlier": 0},) in page.named("sessionChanged")
                )
            )
        state = await two.ask("get_current_state")
        assert (state["messages"], state["session_id"]) == ([], begun["session_id"])


async def test_no_session_begins_while_an_answer_is_made() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(service.world.model.began.wait(), 30)
        assert "press Stop" in str((await page.ask("new_session"))["error"])
        service.world.model.release.set()
        await page.completion()


async def test_an_earlier_session_goes_on_in_every_page_of_the_person(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        one, two = await service.page(), await service.page()
        await one.say("1-a", "Why?")
        first = await one.ask("get_current_state")
        await one.ask("new_session")
        loaded = await one.ask("load_session_into_context", first["session_id"])
        assert loaded == {
            "session_id": first["session_id"],
            "messages": first["messages"],
            "message_count": 2,
            "earlier": 0,
        }
        told = {name: loaded[name] for name in ("session_id", "messages", "earlier")}
        await two.until(lambda page: page.named("sessionChanged")[-1:] == [(told,)])
        await two.say("2-b", "And?")
        sent = [str(message["content"]) for message in world.model.requests[-1].messages]
        assert [any(said in text for text in sent) for said in ("Why?", "Hello world")] == [
            True
        ] * 2
        listed = await one.rows("history_list_sessions")
        assert [found["message_count"] for found in listed] == [4]
    async with keeping(world, tmp_path) as service:
        state = await (await service.page()).ask("get_current_state")
        assert state["session_id"] != first["session_id"]
        assert len(objects(state["messages"])) == 4


async def test_a_session_from_a_notebooks_cells_becomes_the_panels(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        panel, cells = await service.page(), await service.page(aside="cells")
        await panel.say("1-a", "In the panel")
        await cells.say("2-b", "In a cell")
        session_id = (await cells.ask("get_current_state"))["session_id"]
        listed = await panel.rows("history_list_sessions")
        assert [(found["preview"], found["aside"], found["current"]) for found in listed] == [
            ("In a cell", True, False),
            ("In the panel", False, True),
        ]
        await panel.ask("load_session_into_context", session_id)
        assert [found["aside"] for found in await panel.rows("history_list_sessions")] == [
            False,
            False,
        ]
        await cells.say("3-c", "Again in a cell")
        await panel.say("4-d", "And in the panel")
        messages = await panel.rows("history_get_session", session_id)
        assert [message["content"] for message in messages if message["role"] == "user"] == [
            "In a cell",
            "Again in a cell",
            "And in the panel",
        ]
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert state["session_id"] != session_id
        await page.say("5-e", "After a restart")
        first, *_ = await page.rows("history_list_sessions")
        assert (first["continues"], first["inherited"]) == (session_id, 6)


async def test_after_a_restart_the_prompt_is_byte_equal_under_a_new_session(tmp_path: Path) -> None:
    world = open_world({"a.py": "print(1)\n"})
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        await page.call("set_selected_files", ["a.py"])
        await page.say("1-a", "Why?")
        await page.say("2-b", "And?")
        before = await page.ask("get_current_state")
        listed = await page.rows("history_list_sessions")
        asked = world.model.requests[-1].messages
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert state["messages"] == before["messages"]
        assert state["session_id"] != before["session_id"]
        again = await page.rows("history_list_sessions")
        assert again == [{**listed[0], "current": False}]
        await page.say("3-c", "Still?")
        sent = world.model.requests[-1].messages
        assert str(sent[: len(asked) - 1]) == str(asked[:-1])
        new, old = await page.rows("history_list_sessions")
        assert (new["session_id"], new["message_count"]) == (state["session_id"], 6)
        assert (new["preview"], new["current"]) == ("Still?", True)
        assert old == again[0]
        whole = await page.rows("history_get_session", state["session_id"])
        assert [message["content"] for message in whole if message["role"] == "user"] == [
            "Why?",
            "And?",
            "Still?",
        ]
        loaded = await page.ask("load_session_into_context", before["session_id"])
        assert loaded["session_id"] == before["session_id"]
        assert loaded["message_count"] == 4


async def test_nothing_is_loaded_while_an_answer_is_made(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "Why?")
        session_id = (await page.ask("get_current_state"))["session_id"]
        await page.ask("new_session")
        world.model.held = True
        world.model.began.clear()
        await page.ask("chat_streaming", "2-b", "And?")
        await asyncio.wait_for(world.model.began.wait(), 30)
        refused = await page.ask("load_session_into_context", session_id)
        assert "press Stop or wait before loading another session" in str(refused["error"])
        world.model.release.set()
        await page.until(lambda page: len(page.named("streamComplete")) == 2)
        assert "error" not in await page.ask("load_session_into_context", session_id)
