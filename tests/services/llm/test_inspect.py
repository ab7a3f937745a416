import pytest

from jupyter_ac.chat.turn.runner import MAX_QUESTION_CHARS
from jupyter_ac.errors import RemoteError
from tests.chat.memory import open_world
from tests.services.llm.pages import serving


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
            *("cached_tokens", "uncached_tokens", "expected_cost_usd", "last_request"),
            "image_tokens",
        }
        breakdown = shown["breakdown"]
        assert isinstance(breakdown, dict)
        assert set(breakdown) == {
            *("system", "legend", "symbol_map", "symbol_map_files", "symbol_map_details"),
            *("files", "file_count"),
            *("file_details", "urls", "url_details", "history", "history_messages"),
            *("question", "overhead"),
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
