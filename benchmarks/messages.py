"""Searching 50,000 messages by the index, beside a search of all; how long indexing takes."""

import asyncio
import sqlite3
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from benchmarks.figure import reported
from jupyter_ac.chat.history import index, search
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.ids import Identity
from jupyter_ac.store.sqlite import Database
from tests.support.histories import history_in

ROUNDS: Final = 7
SESSIONS: Final = 250
TURNS: Final = 100
"""In each session; a turn has two messages."""

WORDS_SAID: Final = {"user": 30, "assistant": 200}
OWNER: Final = (Identity("ada"), "")
RARE: Final = "a needle in the hay"


def words() -> list[str]:
    """Make 5,000 words of 3 to 10 letters."""
    random = Random(0)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ["".join(random.choices(letters, k=random.randint(3, 10))) for _ in range(5000)]


def fill(db: sqlite3.Connection) -> None:
    """Write the messages."""
    random, known = Random(1), words()
    for session in range(SESSIONS):
        name = f"s{session}"
        db.execute(
            "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms)"
            " VALUES (?, ?, ?, 0, 0)",
            (name, *OWNER),
        )
        for number in range(TURNS):
            turn, at = f"t{session}-{number}", 1_700_000_000_000 + (session * TURNS + number) * 1000
            db.execute(
                "INSERT INTO turns (turn_id, session_id, number, request_id, state, created_ms,"
                " owner, alive_ms) VALUES (?, ?, ?, ?, 'done', ?, '', 0)",
                (turn, name, number + 1, turn, at),
            )
            for role, count in WORDS_SAID.items():
                text = " ".join(random.choices(known, k=count))
                text += f" {RARE}" if (session, number, role) == (3, 3, "user") else ""
                db.execute(
                    "INSERT INTO messages (message_id, session_id, turn_id, role, content,"
                    " created_ms) VALUES (?, ?, ?, ?, ?, ?)",
                    (f"{turn}-{role}", name, turn, role, text, at),
                )
    db.execute("INSERT INTO unindexed_messages SELECT created_ms, message_id FROM messages")


async def look(database: Database, text: str) -> list[float]:
    """Search some times; return how long it took, in milliseconds."""
    times: list[float] = []
    for _ in range(ROUNDS):
        began = perf_counter()
        await database.read(lambda db: search.find(db, OWNER, MessageQuery(text)))
        times.append(1000 * (perf_counter() - began))
    return times


async def main() -> None:
    """Measure before the index is there, fill it, and measure again."""
    known = words()
    queries = {"rare": RARE, "absent": "not there at all", "common": known[7], "short": "qx"}
    with TemporaryDirectory(prefix="jupyter-ac-bench-") as folder:
        database = history_in(Path(folder))
        await database.run(fill)
        before = {name: await look(database, text) for name, text in queries.items()}
        batches: list[float] = []
        is_behind = True
        while is_behind:
            began = perf_counter()
            is_behind = await database.run(index.catch_up)
            batches.append(1000 * (perf_counter() - began))
        for name, text in queries.items():
            rival = ("without the index", before[name])
            took = await look(database, text)
            reported(f"search of 50,000 messages, {name} text", took, "ms", rival).emit()
        reported("indexing 50,000 messages", [sum(batches) / 1000], "s").emit()
        reported("longest transaction of indexing", [max(batches)], "ms").emit()
        await database.aclose()


if __name__ == "__main__":
    asyncio.run(main())
