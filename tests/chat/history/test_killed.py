"""`kill -9` from outside, at any moment of an answer."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn.stored_turn import CHECKPOINT_S
from jupyter_ac.ids import SessionId
from tests.chat.memory import ADA
from tests.support.doomed_stream import PIECE, QUESTION
from tests.support.histories import history_in

LONGEST_S = 2.5
SLACK_S = 1.0
"""A busy machine is late; what matters is that no more than a second is lost when it isn't."""


def kill_one(folder: Path, after_s: float) -> list[tuple[float, int]]:
    """Let a process stream for some time and kill it; return when it had how much."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.support.doomed_stream", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert child.stdout is not None
    with child.stdout as pieces:
        first = pieces.readline()
        time.sleep(after_s)  # the moment of the kill is the point
        child.kill()
        lines = [first, *pieces]
    child.wait(30)
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [(float(at), int(said)) for at, said in whole]


async def kept(folder: Path, fresh: str) -> list[tuple[str, str, TurnState]]:
    """What a host that starts then finds."""
    database = history_in(folder)
    try:
        session = await HistoryStore(database, "").resume(ADA, SessionId(fresh))
        assert session is not None
        assert database.notice is None
        return [(turn.question, turn.answer, turn.state) for turn in session.turns]
    finally:
        await database.aclose()


def see(folder: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(1, kills + 1):
        said = kill_one(folder, chance.uniform(0.0, LONGEST_S))
        turns = asyncio.run(kept(folder, f"sess_{seed}_{number}"))
        assert len(turns) == number, "a question was lost"
        question, answer, state = turns[-1]
        assert (question, state) == (QUESTION, TurnState.ERROR)
        end, length = said[-1]
        safe = [so_far for at, so_far in said if at < end - CHECKPOINT_S - SLACK_S]
        assert len(answer) >= max(safe, default=0), "more than the last second was lost"
        # One more piece may have been kept that was not printed yet.
        assert answer == (PIECE * number_of(answer))
        assert len(answer) <= length + 2 * len(PIECE)
    with closing(sqlite3.connect(folder / "history.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def number_of(answer: str) -> int:
    return len(answer) // len(PIECE)


def test_a_killed_host_loses_at_most_the_last_second(tmp_path: Path) -> None:
    see(tmp_path, 3, seed=1)


@pytest.mark.soak
def test_fifty_killed_hosts_lose_at_most_the_last_second_each(tmp_path: Path) -> None:
    see(tmp_path, 50, seed=2)
