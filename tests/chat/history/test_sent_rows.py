import sqlite3
from contextlib import closing

import pytest

from jupyter_ac.chat.history import row_signatures, rows, sent_rows, session_rows
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.records import TurnPosition
from jupyter_ac.ids import ConversationKey
from tests.chat.history.test_store import SESSION, turn
from tests.chat.memory import ADA
from tests.support.histories import history_in_memory

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
