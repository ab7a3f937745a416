"""Every answer and every event has the shape that its type promises."""

import typing
from dataclasses import MISSING, fields

import pytest

from jupyter_ac import events
from jupyter_ac.chat.ports import MapText
from jupyter_ac.errors import ProviderRateLimit
from jupyter_ac.events import Event
from jupyter_ac.models.client import PromptProgress, Retry
from tests.chat.edited import edit
from tests.chat.memory import World, open_world
from tests.services.llm.pages import Page, WorldService, serving
from tests.support.conformance import problems
from tests.support.pictures import GIF, uri
from tools.api.surface import result_of

EVENTS: dict[str, type[Event]] = {
    found.name: found
    for found in vars(events).values()
    if isinstance(found, type) and issubclass(found, Event) and found is not Event
}


NOWHERE = "https://nowhere.example/page"
"""A host that isn't allowed, so that nothing is resolved."""


class Checking:
    """Calls methods and checks their answers; remembers which were called."""

    def __init__(self, service: WorldService, page: Page) -> None:
        self.called: set[str] = set()
        self._table = service.table
        self._page = page

    async def call(self, name: str, *args: object) -> object:
        answer = await self._page.call(name, *args)
        self.called.add(name)
        assert problems(answer, result_of(self._table[f"LLMService.{name}"]), name) == []
        return answer


def ill_shaped(page: Page) -> list[str]:
    """Say what is wrong with the events that came."""
    found = []
    for name, args in page.events:
        hints = typing.get_type_hints(EVENTS[name])
        expected = [hints[field.name] for field in fields(EVENTS[name])]
        required = [field for field in fields(EVENTS[name]) if field.default is MISSING]
        assert len(required) <= len(args) <= len(expected)
        for value, hint in zip(args, expected, strict=False):
            found += problems(value, hint, name)
    return found


async def call_about_urls(check: Checking) -> None:
    await check.call("detect_urls", f"{NOWHERE} https://github.com/a/b")
    await check.call("fetch_url", NOWHERE)
    await check.call("detect_and_fetch", NOWHERE)
    await check.call("get_url_content", "https://github.com/a/b/issues/7")
    await check.call("get_urls")
    await check.call("set_excluded_urls", [NOWHERE])
    await check.call("get_current_state")
    await check.call("invalidate_url_cache", NOWHERE)
    await check.call("remove_fetched_url", NOWHERE)
    await check.call("clear_url_cache")


async def call_about_marks(check: Checking) -> None:
    for request_id in ("1-a", "none"):
        for name in ("pin_turns", "exclude_turns"):
            await check.call(name, [request_id])
        await check.call("list_marked_turns")
    await check.call("exclude_turns", ["1-a"], False)


async def call_about_context(check: Checking) -> None:
    item = {"kind": "cell", "name": "cell 3", "text": "x = 1", "source": "a.ipynb", "cell": "c"}
    added = await check.call("add_context", item)
    assert isinstance(added, dict)
    await check.call("add_context", {**item, "kind": "odd"})
    await check.call("get_context_items")
    await check.call("get_context_breakdown")
    await check.call("get_symbol_tokens", ["a.py", "b.bin"])
    await check.call("restore_cell_secrets", "a.ipynb", "c", "x = 2")
    await check.call("remove_context", added["id"])


async def call_about_conversations(check: Checking, session_id: str) -> None:
    await check.call("load_session_into_context", session_id)
    await check.call("load_session_into_context", "sess_0_none")
    await check.call("open_conversation", session_id)
    await check.call("open_conversation")


async def test_every_method_answers_in_its_shape() -> None:
    world = open_world({"a.py": "1\n", ".env": "KEY=1\n", "b.bin": None})
    async with serving(world) as service:
        page = await service.page()
        check = Checking(service, page)
        await check.call("get_current_state")
        await check.call("set_selected_files", ["a.py", ".env", "b.bin", "gone"])
        await check.call("get_selected_files")
        await check.call("chat_streaming", "1-a", "Why?")
        await page.completion()
        world.model.held = True
        await check.call("chat_streaming", "2-b", "And?")
        await check.call("chat_streaming", "3-c", "Refused, one runs.")
        await check.call("get_current_state")
        await check.call("attach_stream", "2-b")
        await check.call("cancel_streaming", "2-b")
        await page.until(lambda page: len(page.named("streamComplete")) == 2)
        await check.call("cancel_streaming", "2-b")
        await check.call("attach_stream", "1-a")
        await check.call("get_context_breakdown", None, "Next?")
        await check.call("get_sent_map", "Next?")
        await check.call("get_history_status")
        await check.call("get_current_state")
        listed = await check.call("history_list_sessions")
        assert isinstance(listed, list)
        session_id = listed[0]["session_id"]
        assert await check.call("history_get_session", session_id)
        assert await check.call("history_search", "Hello", "assistant", 5)
        for spend in ("get_spend", "get_spend_by_day"):
            await check.call(spend)
        assert await check.call("get_session_messages")
        assert await check.call("get_message_text", "1-a", "user")
        await check.call("new_session")
        await call_about_conversations(check, session_id)
        await check.call("history_new_session")
        await check.call("get_mode")
        for mode in ("code", "doc", "none"):
            await check.call("switch_mode", mode)
        for enabled in (False, True):
            await check.call("set_cross_reference", enabled)
        world.maps.heads = {"code": MapText("c"), "doc": MapText("d")}
        await check.call("switch_mode", "doc")
        await check.call("set_cross_reference", True)
        put = await check.call("put_image", uri(GIF))
        assert isinstance(put, dict)
        await check.call("get_image", put["id"])
        await check.call("trim_context")
        await call_about_parts(check)
        assert ill_shaped(page) == []
        await check.call("compact_now")
        names = {name.partition(".")[2] for name in service.table if name.startswith("LLMService.")}
        assert check.called == names, "call it here, so that its answer is held against its type"


async def call_about_parts(check: Checking) -> None:
    await call_about_marks(check)
    await call_about_urls(check)
    await call_about_context(check)


@pytest.mark.parametrize("text", ["streamDelta", "streamChunk"])
async def test_every_event_of_a_turn_has_its_shape(text: str) -> None:
    others = {
        "startupProgress",
        "settingsChanged",
        "filesModified",
        "reviewStarted",
        "reviewEnded",
        "editsChanged",
        "commitResult",
        "modeChanged",
        "urlsChanged",
        "contextChanged",
        "cellRunUpdated",
        "browserChanged",
        "toolUpdated",
        "planUpdated",
        "contextUpdated",
        "excludedFilesChanged",
        "streamDelta",
        "streamChunk",
    }
    listed = [f"AcApp.{name}" for name in EVENTS if name not in others or name == text]
    world = open_world({"a.py": "1\n", "b.bin": None})
    world.model.thoughts = ["Hm."]
    world.model.progress = [PromptProgress(1, 2), Retry(1, 4, 0.5, "Busy.")]
    world.model.pieces = [edit("a.py", "1", "2")]
    async with serving(world) as service:
        one, other = await service.page(listed), await service.page(listed)
        question = ("1-a", "Why?", ["a.py", "b.bin"], [uri(GIF)])
        assert await one.ask("chat_streaming", *question) == {"status": "started"}
        await one.completion()
        await other.until(lambda page: bool(page.named("sessionChanged")))
        came = {name for page in (one, other) for name, _ in page.events}
        assert came == set(EVENTS) - others | {text}
        assert ill_shaped(one) == ill_shaped(other) == []


def failing() -> World:
    world = open_world()
    world.model.error = ProviderRateLimit("Wait 7 s.", 7.0)
    return world


async def test_a_failed_turn_ends_in_the_same_shape() -> None:
    async with serving(failing()) as service:
        page = await service.page()
        check = Checking(service, page)
        await check.call("chat_streaming", "1-a", "Why?")
        result = await page.completion()
        assert "error_info" in result
        assert ill_shaped(page) == []
        await check.call("get_current_state")
