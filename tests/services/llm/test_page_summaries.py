"""Summaries of web pages over the wire, by the model for side tasks."""

import pytest

from jupyter_ac.errors import RemoteError
from tests.chat.memory import open_world
from tests.services.llm.pages import serving
from tests.services.llm.test_urls import last_prompt
from tests.web.hostile_server import hostile_server


async def test_summaries() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            service.world.model.aside = "It is about pumps."
            page, url = await service.page(), server.url("/page")
            content = await page.ask("fetch_url", url, True, True, None, "how to install it?")
            assert (content["summary"], content["summary_type"]) == ("It is about pumps.", "USAGE")
            assert len(service.spent) == 1
            with pytest.raises(RemoteError, match="summary_type must be one of"):
                await page.ask("fetch_url", url, True, True, "POEM")
            await page.say("1", "Why?")
            assert "It is about pumps." in last_prompt(service.world)
            assert "moves a fluid" not in last_prompt(service.world)
