"""Web pages that are fetched when their question is sent."""

import asyncio

import pytest

from jupyter_ac.ids import ConversationKey
from jupyter_ac.services.llm import question_pages
from jupyter_ac.settings.app import AppSettings, UrlSettings
from tests.chat.memory import ADA, World, open_world
from tests.services.llm.pages import Page, serving
from tests.services.llm.test_urls import last_prompt
from tests.web.hostile_server import hostile_server, redirect


def world_that(fetches: str) -> World:
    world = open_world()
    world.settings = AppSettings(urls=UrlSettings(fetches))
    return world


def events_of(page: Page) -> list[tuple[object, object]]:
    return [
        (args[0], event["stage"])
        for args in page.named("compactionEvent")
        if isinstance(event := args[1], dict) and "url" in event
    ]


async def test_pages_of_a_question_are_fetched_before_it_is_sent() -> None:
    with hostile_server(moved=redirect("/page")) as server:
        async with serving(world_that("auto")) as service:
            page, other = await service.page(), await service.page()
            text, moved, missing = (server.url(f"/{each}") for each in ("text", "moved", "missing"))
            result = await page.say("1", f"Compare {text}, {moved} and {missing}.")
            assert "plain words" in last_prompt(service.world)
            assert "moves a fluid" in last_prompt(service.world)
            redirected = f"redirected to {server.url('/page')}"
            assert result["notices"] == [
                f"Fetched from the web for this question: {text}",
                f"Fetched from the web for this question: {moved} ({redirected})",
                f"Not fetched: {missing}: the server answers 404 Not Found: there is no such page",
            ]
            assert sorted(events_of(other)) == [("1", "url_fetch")] * 3 + [("1", "url_ready")] * 3
            asked = len(server.asked)
            result = await page.say("2", f"And {text}, {moved}, {missing}?")
            assert "notices" not in result
            assert len(server.asked) == asked
            assert last_prompt(service.world).count("plain words") == 1


async def test_by_default_nothing_is_fetched() -> None:
    with hostile_server() as server:
        for mode in ("ask", "never"):
            async with serving(world_that(mode)) as service:
                page = await service.page()
                assert "notices" not in await page.say("1", f"What is {server.url('/text')}?")
                assert await page.call("get_urls") == []
        assert server.asked == []


async def test_a_change_of_the_setting_holds_for_the_next_question() -> None:
    with hostile_server() as server:
        async with serving(world_that("ask")) as service:
            page = await service.page()
            await page.say("1", f"What is {server.url('/text')}?")
            service.world.settings = AppSettings(urls=UrlSettings("auto"))
            await page.say("2", f"What is {server.url('/text')}?")
            assert "plain words" in last_prompt(service.world)


async def test_excluded_addresses_are_not_fetched() -> None:
    with hostile_server() as server:
        async with serving(world_that("auto")) as service:
            page, out, wanted = await service.page(), server.url("/text"), server.url("/json")
            await page.call("chat_streaming", "1", f"{out} {wanted}", None, None, [f"{out}#top"])
            await page.completion()
            assert [row["url"] for row in await page.rows("get_urls")] == [wanted]
            assert len(server.asked) == 1


async def test_at_most_three_are_fetched() -> None:
    with hostile_server() as server:
        async with serving(world_that("auto")) as service:
            page = await service.page()
            urls = [server.url(f"/{name}") for name in ("text", "json", "page", "here", "mark")]
            result = await page.say("1", " ".join(urls))
            assert {row["url"] for row in await page.rows("get_urls")} == set(urls[:3])
            assert isinstance(result["notices"], list)
            assert result["notices"][-1] == (
                f"Not fetched, since a question has at most 3 pages fetched: {urls[3]}, {urls[4]}"
            )


async def test_pages_of_the_cache_are_told_apart() -> None:
    with hostile_server() as server:
        async with serving(world_that("auto")) as service:
            page, url = await service.page(), server.url("/text")
            await page.ask("fetch_url", url)
            await page.call("remove_fetched_url", url)
            result = await page.say("1", url)
            assert result["notices"] == [f"Taken from the cache for this question: {url}"]
            assert len(server.asked) == 1


async def test_a_question_does_not_wait_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_pages, "WAIT_S", 0.5)
    with hostile_server() as server:
        async with serving(world_that("auto")) as service:
            page, url = await service.page(), server.url("/slow")
            result = await page.say("1", url)
            assert result["notices"] == [f"Not sent: {url} did not come within 0.5 seconds."]
            assert result["response"] == "Hello world"
            assert await page.call("get_urls") == []


async def test_stop_ends_the_fetch() -> None:
    with hostile_server() as server:
        async with serving(world_that("auto")) as service:
            page, url = await service.page(), server.url("/slow")
            await page.call("chat_streaming", "1", url)
            while not server.asked:
                await asyncio.sleep(0.01)
            await page.call("cancel_streaming", "1")
            await page.completion()
            conversation = await service.domain.book.open(ConversationKey(ADA))
            await page.until(lambda page: page.named("urlsChanged")[-1] == ([],))
            assert conversation.url_rows == []
            assert service.world.model.requests == []
            while server.open_connections:
                await asyncio.sleep(0.01)
