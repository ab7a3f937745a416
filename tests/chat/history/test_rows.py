import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from jupyter_ac.chat.history import rows, sent_rows, session_rows
from jupyter_ac.chat.history.session_rows import LineagePart
from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    file_block,
    note_block,
    question_block,
    shorten,
)
from jupyter_ac.chat.prompt.maps import map_blocks
from jupyter_ac.chat.records import TurnFailure, TurnPosition, TurnRecord, TurnState
from jupyter_ac.errors import AlreadyExists, Conflict, NotFound
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId, SessionId
from jupyter_ac.models.client import Usage
from tests.chat.memory import ADA
from tests.chat.test_run_record import RECORD
from tests.support.histories import history_in_memory

SESSION = SessionId("sess_1_a")
TURN = TurnRecord("t1", RequestId("1-a"), "Why? 😀", 5)
FILE = file_block(RepoPath("caf\udce9.py"), "x\n" * 100)
SENT = (note_block(None, "note"), shorten(FILE, 10), question_block(TURN.question))


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(history_in_memory()) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        yield connection


def begin(db: sqlite3.Connection, turn: TurnRecord, revision: int = 0) -> None:
    session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, revision), "")
    rows.add_turn(db, SESSION, turn, "host/1/x")


def test_a_turn_has_what_was_ticked_when_it_was_asked(db: sqlite3.Connection) -> None:
    ticked = (RepoPath("b.py"), RepoPath("caf\udce9.py"))
    asked = replace(TURN, ticked=ticked)
    begin(db, asked)
    rows.end_turn(db, replace(asked, state=TurnState.DONE, ticked=()))
    (found,) = rows.read_turns(db, LineagePart(SESSION, 1, 0))
    assert found.ticked == ticked
    assert db.execute("SELECT ticked FROM turns").fetchone() == ('["b.py", "caf\\udce9.py"]',)


def test_a_turn_comes_back_as_it_was_kept(db: sqlite3.Connection) -> None:
    over = replace(
        TURN,
        state=TurnState.ERROR,
        answer="So far",
        sent=SENT,
        model="m",
        usage=Usage(1, 2, cost_usd=0.25),
        finish_reason="stop",
        failure=TurnFailure("provider_rate_limit", "Wait.", 7.0),
        notices=("Cut.",),
        run=RECORD,
    )
    begin(db, TURN)
    sent_rows.add_blocks(db, "t1", SENT)
    rows.end_turn(db, over)
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert session.turns == (over,)
    assert session.revision == 2


def test_a_running_turn_has_its_question_and_the_answer_so_far(db: sqlite3.Connection) -> None:
    begin(db, TURN)
    rows.write_answer(db, "t1", "So")
    rows.write_answer(db, "t1", "So far")
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert session.turns == (replace(TURN, answer="So far"),)
    ((turn_id, owner, alive_ms),) = rows.running_turns(db, SESSION)
    assert (turn_id, owner) == ("t1", "host/1/x")
    assert alive_ms > 1_600_000_000_000


def test_a_text_sent_twice_is_stored_once(db: sqlite3.Connection) -> None:
    begin(db, TURN)
    sent_rows.add_blocks(db, "t1", SENT)
    begin(db, replace(TURN, turn_id="t2", request_id=RequestId("2-b")), revision=1)
    sent_rows.add_blocks(db, "t2", SENT)
    assert db.execute("SELECT COUNT(*) FROM blocks").fetchone() == (3,)
    assert db.execute("SELECT COUNT(*) FROM sent_blocks").fetchone() == (6,)


def test_a_head_with_other_rules_takes_the_place_of_the_kept_one(
    db: sqlite3.Connection,
) -> None:
    begin(db, TURN)
    first, second = Block(Category.SYSTEM, "first"), Block(Category.SYSTEM, "second")
    sent_rows.add_head(db, "t1", "standard", [first])
    sent_rows.add_head(db, "t1", "standard", [second])
    sent_rows.add_head(db, "t1", "embedded", [second, first])
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert session.heads == {"standard": (second,), "embedded": (second, first)}


def test_a_head_is_kept_whole_with_what_its_blocks_are(db: sqlite3.Connection) -> None:
    begin(db, TURN)
    rules = Block(Category.SYSTEM, "Rules.")
    head = (rules, *map_blocks("doc", "Signs.", "b.md", 4))
    sent_rows.add_head(db, "t1", "doc", head)
    sent_rows.add_head(db, "t1", "standard", [rules])
    sent_rows.add_head(db, "t1", "standard", head)  # of another host, whose index was ready
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert session.heads == {"doc": head, "standard": (rules,)}
    assert [block.source for block in session.heads["doc"][1:]] == ["map:doc:4", "map:doc:4"]


def test_an_older_revision_is_a_conflict(db: sqlite3.Connection) -> None:
    begin(db, TURN)
    with pytest.raises(Conflict):
        begin(db, replace(TURN, turn_id="t2", request_id=RequestId("2-b")), revision=0)
    with pytest.raises(Conflict):
        session_rows.touch_session(
            db, TurnPosition(ConversationKey(ADA), SessionId("sess_2_b"), 3), ""
        )


def test_a_request_id_is_known_once_in_a_session(db: sqlite3.Connection) -> None:
    begin(db, TURN)
    with pytest.raises(AlreadyExists):
        begin(db, replace(TURN, turn_id="t2"), revision=1)


def test_turns_are_numbered_in_order(db: sqlite3.Connection) -> None:
    for number in range(3):
        name = f"{number}-a"
        begin(db, replace(TURN, turn_id=name, request_id=RequestId(name)), revision=number)
    numbers = db.execute("SELECT number, turn_id FROM turns ORDER BY number").fetchall()
    assert numbers == [(1, "0-a"), (2, "1-a"), (3, "2-a")]


def test_a_session_that_a_panel_has_used_stays_the_panels(db: sqlite3.Connection) -> None:
    def write(aside: str) -> str:
        revision = session_rows.read_revision(db, SESSION) or 0
        session_rows.touch_session(
            db, TurnPosition(ConversationKey(ADA, aside), SESSION, revision), ""
        )
        (found,) = db.execute("SELECT aside FROM sessions").fetchone()
        return str(found)

    assert [write(aside) for aside in ("cells", "other", "", "cells")] == ["cells", "other", "", ""]


def test_the_turns_alone_are_read_without_their_blocks(db: sqlite3.Connection) -> None:
    assert session_rows.read_revision(db, SESSION) is None
    begin(db, TURN)
    sent_rows.add_blocks(db, "t1", SENT)
    rows.write_answer(db, "t1", "So")
    assert rows.read_turns(db, LineagePart(SESSION)) == [replace(TURN, answer="So")]
    assert session_rows.read_revision(db, SESSION) == 1


def test_a_turn_that_isnt_there_is_not_ended(db: sqlite3.Connection) -> None:
    with pytest.raises(NotFound, match="deleted"):
        rows.end_turn(db, TURN)
    with pytest.raises(NotFound, match="deleted"):
        sent_rows.add_blocks(db, TURN.turn_id, SENT)
    assert rows.read_session(db, SESSION) is None
    assert db.execute("SELECT COUNT(*) FROM messages").fetchone() == (0,)


def test_a_run_that_is_taken_back_is_written_with_its_edits(db: sqlite3.Connection) -> None:
    begin(db, TURN)
    rows.end_turn(db, replace(TURN, state=TurnState.DONE, run=RECORD))
    undone = RECORD.with_row(can_undo=False, reason="The run was taken back.")
    rows.write_edits(db, SESSION, replace(TURN, state=TurnState.DONE, run=undone))
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert session.is_own
    assert session.turns[-1].run == undone


@pytest.mark.parametrize("written", ["x", "{}", "[" * 100_000, "y" * 17_000_000])
def test_a_run_that_cannot_be_read_damages_its_turn_only(
    db: sqlite3.Connection, written: str
) -> None:
    begin(db, TURN)
    rows.end_turn(db, replace(TURN, state=TurnState.DONE, answer="So.", run=RECORD))
    db.execute("UPDATE turns SET run = ?", (written,))
    session = rows.read_session(db, SESSION)
    assert session is not None
    (turn,) = session.turns
    assert (turn.failure, turn.run, turn.answer) == (rows.DAMAGED, None, "So.")
    assert not session.is_own


def test_a_run_that_is_not_over_is_kept_and_has_failed_when_its_turn_is_lost(
    db: sqlite3.Connection,
) -> None:
    begin(db, TURN)
    running = RECORD.with_row(state="running")
    rows.write_run(db, "t1", running.to_json())
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert (session.turns[0].run, session.revision, session.is_own) == (running, 2, True)
    rows.end_turn(db, replace(TURN, state=TurnState.ERROR, run=running))
    session = rows.read_session(db, SESSION)
    assert session is not None
    assert session.turns[0].run is not None
    assert session.turns[0].run.row["state"] == "failed"
    with pytest.raises(NotFound):
        rows.write_run(db, "gone", "")
