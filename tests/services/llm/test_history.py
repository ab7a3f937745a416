import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, RemoteError
from jupyter_ac.ids import Identity
from jupyter_ac.services.llm import history
from tests.chat.memory import open_world
from tests.services.llm.pages import keeping, objects, serving


async def test_the_status_has_the_keys_of_both_vintages() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        await page.ask("chat_streaming", "1-a", "Why?")
        await page.completion()
        status = await page.ask("get_history_status")
        assert set(status) == {
            *("tokens", "max", "percent", "session_id", "message_count", "history_tokens"),
            *("max_history_tokens", "remaining", "needs_compaction", "compaction_enabled"),
            *("compaction_trigger", "compaction_percent"),
            *("enabled", "trigger_tokens", "current_tokens", "is_compacting", "compactions"),
        }
        assert (status["tokens"], status["message_count"]) == (4, 2)


async def test_sessions_are_listed_opened_and_searched(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "Why a garden?")
        first = (await page.ask("get_current_state"))["session_id"]
        await page.ask("new_session")
        assert [found["current"] for found in await page.rows("history_list_sessions")] == [False]
        await page.say("2-b", "Which GARDEN?")
        listed = await page.rows("history_list_sessions")
        assert [(found["preview"], found["current"]) for found in listed] == [
            ("Which GARDEN?", True),
            ("Why a garden?", False),
        ]
        assert await page.rows("history_list_sessions", 1) == listed[:1]
        assert await page.rows("history_list_sessions", -5) == []
        question, answer = await page.rows("history_get_session", first)
        assert (question["content"], answer["content"]) == ("Why a garden?", "Hello world")
        assert (question["session_id"], question["request_id"]) == (first, "1-a")
        assert await page.rows("history_get_session", "sess_0_none") == []
        newer, older = await page.rows("history_search", "garden")
        assert (newer["content_preview"], newer["role"]) == ("Which GARDEN?", "user")
        assert older == {
            "session_id": first,
            "messages": [question],
            "message_id": question["id"],
            "role": "user",
            "content_preview": "Why a garden?",
            "timestamp": question["timestamp"],
        }


async def test_hits_in_one_session_are_gathered_and_counted_by_message(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        for number in range(3):
            await page.say(f"{number}-a", f"Hello {number}")
        (found,) = await page.rows("history_search", "hello")
        assert len(objects(found["messages"])) == 6
        (found,) = await page.rows("history_search", "hello", "user", 2)
        assert found["content_preview"] == "Hello 2"
        assert len(objects(found["messages"])) == 2
        for nothing in (("",), ("  ",), ("hello", None, 0), ("hello", "system"), ("zzz",)):
            assert await page.rows("history_search", *nothing) == []
        with pytest.raises(RemoteError, match="longer than") as caught:
            await page.rows("history_search", "x" * (history.MAX_QUERY_CHARS + 1))
        assert caught.value.remote_code == InvalidParams.code


async def test_a_long_message_is_shown_around_the_hit_and_cut(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        text = "word " * 10_000
        await page.say("1-a", f"{text}\n needle\n{text}")
        (found,) = await page.rows("history_search", "needle")
        assert " word needle word " in str(found["content_preview"])
        assert len(str(found["content_preview"])) <= 200
        (message,) = objects(found["messages"])
        assert len(str(message["content"])) == history.MOST_HIT_CHARS + 2


async def test_one_person_never_sees_anothers_history(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        ada, bob = await service.page(), await service.page(identity=Identity("bob"))
        await ada.say("1-a", "A secret")
        session_id = (await ada.ask("get_current_state"))["session_id"]
        assert await bob.rows("history_list_sessions") == []
        assert await bob.rows("history_get_session", session_id) == []
        assert await bob.rows("history_search", "secret") == []
        assert "no session" in str(
            (await bob.ask("load_session_into_context", session_id))["error"]
        )
        assert (await bob.ask("get_spend"))["repo_usd"] == 0
        assert (await ada.ask("get_spend"))["repo_usd"] == 0.5


async def test_what_was_spent_today_is_counted_from_midnight(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "Why?")
        await page.ask("new_session")
        await page.say("2-b", "And?")
        spent = {"session_usd": 0.5, "today_usd": 1.0, "repo_usd": 1.0, "unpriced_turns": 0}
        assert await page.ask("get_spend") == spent
        with closing(sqlite3.connect(tmp_path / "history.sqlite")) as database, database:
            database.execute("UPDATE turns SET created_ms = 0")
        assert await page.ask("get_spend") == spent | {"today_usd": 0}
