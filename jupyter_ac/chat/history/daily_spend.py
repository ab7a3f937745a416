"""Adds up what a person's answers have used, by day."""

import sqlite3
from contextlib import suppress
from datetime import datetime
from typing import Final

from jupyter_ac.chat.history.session_rows import LATEST_MS
from jupyter_ac.chat.history.stored_values import UNREADABLE, usage_of
from jupyter_ac.ids import Identity
from jupyter_ac.models.client import Usage
from jupyter_ac.store.sqlite import Database
from jupyter_ac.usage_rows import DaySpend

_USED: Final = """
    SELECT used.created_ms, used.usage FROM sessions s JOIN (
        SELECT session_id, created_ms, usage FROM turns
        UNION ALL SELECT session_id, created_ms, usage FROM removals
        UNION ALL SELECT session_id, created_ms, usage FROM side_costs
    ) used USING (session_id)
    WHERE s.identity = :identity AND used.usage IS NOT NULL
        AND typeof(used.created_ms) = 'integer' AND used.created_ms BETWEEN :since AND :last
    UNION ALL SELECT created_ms, usage FROM costs_of_deleted
    WHERE identity = :identity AND usage IS NOT NULL
        AND typeof(created_ms) = 'integer' AND created_ms BETWEEN :since AND :last
"""


async def spend_by_day(database: Database, identity: Identity, since_ms: int) -> list[DaySpend]:
    """Return the days with answers, oldest first, of all worktrees of the repository.

    Args:
        database: the history.
        identity: whose answers.
        since_ms: in milliseconds since 1970; those before it don't count.
    """

    def read(db: sqlite3.Connection) -> list[DaySpend]:
        days: dict[str, DaySpend] = {}
        values = {"identity": identity, "since": since_ms, "last": LATEST_MS}
        for created_ms, written in db.execute(_USED, values):
            with suppress(*UNREADABLE):
                usage = usage_of(written)
                if usage is not None:
                    day = f"{datetime.fromtimestamp(created_ms / 1000).astimezone():%Y-%m-%d}"
                    _add(days.setdefault(day, _nothing(day)), usage)
        return [days[day] for day in sorted(days)]

    return await database.read(read)


def _add(found: DaySpend, usage: Usage) -> None:
    found["answers"] += 1
    found["input_tokens"] += usage.input_tokens
    found["cached_tokens"] += usage.cache_read_tokens
    found["output_tokens"] += usage.output_tokens
    if usage.cost_usd is not None:
        found["usd"] = (found["usd"] or 0) + usage.cost_usd


def _nothing(day: str) -> DaySpend:
    return {
        "day": day,
        "answers": 0,
        "input_tokens": 0,
        "cached_tokens": 0,
        "output_tokens": 0,
        "usd": None,
    }
