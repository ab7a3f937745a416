import asyncio
import re

import pytest

from tests.chat.memory import open_world
from tests.services.llm.pages import serving


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
                lambda page: (begun | {"messages": []},) in page.named("sessionChanged")
            )
        state = await two.ask("get_current_state")
        assert (state["messages"], state["session_id"]) == ([], begun["session_id"])


async def test_no_session_begins_while_an_answer_is_made() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(service.world.model.began.wait(), 5)
        assert "press Stop" in str((await page.ask("new_session"))["error"])
        service.world.model.release.set()
        await page.completion()
