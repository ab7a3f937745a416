import asyncio
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.chat.turn.runner import MAX_QUESTION_CHARS
from jupyter_ac.errors import RemoteError
from tests.chat.compaction.world import SUMMARY, settings
from tests.chat.memory import open_world
from tests.services.llm.pages import keeping, serving

WHY = "It matters for the next release, and the one after it builds on what we find here."


async def test_files_are_taken_out_of_the_log_for_good(tmp_path: Path) -> None:
    world = open_world({"a.py": "1\n" * 40})
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        assert await page.ask("trim_context") == {"status": "ok", "tokens_freed": 0}
        await page.call("set_selected_files", ["a.py"])
        await page.say("1-a", "One?")
        await page.call("set_selected_files", [])
        shown = await page.ask("get_context_breakdown")
        breakdown = cast("dict[str, list[dict[str, object]]]", shown["breakdown"])
        (row,) = breakdown["file_details"]
        assert (row["path"], row["in_log"], row["selected"]) == ("a.py", True, False)
        trimmed = await page.ask("trim_context")
        assert trimmed["status"] == "ok"
        assert trimmed["tokens_freed"] == row["tokens"]
        before = await page.ask("get_context_breakdown")
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        after = await page.ask("get_context_breakdown")
        assert after["blocks"] == before["blocks"]
        assert (await page.ask("trim_context", ["a.py"]))["tokens_freed"] == 0


async def test_slips_are_refused_in_words(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        refused = await page.ask("compact_now")
        assert refused == {"error": "There is nothing to compact yet; the newest exchanges stay."}
        world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        assert "press Stop or wait" in str(await page.ask("trim_context"))
        assert "press Stop or wait" in str(await page.ask("compact_now"))


async def test_pages_hear_of_a_compaction_and_a_restart_finds_it(tmp_path: Path) -> None:
    world = open_world()
    world.settings = settings(trigger=9000)
    world.model.aside = SUMMARY
    async with keeping(world, tmp_path) as service:
        page, other = await service.page(), await service.page()
        for number in range(4):
            await page.say(f"{number}-a", f"Question {number}? {WHY}")
        assert await page.ask("compact_now") == {"status": "started"}
        for each in (page, other):
            await each.until(lambda page: "compaction_complete" in str(page.events))
            told = [args for args in each.named("compactionEvent") if "compaction" in str(args)]
            assert [args[0] for args in told] == ["3-a", "3-a"]
        before = await page.ask("get_context_breakdown", None, "Next?")
        history = await page.ask("get_current_state")
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        assert (await page.ask("get_context_breakdown", None, "Next?"))["blocks"] == before[
            "blocks"
        ]
        assert (await page.ask("get_history_status"))["compactions"] == 1
        assert len(cast("list[object]", history["messages"])) >= 8
        await page.say("4-a", "Next?")
    texts = [str(message["content"]) for message in world.model.requests[-1].messages]
    assert "They spoke of gardens." in texts[1]
    assert "Question 1?" not in str(texts)


async def test_two_hosts_never_take_out_what_the_other_still_sends(tmp_path: Path) -> None:
    world = open_world({"a.py": "1\n" * 40})
    world.settings = settings(trigger=9000)
    world.model.aside = SUMMARY
    world.model.aside_release = asyncio.Event()
    async with keeping(world, tmp_path) as one, keeping(world, tmp_path) as two:
        here, there = await one.page(), await two.page()
        for number in range(4):
            await here.say(f"{number}-a", f"Question {number}? {WHY}")
        name = (await here.ask("get_current_state"))["session_id"]
        await there.ask("load_session_into_context", name)
        await here.ask("compact_now")
        await here.until(lambda page: "compaction_start" in str(page.events))
        await there.say("4-b", "From the other host?")
        world.model.aside_release.set()
        await here.until(lambda page: "compaction_error" in str(page.events))
        failed = await here.ask("get_history_status")
        assert failed["failure"]
        assert int(str(failed["retry_tokens"])) > int(str(failed["tokens"])) > 0
        assert (await here.ask("compact_now")) == {"status": "started"}
        await here.until(lambda page: "compaction_complete" in str(page.events))
        done = await here.ask("get_history_status")
        assert not {"failure", "retry_tokens"} & set(done)
        await there.say("5-b", "Again from there?")
    texts = [str(message["content"]) for message in world.model.requests[-1].messages]
    assert "They spoke of gardens." in texts[1]
    assert "Question 1?" not in str(texts)
    assert "From the other host?" in str(texts)


async def test_the_breakdown_has_the_shape_of_the_wire() -> None:
    async with serving(open_world({"a.py": "1", ".env": "A=1"})) as service:
        page = await service.page()
        await page.call("set_selected_files", ["a.py", ".env"])
        shown = await page.ask("get_context_breakdown", None, "Why?")
        assert set(shown) == {
            *("model", "mode", "cross_ref_enabled", "tokenizer", "estimate", "total_tokens"),
            *("max_input_tokens", "message_overhead", "messages", "cost_usd", "breakdown"),
            *("blocks", "provider_cache_rate", "cache_hit_rate", "session_totals"),
            *("promotions", "demotions", "warnings", "notices", "warning", "shed_files"),
            *("plain_notices", "marked"),
            *("cached_tokens", "uncached_tokens", "expected_cost_usd", "last_request"),
            *("image_tokens", "changes"),
        }
        breakdown = shown["breakdown"]
        assert isinstance(breakdown, dict)
        assert set(breakdown) == {
            *("system", "legend", "symbol_map", "symbol_map_files", "symbol_map_details"),
            *("files", "file_count"),
            *("file_details", "urls", "url_details", "history", "history_messages"),
            *("review", "review_details", "context", "context_details", "question", "overhead"),
            *("tools", "tool_details"),
        }
        assert [row["path"] for row in breakdown["file_details"]] == ["a.py", ".env"]
        assert shown["warnings"] == [
            {"path": ".env", "message": "By its name it contains environment settings."}
        ]


async def test_images_are_guessed_beside_the_texts() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        plain = await page.ask("get_context_breakdown", None, "Why?")
        shown = await page.ask("get_context_breakdown", None, "Why?", 2)
        assert (plain["image_tokens"], shown["image_tokens"]) == (0, 2000)
        assert shown["total_tokens"] != plain["total_tokens"]  # a line stands for them
        for images in (-1, 6):
            with pytest.raises(RemoteError, match="images"):
                await page.ask("get_context_breakdown", None, "Why?", images)


async def test_a_question_that_could_not_be_asked_is_not_weighed_either() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        question = "a" * (MAX_QUESTION_CHARS + 1)
        for method, before in (("get_context_breakdown", [None]), ("get_sent_map", [])):
            with pytest.raises(RemoteError, match="longer than") as caught:
                await page.call(method, *before, question)
            assert caught.value.remote_type == "too_large"


async def test_a_question_must_be_a_text() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        with pytest.raises(RemoteError):
            await page.ask("get_context_breakdown", None, 3)


async def test_ticked_files_are_counted_by_symbol() -> None:
    world = open_world({"a.py": "def f(): pass\n" + "1\n" * 40, "b.bin": None, "c.py": "3\n"})
    async with serving(world) as service:
        page = await service.page()
        await page.call("set_selected_files", ["a.py", "b.bin"])
        shown = await page.ask("get_context_breakdown")
        breakdown = cast("dict[str, list[dict[str, object]]]", shown["breakdown"])
        (row,) = await page.rows("get_symbol_tokens", ["a.py", "a.py", "b.bin", "c.py", "../x"])
        assert row["path"] == "a.py"
        (symbol,) = cast("list[dict[str, object]]", row["symbols"])
        assert (symbol["name"], symbol["tokens"]) == ("f", 4)
        assert row["rest"] == cast("int", breakdown["file_details"][0]["tokens"]) - 4
        for wrong in (["a.py"] * 51, "a.py", [1]):
            with pytest.raises(RemoteError):
                await page.call("get_symbol_tokens", wrong)
