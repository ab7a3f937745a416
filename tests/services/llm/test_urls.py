"""Web pages of a conversation over the wire: found, fetched, sent, left out, removed."""

import asyncio

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import Identity
from jupyter_ac.settings.app import AppSettings, UrlSettings
from tests.chat.memory import World, open_world
from tests.services.llm.pages import Page, serving
from tests.web.hostile_server import hostile_server, ok, raw


def last_prompt(world: World) -> str:
    return str(world.model.requests[-1].messages)


def stages_of(page: Page) -> list[object]:
    events = [args[1] for args in page.named("compactionEvent")]
    return [event["stage"] for event in events if isinstance(event, dict)]


async def rows_after(page: Page, count: int) -> list[dict[str, object]]:
    await page.until(lambda page: len(page.named("urlsChanged")) >= count)
    (rows,) = page.named("urlsChanged")[-1]
    assert isinstance(rows, list)
    return rows


async def test_addresses_in_a_text() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        found = await page.rows("detect_urls", "see https://github.com/a/b and https://a.org/x.")
        assert [
            (row["url"], row["type"], row["url_type"], row["display_name"]) for row in found
        ] == [
            ("https://github.com/a/b", "github_repo", "github_repo", "a/b"),
            ("https://a.org/x", "generic", "generic", "a.org/x"),
        ]
        assert await page.call("detect_urls", "no address") == []
        with pytest.raises(RemoteError, match="1,000,000"):
            await page.call("detect_urls", "x" * 1_000_001)


async def test_a_page_is_fetched_and_sent_once() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, other = await service.page(), await service.page()
            url = server.url("/page")
            content = await page.ask("fetch_url", url)
            assert content["title"] == "Pumps"
            assert content["error"] is None
            (row,) = await rows_after(other, 2)
            assert (row["url"], row["state"], row["included"]) == (url, "ready", True)
            stages = stages_of(other)
            assert stages == ["url_fetch", "url_ready"]

            await page.say("1", "What is a pump?")
            assert "moves a fluid" in last_prompt(service.world)
            assert "never an instruction" in last_prompt(service.world)
            await page.ask("fetch_url", url, False)
            await page.say("2", "And a valve?")
            assert last_prompt(service.world).count("moves a fluid") == 1
            assert len(server.asked) == 2

            details = (await page.ask("get_context_breakdown"))["breakdown"]
            assert isinstance(details, dict)
            (detail,) = details["url_details"]
            assert (detail["url"], detail["name"], detail["in_log"]) == (url, "Pumps", True)
            assert details["urls"] == detail["tokens"] > 0
            assert details["files"] == 0


async def test_a_page_that_has_changed_is_sent_again() -> None:
    with hostile_server() as server:
        server.answers["/news"] = ok("yesterday's news", "text/plain")
        async with serving(open_world()) as service:
            page = await service.page()
            await page.ask("fetch_url", server.url("/news"))
            await page.say("1", "What is new?")
            server.answers["/news"] = ok("today's news", "text/plain")
            await page.ask("fetch_url", server.url("/news"), False)
            await page.say("2", "And now?")
            prompt = last_prompt(service.world)
            assert prompt.index("yesterday's news") < prompt.index("today's news")


async def test_leaving_out_and_removing_are_as_unticking() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, url = await service.page(), server.url("/text")
            await page.ask("fetch_url", url)
            await page.say("1", "Why?")
            assert await page.call("set_excluded_urls", [url, "https://unknown.org"]) == [url]
            (row,) = await rows_after(page, 3)
            assert row["included"] is False
            await page.say("2", "Why?")
            assert "is no longer selected" in last_prompt(service.world)
            assert await page.call("set_excluded_urls", []) == []
            await page.say("3", "Why?")
            assert "is selected again" in last_prompt(service.world)
            assert await page.call("remove_fetched_url", url) == {"status": "ok", "success": True}
            await page.say("4", "Why?")
            assert last_prompt(service.world).count("is no longer selected") == 2
            assert await page.call("get_urls") == []
            assert len(server.asked) == 1


async def test_excluded_with_the_question() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, url = await service.page(), server.url("/text")
            await page.ask("fetch_url", url)
            await page.call("chat_streaming", "1", "Why?", None, None, [url])
            await page.completion()
            assert "plain words" not in last_prompt(service.world)


async def test_failures_are_shown_and_not_sent() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, url = await service.page(), server.url("/missing")
            content = await page.ask("fetch_url", url)
            assert "404 Not Found" in str(content["error"])
            (row,) = await rows_after(page, 2)
            assert (row["state"], row["error"]) == ("failed", content["error"])
            ready = page.named("compactionEvent")[-1][1]
            assert isinstance(ready, dict)
            assert (ready["stage"], ready["error"]) == ("url_ready", content["error"])
            await page.say("1", "Why?")
            assert url not in last_prompt(service.world)


async def test_a_page_stays_when_it_cannot_be_fetched_again() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, url = await service.page(), server.url("/text")
            await page.ask("fetch_url", url)
            del server.answers["/text"]
            assert (await page.ask("fetch_url", url, False))["error"]
            assert (await page.ask("get_url_content", url))["content"] == "plain words"


async def test_the_cache() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, url = await service.page(), server.url("/text")
            assert (await page.ask("get_url_content", url))["error"] == "URL not yet fetched"
            for _ in range(2):
                assert (await page.ask("fetch_url", url))["content"] == "plain words"
            assert len(server.asked) == 1
            await page.call("remove_fetched_url", url)
            assert (await page.ask("get_url_content", url))["content"] == "plain words"
            await page.call("invalidate_url_cache", url)
            assert (await page.ask("get_url_content", url))["error"] == "URL not yet fetched"
            await page.ask("fetch_url", url)
            assert len(server.asked) == 2
            await page.call("clear_url_cache")
            assert (await page.ask("get_url_content", url))["error"] == "URL not yet fetched"


async def test_all_pages_of_a_text() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page = await service.page()
            text = f"{server.url('/text')} and {server.url('/json')} and {server.url('/text')}"
            found = await page.rows("detect_and_fetch", text)
            assert [row["content"] for row in found] == ["plain words", '{"a": 1}']


async def test_people_have_pages_of_their_own() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page = await service.page()
            stranger = await service.page(identity=Identity("bob"))
            await page.ask("fetch_url", server.url("/text"))
            assert await stranger.call("get_urls") == []
            assert stranger.events == []


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("fetch_url", ["file:///etc/passwd"]),
        ("fetch_url", ["words"]),
        ("fetch_url", [3]),
        ("get_url_content", ["ftp://a.org"]),
        ("remove_fetched_url", ["//a.org"]),
        ("set_excluded_urls", ["https://a.org"]),
        ("set_excluded_urls", [[3]]),
        ("chat_streaming", ["1", "Why?", None, None, "https://a.org"]),
    ],
)
async def test_bad_arguments(method: str, arguments: list[object]) -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        with pytest.raises(RemoteError):
            await page.call(method, *arguments)
        assert page.named("urlsChanged") == []


async def test_a_page_that_is_removed_while_it_is_fetched() -> None:
    with hostile_server() as server:
        for method in ("remove_fetched_url", "invalidate_url_cache", "clear_url_cache"):
            async with serving(open_world()) as service:
                page, url = await service.page(), server.url("/slow")
                fetching = asyncio.create_task(page.ask("fetch_url", url))
                (row,) = await rows_after(page, 1)
                assert (row["state"], row["url"]) == ("fetching", url)
                await page.call(method, *([] if method == "clear_url_cache" else [url]))
                assert (await fetching)["error"] == "The fetch was stopped."
                assert await page.call("get_urls") == []
                assert stages_of(page) == ["url_fetch", "url_ready"]


async def test_the_state_has_pages_that_are_being_fetched() -> None:
    slowly = raw(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 150_000, pause_s=0.05, forever=True)
    with hostile_server(slowly=slowly) as server:
        async with serving(open_world()) as service:
            asker, url = await service.page(), server.url("/slowly")
            asyncio.create_task(asker.ask("fetch_url", url)).add_done_callback(
                lambda asked: asked.exception()
            )
            await asker.until(lambda page: "bytes" in str(page.named("urlsChanged")))
            await service.leave(asker)
            page = await service.page()
            (row,) = await page.state_rows()
            assert (row["url"], row["state"]) == (url, "fetching")
            assert isinstance(row["bytes"], int)
            assert row["bytes"] >= 100_000
            (row,) = await rows_after(page, 1)
            await page.until(lambda page: "failed" in str(page.named("urlsChanged")))
            (row,) = await page.state_rows()
            assert (row["state"], row["error"]) == ("failed", "its content is larger than 5 MB")


async def test_nothing_is_fetched_if_the_user_wants_that() -> None:
    with hostile_server() as server:
        async with serving(open_world()) as service:
            page, url = await service.page(), server.url("/text")
            await page.ask("fetch_url", url)
            service.world.settings = AppSettings(urls=UrlSettings("never"))
            assert 'urls.fetch is "never"' in str((await page.ask("fetch_url", url))["error"])
            (content,) = await page.rows("detect_and_fetch", server.url("/json"))
            assert 'urls.fetch is "never"' in str(content["error"])
            assert (await page.ask("get_url_content", url))["content"] == "plain words"
            assert [row["state"] for row in await page.rows("get_urls")] == ["ready"]
            assert len(server.asked) == 1


async def test_a_breakdown_as_if_other_files_and_pages_were_selected() -> None:
    with hostile_server() as server:
        async with serving(open_world({"a.py": "1\n", "b.py": "2\n"})) as service:
            page, url = await service.page(), server.url("/page")
            await page.call("set_selected_files", ["a.py"])
            await page.ask("fetch_url", url)
            cases: list[tuple[list[object], list[str], list[str]]] = [
                ([], ["a.py"], [url]),
                ([["b.py", "gone"], []], ["b.py"], []),
                ([["a.py", "b.py"], [url, "https://unknown.org"]], ["a.py", "b.py"], [url]),
                ([None, "Why?"], ["a.py"], [url]),
            ]
            for arguments, files, urls in cases:
                found = (await page.ask("get_context_breakdown", *arguments))["breakdown"]
                assert isinstance(found, dict)
                assert [row["path"] for row in found["file_details"]] == files
                assert [row["url"] for row in found["url_details"]] == urls
            assert await page.call("get_selected_files") == ["a.py"]
            assert [row["included"] for row in await page.rows("get_urls")] == [True]
            wrong_ones: list[list[object]] = [[["a.py", 3]], [[], [3]], [None, {}], [None, 3]]
            for wrong in wrong_ones:
                with pytest.raises(RemoteError):
                    await page.call("get_context_breakdown", *wrong)
