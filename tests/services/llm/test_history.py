import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.history import rows, session_rows
from jupyter_ac.chat.pagination import MESSAGE_BYTES, PAGE_BYTES, PAGE_MESSAGES
from jupyter_ac.chat.records import TurnPosition, TurnRecord, TurnState
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.errors import InvalidParams, RemoteError
from jupyter_ac.ids import ConversationKey, Identity, RequestId, SessionId
from jupyter_ac.services.llm import history
from jupyter_ac.services.llm.history import PART_UNITS
from tests.chat.memory import ADA, open_world
from tests.services.llm.pages import Page, keeping, objects, serving
from tests.support.histories import history_in


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


SESSION = SessionId("sess_1_a")


def turn(number: int, question: str, answer: str, edits: TurnEdits | None = None) -> TurnRecord:
    return TurnRecord(
        f"t{number}",
        RequestId(f"{number}-a"),
        question,
        number,
        TurnState.DONE,
        answer,
        edits=edits or TurnEdits(),
    )


async def write(folder: Path, turns: list[TurnRecord]) -> None:
    """Write a history as the program has always done, in one transaction."""

    def add(db: sqlite3.Connection) -> None:
        session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, 0), "")
        for each in turns:
            rows.add_turn(db, SESSION, each, "")
            rows.end_turn(db, each)

    database = history_in(folder)
    await database.run(add)
    await database.aclose()


async def pages_of(page: Page) -> list[list[dict[str, object]]]:
    """Read a conversation from its end to its beginning."""
    shown = await page.ask("get_current_state")
    found = [objects(shown["messages"])]
    while shown["earlier"]:
        shown = await page.ask("get_session_messages", found[-1][0]["request_id"])
        assert len(json.dumps(shown, ensure_ascii=False).encode()) < 1.1 * PAGE_BYTES
        found.append(objects(shown["messages"]))
    return found


@pytest.mark.slow
async def test_a_conversation_of_five_thousand_turns_is_read_page_by_page(tmp_path: Path) -> None:
    turns = [turn(n, f"Question {n}?", f"Answer {n}.") for n in range(5000)]
    await write(tmp_path, turns)
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert (len(objects(state["messages"])), state["earlier"]) == (
            PAGE_MESSAGES,
            10_000 - PAGE_MESSAGES,
        )
        pages = await pages_of(page)
        said = [message["content"] for part in reversed(pages) for message in part]
        assert said == [text for each in turns for text in (each.question, each.answer)]
        status = await page.ask("get_history_status")
        assert status["message_count"] == 10_000
        few = await page.ask("get_session_messages", "", 3)
        assert [each["content"] for each in objects(few["messages"])] == [
            "Question 4999?",
            "Answer 4999.",
        ]
        # The conversation goes on, and what is told of it stays small.
        await page.say("new", "Why?")
        other = await service.page()
        assert len(objects((await other.ask("get_current_state"))["messages"])) == PAGE_MESSAGES


@pytest.mark.slow
async def test_a_turn_with_more_rows_than_are_made_of_it_now_opens(tmp_path: Path) -> None:
    blocks = [EditBlock(n, BlockKind.EDIT, "", is_complete=False) for n in range(16_000)]
    units = Utf16Offsets("", blocks)
    found = [
        result_row(BlockOutcome(block, BlockStatus.FAILED, "Why?"), units, 0) for block in blocks
    ]
    edits = TurnEdits(results=tuple(found), modified=("a.py",))
    assert len(edits.to_json()) > 5_000_000
    await write(tmp_path, [turn(0, "Edit!", "🟧🟧🟧 EDIT\n" * 16_000, edits)])
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        _, answer = objects(state["messages"])
        assert len(json.dumps(answer, ensure_ascii=False).encode()) <= 1.1 * MESSAGE_BYTES
        shown, left_out = len(objects(answer["edit_results"])), answer["edits_left_out"]
        assert 0 < shown <= rows.MAX_ROWS
        assert isinstance(left_out, int)
        assert shown + left_out == 16_000
        assert answer["files_modified"] == ["a.py"]
        kept = await page.rows("history_get_session", SESSION)
        assert len(json.dumps(kept)) < 2 * PAGE_BYTES


@pytest.mark.slow
async def test_a_message_of_ten_megabytes_is_cut_and_read_in_parts(tmp_path: Path) -> None:
    text = "".join(f"{n} 😀 line\n" for n in range(600_000))
    await write(tmp_path, [turn(0, "Long?", text), turn(1, text, "Yes.")])
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert len(json.dumps(state, ensure_ascii=False).encode()) < PAGE_BYTES
        for name, role, at in (("0-a", "assistant", 1), ("1-a", "user", 2)):
            message = objects(state["messages"])[at]
            content = str(message["content"])
            units = len(content.encode("utf-16-le")) // 2
            while True:
                part = await page.ask("get_message_text", name, role, units)
                if not part["text"]:
                    break
                content += str(part["text"])
                units = len(content.encode("utf-16-le")) // 2
                assert len(str(part["text"])) <= PART_UNITS
            assert content == text
            assert part["length"] == units


async def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    await write(tmp_path, [turn(0, "Why?", "So.")])
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        part = await page.ask("get_message_text", "0-a", "assistant", -5)
        assert (part["text"], part["offset"], part["length"]) == ("So.", 0, 3)
        assert (await page.ask("get_message_text", "0-a", "assistant", 99))["text"] == ""
        assert (await page.ask("get_message_text", "0-a", "assistant", 0, "reasoning"))[
            "text"
        ] == ""
        for method, *args in (
            ("get_session_messages", "gone"),
            ("get_message_text", "gone"),
            ("get_message_text", "0-a", "system"),
            ("get_message_text", "0-a", "user", 0, "reasoning"),
        ):
            with pytest.raises(RemoteError) as refused:
                await page.call(method, *args)
            assert refused.value.remote_type in {"not_found", "invalid_params"}


async def test_what_answers_have_used_is_told_by_day(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        assert await page.rows("get_spend_by_day") == []
        await page.say("1-a", "Why?")
        (day,) = await page.rows("get_spend_by_day", 1)
        assert day["answers"] == 1
        for days in (0, 366):
            with pytest.raises(RemoteError, match="days must be from 1 to 365"):
                await page.call("get_spend_by_day", days)
