"""What answers have used, day by day, over a real history."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from jupyter_ac.chat.records import TurnState
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.models.client import Usage
from tests.chat.history.test_archive import BOB, DONE, FIRST, SECOND, kept
from tests.chat.memory import ADA

DAY_S = 24 * 3600


def day_of(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000).astimezone():%Y-%m-%d}"


async def test_answers_are_added_up_by_day_in_all_worktrees(tmp_path: Path) -> None:
    priced = replace(DONE, usage=Usage(100, 10, cache_read_tokens=40, cost_usd=0.25))
    unpriced = replace(DONE, usage=Usage(7, 3))
    async with kept(tmp_path) as history, kept(tmp_path, "feature") as other:
        assert await history.archive.spend_by_day(ADA, 0) == []
        history.count = DAY_S
        await history.say(FIRST, "1", priced)
        await history.say(FIRST, "2", unpriced)
        history.count = 3 * DAY_S
        await history.say(SECOND, "3", unpriced)
        await history.say(SECOND, "4", replace(DONE, state=TurnState.ERROR))
        other.count = 3 * DAY_S + 60
        await other.say(SessionId("sess_3_c"), "5", priced)
        await history.say(SessionId("sess_4_d"), "6", priced, ConversationKey(BOB))
        first, second = await history.archive.spend_by_day(ADA, 0)
        assert first == {
            "day": day_of(1000 * DAY_S),
            "answers": 2,
            "input_tokens": 107,
            "cached_tokens": 40,
            "output_tokens": 13,
            "usd": pytest.approx(0.25),
        }
        assert (second["day"], second["answers"]) == (day_of(3000 * DAY_S), 2)
        since = await history.archive.spend_by_day(ADA, 2000 * DAY_S)
        assert [row["day"] for row in since] == [second["day"]]
        assert (await history.archive.spend_by_day(BOB, 0))[0]["usd"] == pytest.approx(0.25)


async def test_days_without_a_known_price_have_none(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.say(FIRST, "1", replace(DONE, usage=Usage(1, 1)))
        assert [row["usd"] for row in await history.archive.spend_by_day(ADA, 0)] == [None]


@pytest.mark.parametrize("damage", ["'no json'", "'[]'", '\'{"input_tokens": "x"}\'', "x'00'", "5"])
async def test_damaged_rows_count_nothing(tmp_path: Path, damage: str) -> None:
    async with kept(tmp_path) as history:
        await history.say(FIRST, "1", replace(DONE, usage=Usage(1, 1, cost_usd=1.0)))
        (place,) = tmp_path.rglob("history.sqlite")
        with closing(sqlite3.connect(place)) as db:
            db.execute(f"UPDATE turns SET usage = {damage}")
            db.commit()
        assert await history.archive.spend_by_day(ADA, 0) == []
