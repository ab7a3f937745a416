import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.history import row_signatures, rows, sent_rows, session_rows
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.session_rows import LineagePart
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnPosition, TurnRecord
from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId, SessionId
from jupyter_ac.models.client import Usage
from tests.chat.history.test_store import SESSION, turn
from tests.chat.memory import ADA
from tests.support.histories import history_in, history_in_memory

HEAD = (Block(Category.SYSTEM, "Rules."), Block(Category.MAP, "Map."))


def begun() -> sqlite3.Connection:
    db = history_in_memory()
    session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, 0), "")
    rows.add_turn(db, SESSION, turn(1), "host/1/x")
    sent_rows.add_head(db, "t1", "standard", HEAD)
    return db


def test_a_head_that_was_changed_is_left_out_whole() -> None:
    changes = (
        "UPDATE head_blocks SET source = 'x' WHERE position = 1",
        "UPDATE head_blocks SET category = 'question' WHERE position = 1",
        "UPDATE head_blocks SET mark = x''",
        "UPDATE blocks SET text = 'planted' WHERE text = 'Map.'",
        "UPDATE blocks SET text = x'00' WHERE text = 'Map.'",
    )
    for change in changes:
        with closing(begun()) as db:
            assert sent_rows.read_heads(db, SESSION) == {"standard": HEAD}
            db.execute(change)
            assert sent_rows.read_heads(db, SESSION) == {}


def test_a_changed_head_gives_place_to_the_one_that_is_sent() -> None:
    with closing(begun()) as db:
        db.execute("UPDATE head_blocks SET mark = x''")
        sent_rows.add_head(db, "t1", "standard", HEAD)
        assert sent_rows.read_heads(db, SESSION) == {"standard": HEAD}
        sent_rows.add_head(db, "none", "standard", HEAD)


@pytest.mark.parametrize("planted", ["'another'", "x'00'", "zeroblob(9)"])
def test_a_text_that_stands_under_the_hash_of_another_gives_place(planted: str) -> None:
    with closing(begun()) as db:
        block = Block(Category.QUESTION, "What is here?")
        db.execute(f"INSERT INTO blocks VALUES ('{block.sha256}', {planted})")
        sent_rows.add_blocks(db, "t1", (block,))
        assert row_signatures.is_own(db, SESSION)
        assert sent_rows.read_sent(db, SESSION) == {"t1": [block]}


def test_removals_are_read_in_order_up_to_a_moment_and_unknown_ones_left_out() -> None:
    with closing(history_in_memory()) as db:
        made = [Removal("trim", "t", created_ms=at) for at in (1, 2, 3)]
        for removal in made:
            sent_rows.add(db, "s", removal)
        sent_rows.add(db, "other", made[0])
        db.execute("UPDATE removals SET kind = 'later' WHERE created_ms = 2")
        assert sent_rows.read(db, LineagePart("s")) == (made[0], made[2])
        assert sent_rows.read(db, LineagePart("s", until_ms=2)) == (made[0],)


ID = SessionId("sess_1_a")
COMPACTION = Removal(
    case="summarize",
    through="t1",
    first_kept="t1",
    summary="They spoke. 😀",
    model="openai/small",
    usage=Usage(10, 2, cost_usd=0.5),
    created_ms=5,
)
TRIM = Removal("trim", "t1", paths=(RepoPath("a b.py"), RepoPath("\udcff.py")), created_ms=6)

IN_RUN = Removal("steps", "t1", summary="So far.", created_ms=7, steps=2, answered=5)


MARKED = Removal("exclude", "t1", turns=("t1", "t0"), created_ms=4)

WITHHELD = Removal(
    "withhold",
    "t1",
    paths=(RepoPath("d"),),
    created_ms=8,
    number=3,
    links=(RepoPath("\udcff link.py"),),
)
LOOKED = Removal("list", "t1", paths=(RepoPath("d"),), created_ms=9, number=4)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[HistoryStore, CompactionStore]]:
    database = history_in(folder)
    yield HistoryStore(database, ""), CompactionStore(database)
    await database.aclose()


async def test_what_was_taken_out_comes_back_as_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, store):
        await history.begin(
            TurnPosition(ConversationKey(ADA), ID, 0), TurnRecord("t1", RequestId("1-a"), "Why?", 1)
        )
        await store.keep(ID, COMPACTION, 1)
        await store.keep(ID, TRIM, None)
        await store.keep(ID, IN_RUN, None)
        await store.keep(ID, MARKED, None)
        await store.keep(ID, WITHHELD, None)
        await store.keep(ID, LOOKED, None)
        kept = await history.session(ID)
        assert kept is not None
        assert kept.revision == 7
    async with opened(tmp_path) as (history, _):
        session = await history.session(ID)
    assert session is not None
    assert session.removals == (COMPACTION, TRIM, IN_RUN, MARKED, WITHHELD, LOOKED)


def test_a_removal_in_a_run_without_its_counts_is_left_out() -> None:
    with closing(history_in_memory()) as db:
        sent_rows.add(db, "s", IN_RUN)
        for written in ("t1", "[1]", "[1, -1]", '{"a": 1}'):
            db.execute("UPDATE removals SET first_kept = ?", (written,))
            assert sent_rows.read(db, LineagePart("s")) == ()


def test_a_removal_of_an_older_version_has_no_number() -> None:
    with closing(history_in_memory()) as db:
        sent_rows.add(db, "s", LOOKED)
        db.execute("UPDATE removals SET first_kept = ''")
        assert sent_rows.read(db, LineagePart("s")) == (replace(LOOKED, number=0),)
        for written in ("x", "[]", '["a"]', "[-1]", "[true]", "[1, 2]", '{"a": 1}'):
            db.execute("UPDATE removals SET first_kept = ?", (written,))
            assert sent_rows.read(db, LineagePart("s")) == ()


async def test_another_hosts_change_is_a_conflict_and_keeps_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, store):
        await history.begin(
            TurnPosition(ConversationKey(ADA), ID, 0), TurnRecord("t1", RequestId("1-a"), "Why?", 1)
        )
        with pytest.raises(Conflict):
            await store.keep(ID, COMPACTION, 0)
        with pytest.raises(NotFound):
            await store.keep(SessionId("other"), COMPACTION, None)
        session = await history.session(ID)
        assert session is not None
        assert (session.removals, session.revision) == ((), 1)
