import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.records import TurnPosition, TurnRecord
from jupyter_ac.errors import (
    InvalidParams,
    NotFound,
    ProviderRateLimit,
    RemoteError,
    TooLarge,
    Unsupported,
)
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm import chat
from jupyter_ac.services.llm.chat import ImageMethods, keep_images
from tests.chat.memory import World, open_world
from tests.services.llm.pages import (
    WITHOUT_DELTAS,
    Page,
    WorldService,
    connect,
    never_answer,
    serving,
)
from tests.support.pictures import GIF, SVG, png, uri

STARTED = {"status": "started"}


async def holding(service: WorldService, page: Page, request_id: str = "1-a") -> None:
    """Ask a question whose answer waits after its first words."""
    service.world.model.held = True
    assert await page.ask("chat_streaming", request_id, "Why?") == STARTED
    await asyncio.wait_for(service.world.model.began.wait(), 30)


async def test_a_question_is_answered_to_who_asked_and_told_to_the_others() -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page(WITHOUT_DELTAS)
        stranger = await service.page(identity=Identity("bob"))
        assert await one.ask("chat_streaming", "1-a", "Why?") == STARTED
        result = await one.completion()
        assert (one.streamed(), result["response"]) == ("Hello world", "Hello world")
        assert [name for name, _ in one.events][-1] == "streamComplete"
        assert not one.named("userMessage")
        assert not one.named("sessionChanged")
        await two.until(lambda page: bool(page.named("sessionChanged")))
        assert two.events[0] == ("userMessage", ({"content": "Why?", "request_id": "1-a"},))
        assert [name for name, _ in two.events] == ["userMessage", "sessionChanged"]
        (session,) = two.named("sessionChanged")[0]
        assert isinstance(session, dict)
        assert [message["content"] for message in session["messages"]] == ["Why?", "Hello world"]
        assert stranger.events == []


@pytest.mark.parametrize("namespace", ["LLM", "LiteLLM"])
async def test_the_namespace_has_its_aliases(namespace: str) -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        assert await page.peer.call(f"{namespace}.chat_streaming", "1-a", "Why?") == STARTED
        await page.completion()


async def test_the_next_question_may_follow_the_end_at_once() -> None:
    async with serving(open_world()) as service:
        asked: list[object] = []

        async def ask_again(name: str) -> object:
            if name == "AcApp.streamComplete" and not asked:
                asked.append(await page.ask("chat_streaming", "2-b", "And?"))
            return True

        page = await service.page(answer=ask_again)
        await page.ask("chat_streaming", "1-a", "Why?")
        await page.until(lambda page: len(page.named("streamComplete")) == 2)
        assert asked == [STARTED]


async def test_a_second_stream_is_refused_and_the_first_goes_on() -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page()
        await holding(service, one)
        assert await two.ask("chat_streaming", "2-b", "And?") == {
            "error": "Another stream is active (1-a) — press Stop or wait."
        }
        service.world.model.release.set()
        await one.completion()


async def test_two_persons_stream_at_once() -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page(identity=Identity("bob"))
        await holding(service, one)
        assert await two.ask("chat_streaming", "1-a", "And?") == STARTED
        service.world.model.release.set()
        await asyncio.gather(one.completion(), two.completion())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a b", "Why?"), "request_id"),
        (("1-a", ""), "empty"),
        (("1-a", "Why?", None, ["data:image/png;base64,AA=="]), "images[0] is no image"),
        (("1-a", "Why?", None, ["x"] * 6), "images has 6 images"),
    ],
)
async def test_what_cant_be_asked_is_refused_in_words(
    arguments: tuple[object, ...], said: str
) -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        refusal = await page.ask("chat_streaming", *arguments)
        assert said in str(refusal["error"])
        assert service.domain.turns.active == 0
        assert page.events == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((3, "Why?"), "request_id"),
        (("1-a", None), "message"),
        (("1-a", "Why?", "a.py"), "files"),
        (("1-a", "Why?", ["a.py", {"path": "b.py"}]), r"files\[1\] must be a path"),
    ],
)
async def test_what_is_of_the_wrong_type_is_an_error_that_names_it(
    arguments: tuple[object, ...], said: str
) -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        with pytest.raises(RemoteError, match=said):
            await page.ask("chat_streaming", *arguments)
        assert service.domain.turns.active == 0


async def test_the_seeds_further_arguments_are_accepted() -> None:
    async with serving(open_world({"a.py": "1"})) as service:
        page = await service.page()
        arguments = ["1-a", "Why?", ["a.py"], [], ["https://example.org"], None, None, None]
        assert await page.ask("chat_streaming", *arguments) == STARTED
        await page.completion()
        assert page.named("filesChanged") == [(["a.py"],)]
        assert "a.py" in str(service.world.model.requests[0].messages)


async def test_files_sent_along_that_are_not_there_are_named_in_the_result() -> None:
    async with serving(open_world({"a.py": "1"})) as service:
        page = await service.page()
        files = ["a.py", "../a.py", "gone.py"]
        assert await page.ask("chat_streaming", "1-a", "Why?", files) == STARTED
        result = await page.completion()
        assert result["invalid_files"] == ["../a.py", "gone.py"]
        assert "Not sent: there is no file 'gone.py'." in str(result["notices"])


async def test_an_early_question_waits_and_is_answered_after_the_start() -> None:
    async with serving(World()) as service:
        page = await service.page()
        assert await page.ask("chat_streaming", "1-a", "Why?") == STARTED
        await page.until(lambda page: bool(page.named("compactionEvent")))
        request_id, event = page.named("compactionEvent")[0]
        assert isinstance(event, dict)
        assert (request_id, event["stage"]) == ("1-a", "waiting")
        service.world.gate.open()
        assert (await page.completion())["response"] == "Hello world"


async def test_a_question_that_was_taken_is_on_the_disk() -> None:
    world = open_world()
    async with serving(world) as service:
        page = await service.page()
        world.model.held = True
        assert await page.ask("chat_streaming", "1-a", "Why?") == STARTED
        assert "begin Why?" in world.history.steps
        (session,) = world.history.sessions.values()
        assert [turn.question for turn in session.turns] == ["Why?"]


async def test_a_disk_that_stands_still_holds_up_no_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chat, "KEPT_S", 0.01)
    world = open_world()
    moving = asyncio.Event()
    begin = world.history.begin

    async def slowly(place: TurnPosition, turn: TurnRecord) -> None:
        await moving.wait()
        await begin(place, turn)

    monkeypatch.setattr(world.history, "begin", slowly)
    async with serving(world) as service:
        page = await service.page()
        assert await page.ask("chat_streaming", "1-a", "Why?") == STARTED
        assert "begin Why?" not in world.history.steps
        moving.set()
        assert (await page.completion())["response"] == "Hello world"


async def test_stop_keeps_what_was_written() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        await holding(service, page)
        cancelled = await page.ask("cancel_streaming", "1-a")
        assert cancelled == {"status": "cancelling", "success": True}
        result = await page.completion()
        assert (result["cancelled"], result["response"]) == (True, "Hello world")
        assert page.streamed() == "Hello world"


async def test_another_page_of_the_person_may_stop_but_no_other_person() -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page()
        stranger = await service.page(identity=Identity("bob"))
        await holding(service, one)
        assert "error" in await stranger.ask("cancel_streaming", "1-a")
        assert "error" in await two.ask("cancel_streaming", "2-b")
        cancelled = await two.ask("cancel_streaming", "1-a")
        assert cancelled == {"status": "cancelling", "success": True}
        await one.completion()
        assert "error" in await two.ask("cancel_streaming", "1-a")


async def test_a_page_that_attaches_gets_the_rest_and_the_end() -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page()
        await holding(service, one)
        attached = await two.ask("attach_stream", "1-a")
        assert attached == {
            "text": "Hello world",
            "length": 11,
            "request_id": "1-a",
            "done": False,
            "state": "running",
            "finish_reason": None,
            "reasoning": "",
        }
        stream = (await service.domain.book.open(ConversationKey(Identity("ada")))).stream
        assert stream is not None
        stream.append(" and 😀 more")
        service.world.model.release.set()
        await two.completion()
        text = "Hello world" + "".join(str(args[2]) for args in two.named("streamDelta"))
        assert two.named("streamDelta")[0][1] == 11
        assert text == "Hello world and 😀 more"
        assert not two.named("sessionChanged")


async def test_a_page_that_reloads_takes_the_stream_over() -> None:
    async with serving(open_world()) as service:
        old = await service.page()
        await holding(service, old)
        await service.leave(old)
        new = await service.page()
        await new.ask("attach_stream", "1-a")
        service.world.model.release.set()
        assert (await new.completion())["response"] == "Hello world"


async def test_attaching_to_what_is_over_gives_all_of_it() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        await page.ask("chat_streaming", "1-a", "Why?")
        await page.completion()
        attached = await page.ask("attach_stream", "1-a")
        assert (attached["text"], attached["done"]) == ("Hello world", True)
        assert (attached["state"], "error" in attached) == ("done", False)
        with pytest.raises(RemoteError) as caught:
            await page.ask("attach_stream", "nobody")
        assert caught.value.remote_type == "not_found"


async def test_attaching_to_what_failed_or_was_stopped_says_so() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        await holding(service, page)
        await page.ask("cancel_streaming", "1-a")
        await page.completion()
        stopped = await page.ask("attach_stream", "1-a")
        assert (stopped["done"], stopped["state"]) == (True, "cancelled")
        service.world.model.held = False
        service.world.model.error = ProviderRateLimit("Too many requests; wait 7 s.", 7.0)
        await page.ask("chat_streaming", "2-b", "And?")
        await page.until(lambda page: len(page.named("streamComplete")) == 2)
        failed = await page.ask("attach_stream", "2-b")
        assert (failed["done"], failed["state"]) == (True, "error")
        assert failed["error"] == "Too many requests; wait 7 s."


async def test_a_silent_page_delays_no_other() -> None:
    async with serving(open_world()) as service:
        silent = await service.page(answer=never_answer)
        other = await service.page()
        await holding(service, silent)
        await other.ask("attach_stream", "1-a")
        stream = (await service.domain.book.open(ConversationKey(Identity("ada")))).stream
        assert stream is not None
        loop = asyncio.get_running_loop()
        began = loop.time()
        stream.append("!")
        service.world.model.release.set()
        await other.completion()
        assert loop.time() - began < 0.5
        assert (await silent.completion())["response"] == "Hello world!"


async def test_a_failure_arrives_with_its_word_and_its_wait() -> None:
    async with serving(open_world()) as service:
        service.world.model.error = ProviderRateLimit("Too many requests; wait 7 s.", 7.0)
        page = await service.page()
        await page.ask("chat_streaming", "1-a", "Why?")
        result = await page.completion()
        info = result["error_info"]
        assert isinstance(info, dict)
        assert (info["error_type"], info["retry_after"]) == ("provider_rate_limit", 7.0)


@asynccontextmanager
async def opened(state: Path) -> AsyncIterator[Page]:
    page = Page(())
    part = ImageMethods(ImageFolder(state))
    connection = await connect(page, MethodTable(Namespace("LLMService", part)))
    yield page
    await connection.close()


async def test_an_image_that_was_put_can_be_got_by_its_id(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        put = await page.ask("put_image", uri(GIF, "image/png"))
        assert (put["mime"], put["bytes"]) == ("image/gif", len(GIF))
        assert await page.ask("get_image", put["id"]) == {"data_uri": uri(GIF, "image/gif")}
        assert await page.ask("put_image", uri(GIF)) == put


async def test_what_can_not_be_an_image_is_refused_with_the_arguments_name(tmp_path: Path) -> None:
    slips = ((uri(SVG), "data_uri is no image"), ("x", "data_uri must be a data URI"))
    async with opened(tmp_path) as page:
        for wrong, said in slips:
            with pytest.raises(RemoteError, match=said):
                await page.call("put_image", wrong)
        with pytest.raises(RemoteError, match="is not kept here"):
            await page.call("get_image", "../../config")


async def test_the_images_of_a_question_are_all_checked_before_one_is_kept(
    tmp_path: Path,
) -> None:
    store = ImageFolder(tmp_path)
    for images, error, said in (
        ([uri(png()), 5], InvalidParams, r"images\[1\] must be a data URI or an image's id"),
        ([uri(png()), uri(SVG)], Unsupported, r"images\[1\] is no image"),
        ([uri(png()), f"{'0' * 64}.png"], NotFound, "is not kept here"),
        ([uri(png(colour=n)) for n in range(6)], TooLarge, "images has 6 images"),
    ):
        with pytest.raises(error, match=said):
            await keep_images(store, images)
    assert not (tmp_path / "images").exists()
    names = await keep_images(store, [uri(png()), uri(GIF), uri(png())])
    assert await keep_images(store, [names[1], names[0]]) == names[::-1]
    assert len(list((tmp_path / "images").iterdir())) == 2


def has_ended(turns: int, page: Page) -> bool:
    return len(page.named("streamComplete")) == turns


async def test_the_model_is_told_how_much_to_reason() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        cases: list[tuple[str, list[object], str]] = [
            ("1", [], ""),
            ("2", [False, "high"], ""),
            ("3", [True, "high"], "high"),
            ("4", [True], "medium"),
        ]
        for at, (request_id, further, effort) in enumerate(cases):
            question = (request_id, "Why?", None, None, None, "reviewer", *further)
            assert await page.call("chat_streaming", *question) == {"status": "started"}
            await page.until(partial(has_ended, at + 1))
            assert service.world.model.requests[-1].effort == effort
        messages = (await page.ask("get_current_state"))["messages"]
        assert isinstance(messages, list)
        assert {message.get("agent_tag") for message in messages[::2]} == {"reviewer"}
        with pytest.raises(RemoteError, match="effort must be one of"):
            await page.call("chat_streaming", "5", "Why?", None, None, None, None, True, "enormous")


async def test_a_model_that_takes_no_effort_is_asked_without_and_it_is_said() -> None:
    world = open_world()
    world.model.info = replace(world.model.info, takes_effort=False)
    async with serving(world) as service:
        page = await service.page()
        await page.call("chat_streaming", "1", "Why?", None, None, None, None, True, "low")
        result = await page.completion()
        assert "can't be told how much to reason" in str(result["notices"])
