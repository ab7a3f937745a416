"""The history, looked at over a real database."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jupyter_ac.chat.history.archive import PREVIEW_CHARS, HistoryArchive, timestamp
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import TurnFailure, TurnPosition, TurnRecord, TurnState
from jupyter_ac.errors import InvalidParams
from jupyter_ac.ids import ConversationKey, Identity, RequestId, SessionId
from jupyter_ac.models.client import Usage
from tests.chat.memory import ADA
from tests.support.histories import history_in

BOB = Identity("bob")
PANEL, CELLS = ConversationKey(ADA), ConversationKey(ADA, "cells")
DONE = TurnRecord("", RequestId(""), "", 0, TurnState.DONE, "So.", model="m")
RUNNING = replace(DONE, state=TurnState.RUNNING, answer="half")
FIRST, SECOND = SessionId("sess_1_a"), SessionId("sess_2_b")


@dataclass
class Kept:
    """The history of a worktree, and how to add to it."""

    store: HistoryStore
    archive: HistoryArchive
    revision: dict[SessionId, int]
    count: int = 0

    async def say(
        self,
        session_id: SessionId,
        question: str,
        over: TurnRecord = DONE,
        conversation_key: ConversationKey = PANEL,
    ) -> None:
        """Keep a turn that ended like `over`; times go up with each."""
        self.count += 1
        turn = TurnRecord(
            f"turn{self.count}", RequestId(f"{self.count}-a"), question, 1000 * self.count
        )
        revision = self.revision.get(session_id, 0)
        await self.store.begin(TurnPosition(conversation_key, session_id, revision), turn)
        if over.state is TurnState.RUNNING:
            await self.store.checkpoint(turn.turn_id, over.answer)
        else:
            await self.store.finish(
                replace(over, turn_id=turn.turn_id, request_id=turn.request_id, question=question)
            )
        self.revision[session_id] = revision + 1 + (over.state is not TurnState.RUNNING)


@asynccontextmanager
async def kept(folder: Path, worktree: str = "") -> AsyncIterator[Kept]:
    database = history_in(folder)
    try:
        yield Kept(HistoryStore(database, worktree), HistoryArchive(database, worktree), {})
    finally:
        await database.aclose()


async def test_sessions_are_listed_by_their_last_use(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.store.start_session(ConversationKey(ADA), SessionId("sess_0_empty"))
        await history.say(FIRST, "Why\n a  garden?" + "!" * 200)
        await history.say(SECOND, "In a cell", conversation_key=CELLS)
        await history.say(SessionId("sess_3_c"), "Bob's", conversation_key=ConversationKey(BOB))
        assert [found["session_id"] for found in await history.archive.sessions(ADA, 50)] == [
            SECOND,
            FIRST,
        ]
        await history.say(FIRST, "And?", RUNNING)
        first, second = await history.archive.sessions(ADA, 50)
        assert first["updated"] > timestamp(history.count * 1000)
        assert first == {
            "updated": first["updated"],
            "session_id": FIRST,
            "timestamp": "1970-01-01T00:00:01.000Z",
            "message_count": 3,
            "preview": ("Why a garden?" + "!" * 200)[:PREVIEW_CHARS],
            "title": "",
            "first_role": "user",
            "aside": False,
            "continues": None,
            "inherited": 0,
            "trusted": True,
        }
        assert (second["session_id"], second["aside"]) == (SECOND, True)
        assert len(await history.archive.sessions(ADA, 1)) == 1
        assert await history.archive.sessions(ADA, 0) == []
        await history.store.claim(ConversationKey(ADA), SECOND)
        first, _ = await history.archive.sessions(ADA, 50)
        assert (first["session_id"], first["aside"]) == (SECOND, False)


async def test_a_session_that_lost_its_first_turn_is_listed_by_the_next(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.say(FIRST, "one")
        await history.say(FIRST, "two")
        await history.store._database.run(
            lambda db: db.execute("DELETE FROM turns WHERE number = 1") and None
        )
        (row,) = await history.archive.sessions(ADA, 10)
        assert (row["session_id"], row["preview"]) == (FIRST, "two")


async def test_a_text_that_is_no_unicode_is_refused(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.say(FIRST, "one")
        with pytest.raises(InvalidParams, match="isn't valid Unicode"):
            await history.archive.messages(ADA, SessionId("sess_\ud800"))
        assert await history.archive.sessions(ADA, 10)


async def test_messages_come_with_all_that_is_kept_of_them(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        failure = TurnFailure("provider_auth", "Set the key.")
        usage = Usage(3, 4, cost_usd=0.5)
        await history.say(FIRST, "Why?", replace(DONE, usage=usage, notices=("Cut.",)))
        failed = replace(DONE, answer="", state=TurnState.ERROR, failure=failure)
        await history.say(FIRST, "And?", failed)
        await history.say(FIRST, "Still?", RUNNING)
        messages = await history.archive.messages(ADA, FIRST)
        assert [(m["role"], m["content"], m["state"]) for m in messages] == [
            ("user", "Why?", "done"),
            ("assistant", "So.", "done"),
            ("user", "And?", "done"),
            ("assistant", "", "error"),
            ("user", "Still?", "done"),
        ]
        answer = messages[1]
        assert answer["id"] == "turn1-assistant"
        assert (answer["session_id"], answer["request_id"]) == (FIRST, "1-a")
        assert answer["usage"]["cost_usd"] == 0.5
        assert answer["notices"] == ["Cut."]
        assert answer["timestamp"].endswith("Z")
        assert messages[3]["error"] == {"type": "provider_auth", "message": "Set the key."}
        assert len({message["id"] for message in messages}) == 5


async def test_nobody_sees_what_is_not_theirs(tmp_path: Path) -> None:
    async with kept(tmp_path) as history, kept(tmp_path, "feature") as other:
        await history.say(FIRST, "A secret")
        for archive, identity in ((history.archive, BOB), (other.archive, ADA)):
            assert await archive.sessions(identity, 50) == []
            assert await archive.messages(identity, FIRST) == []
            assert await archive.search(identity, MessageQuery("secret")) == []
        assert await history.archive.messages(ADA, SessionId("sess_9_z")) == []
        assert (await history.archive.spend(BOB, FIRST, 0))["repo_usd"] == 0


async def test_a_search_gives_whole_messages_newest_first(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.say(FIRST, "A garden?", replace(DONE, answer="A Garden of herbs"))
        await history.say(SECOND, "Another garden")
        found = await history.archive.search(ADA, MessageQuery("GARDEN"))
        assert {message["content"] for message in found} == {
            "Another garden",
            "A Garden of herbs",
            "A garden?",
        }
        times = [message["timestamp"] for message in found]
        assert times == sorted(times, reverse=True)
        whole = [*await history.archive.messages(ADA, FIRST)]
        assert [message for message in found if message["session_id"] == FIRST] == whole[::-1]


async def test_spend_is_what_is_known_by_session_by_day_and_in_all_worktrees(
    tmp_path: Path,
) -> None:
    async with kept(tmp_path) as history, kept(tmp_path, "feature") as other:
        assert await history.archive.spend(ADA, FIRST, 0) == {
            "session_usd": 0,
            "today_usd": 0,
            "repo_usd": 0,
            "unpriced_turns": 0,
        }
        unpriced = replace(DONE, usage=Usage(1, 1))
        await history.say(FIRST, "1", replace(DONE, usage=Usage(1, 1, cost_usd=0.25)))
        await history.say(SECOND, "2", replace(DONE, usage=Usage(1, 1, cost_usd=0.5)))
        await history.say(SECOND, "3", unpriced)
        await history.say(SECOND, "4", replace(DONE, state=TurnState.ERROR))
        other.count = 10
        await other.say(SessionId("sess_3_c"), "5", unpriced)
        bobs = replace(DONE, usage=Usage(1, 1, cost_usd=100.0))
        await history.say(SessionId("sess_4_d"), "6", bobs, ConversationKey(BOB))
        assert await history.archive.spend(ADA, FIRST, 2000) == {
            "session_usd": pytest.approx(0.25),
            "today_usd": pytest.approx(0.5),
            "repo_usd": pytest.approx(0.75),
            "unpriced_turns": 2,
        }
        spent = await other.archive.spend(ADA, SessionId("sess_3_c"), 11_000)
        assert (spent["session_usd"], spent["today_usd"]) == (None, None)


async def test_what_a_session_goes_on_from_counts_as_its_own_spend(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.say(FIRST, "1", replace(DONE, usage=Usage(1, 1, cost_usd=0.25)))
    async with kept(tmp_path) as history:
        history.count = 1
        assert await history.store.resume(ADA, SECOND) is not None
        await history.say(SECOND, "2", replace(DONE, usage=Usage(1, 1, cost_usd=0.5)))
        await history.say(SessionId("sess_3_c"), "3", replace(DONE, usage=Usage(1, 1, cost_usd=2)))
        spent = await history.archive.spend(ADA, SECOND, 0)
        assert (spent["session_usd"], spent["repo_usd"]) == (0.75, 2.75)
        assert (await history.archive.spend(ADA, FIRST, 0))["session_usd"] == 0.25


async def test_an_index_that_contradicts_itself_is_made_anew(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        for number in range(6):
            await history.say(FIRST, f"needle {number}")
        await history.archive.prepare_search()
    with closing(sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE message_index_data SET block = x'00ff' WHERE id > 5")
    async with kept(tmp_path) as history:
        history.count, history.revision = 6, {FIRST: 12}
        await history.say(FIRST, "needle 6")
        for _ in range(2):
            found = await history.archive.search(ADA, MessageQuery("needle", role="user"))
        assert len(found) == 7


def test_moments_are_written_in_utc() -> None:
    assert timestamp(1_700_000_000_123) == "2023-11-14T22:13:20.123Z"
