"""Reads and writes the tables; each function runs inside one transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Final

from jupyter_ac.chat.edit_blocks.stored_edits import from_json
from jupyter_ac.chat.history import index, row_signatures, sent_rows, session_rows
from jupyter_ac.chat.history.events import read_events
from jupyter_ac.chat.history.session_rows import LineagePart, lineage
from jupyter_ac.chat.history.stored_values import (
    UNREADABLE,
    bounded,
    mapping,
    strings,
    usage_of,
)
from jupyter_ac.chat.records import (
    INTERRUPTED,
    SessionRecord,
    SystemEvent,
    TurnFailure,
    TurnRecord,
    TurnState,
    now_ms,
)
from jupyter_ac.chat.run_record import interrupted, run_from_json
from jupyter_ac.errors import AlreadyExists
from jupyter_ac.ids import RepoPath, RequestId, SessionId
from jupyter_ac.models.client import Usage

MAX_ROWS: Final = 500
"""Results that are read of a turn with more than four megabytes of edits, which older versions
could write."""

# By SQLite, which lets other threads run meanwhile; the json module of Python doesn't.
_FIRST: Final = (
    "json((SELECT json_group_array({value}) FROM"
    " (SELECT value FROM json_each(t.edits, '$.{name}') LIMIT {most})))"
)
_EDITS: Final = (
    "CASE WHEN length(CAST(t.edits AS BLOB)) <= 4000000 THEN t.edits"
    " WHEN NOT json_valid(t.edits) THEN '{'"
    " ELSE json_object("
    f"'results', {_FIRST.format(name='results', value='json(value)', most=MAX_ROWS)},"
    f"'modified', {_FIRST.format(name='modified', value='value', most=MAX_ROWS)},"
    f"'created', {_FIRST.format(name='created', value='value', most=MAX_ROWS)},"
    "'auto_added', json('[]'), 'commands', json('[]'), 'retry_prompt', '',"
    "'attempts', json(json_extract(t.edits, '$.attempts')),"
    f"'left_out', MAX(0, json_array_length(t.edits, '$.results') - {MAX_ROWS})) END"
)

_TURN: Final = (
    "t.turn_id, t.request_id, t.created_ms, t.state, t.model, t.usage, t.finish_reason, t.failure,"
    " t.notices, {reasoning}, t.images, {edits}, t.agent_tag, {run}, {ticked}"
)
TURN_COLUMNS: Final = (
    _TURN.replace("{reasoning}", bounded("t.reasoning"))
    .replace("{edits}", _EDITS)
    .replace("{run}", bounded("t.run"))
    .replace("{ticked}", bounded("t.ticked"))
)
"""The columns that `turn_of` reads."""

DAMAGED: Final = TurnFailure("internal", "What is known of this turn was damaged on disk.")

_MESSAGES: Final = "SELECT turn_id, role, {content} FROM messages WHERE session_id = ?".replace(
    "{content}", bounded("content")
)
_TURNS: Final = (
    "SELECT {turn} FROM turns t WHERE session_id = ? AND number <= ? ORDER BY number"
).replace("{turn}", TURN_COLUMNS)


def add_turn(db: sqlite3.Connection, session_id: str, turn: TurnRecord, owner: str) -> None:
    """Add a running turn and its question.

    Raises:
        AlreadyExists: the session knows the request id.
    """
    known = db.execute(
        "SELECT 1 FROM turns WHERE session_id = ? AND request_id = ?",
        (session_id, turn.request_id),
    ).fetchone()
    if known:
        raise AlreadyExists(f"The request id {turn.request_id} was used before.")
    with row_signatures.changing_session(db, session_id):
        db.execute(
            "INSERT INTO turns (turn_id, session_id, number, request_id, state, created_ms, owner,"
            " alive_ms, images, agent_tag, ticked)"
            " SELECT ?, ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?"
            " FROM turns WHERE session_id = ?",
            (
                *(turn.turn_id, session_id, turn.request_id, turn.state.value),
                *(turn.created_ms, owner, now_ms(), json.dumps(turn.images)),
                *(turn.agent_tag, json.dumps(turn.ticked) if turn.ticked else "", session_id),
            ),
        )
    _put_message(db, turn.turn_id, "user", turn.question)
    row_signatures.mark_turn(db, turn.turn_id)


def write_answer(db: sqlite3.Connection, turn_id: str, text: str, reasoning: str = "") -> None:
    """Keep the answer so far, and that its process is alive; "" leaves the reasoning as it is."""
    db.execute("UPDATE turns SET alive_ms = ? WHERE turn_id = ?", (now_ms(), turn_id))
    with row_signatures.changing_turn(db, turn_id):
        if reasoning:
            db.execute("UPDATE turns SET reasoning = ? WHERE turn_id = ?", (reasoning, turn_id))
        _put_message(db, turn_id, "assistant", text)


def end_turn(db: sqlite3.Connection, turn: TurnRecord) -> None:
    """Keep how a turn ended.

    Raises:
        NotFound: there is no such turn.
    """
    with row_signatures.changing_turn(db, turn.turn_id):
        found = db.execute(
            "UPDATE turns SET state = ?, model = ?, finish_reason = ?, usage = ?, failure = ?,"
            " notices = ?, reasoning = ?, edits = ?, run = ? WHERE turn_id = ?",
            (
                *(turn.state.value, turn.model, turn.finish_reason),
                json.dumps(asdict(turn.usage)) if turn.usage is not None else None,
                json.dumps(asdict(turn.failure)) if turn.failure is not None else None,
                *(json.dumps(turn.notices), turn.reasoning, turn.edits.to_json()),
                *(_run_json(turn), turn.turn_id),
            ),
        )
    if not found.rowcount:
        raise sent_rows.gone()
    write_answer(db, turn.turn_id, turn.answer)
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn.turn_id,)).fetchone()
    session_rows.raise_revision(db, row[0])


def _run_json(turn: TurnRecord) -> str:
    return turn.run.to_json() if turn.run is not None else ""


def write_run(db: sqlite3.Connection, turn_id: str, written: str) -> None:
    """Keep how the run of a turn stands that isn't over.

    Raises:
        NotFound: there is no such turn.
    """
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn_id,)).fetchone()
    if row is None:
        raise sent_rows.gone()
    with row_signatures.changing_turn(db, turn_id):
        db.execute("UPDATE turns SET run = ? WHERE turn_id = ?", (written, turn_id))
    session_rows.raise_revision(db, row[0])


def write_edits(db: sqlite3.Connection, session_id: str, turn: TurnRecord) -> None:
    """Keep how the edits of a turn that is over stand, and its run.

    Args:
        db: the database.
        session_id: where that was decided; the turn may be one that it goes on from.
        turn: with its edits.

    Raises:
        NotFound: there is no such turn.
        AccessDenied: the session isn't the user's own.
    """
    written = turn.edits.to_json()
    row_signatures.require_marked(db, session_id)
    with row_signatures.changing_turn(db, turn.turn_id):
        db.execute(
            "UPDATE turns SET edits = ?, run = ? WHERE turn_id = ?",
            (written, _run_json(turn), turn.turn_id),
        )
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn.turn_id,)).fetchone()
    if row is None:
        raise sent_rows.gone()
    for changed in {str(row[0])} - {session_id}:
        db.execute("UPDATE sessions SET revision = revision + 1 WHERE session_id = ?", (changed,))
    session_rows.raise_revision(db, session_id)


def running_turns(db: sqlite3.Connection, session_id: str) -> list[tuple[str, str, int]]:
    """List id, owner and time of the last sign of life of the turns that have not ended."""
    return db.execute(
        "SELECT turn_id, owner, alive_ms FROM turns WHERE session_id = ? AND state = ?",
        (session_id, TurnState.RUNNING.value),
    ).fetchall()


def read_session(db: sqlite3.Connection, session_id: str) -> SessionRecord | None:
    """Read a session with all its turns and the blocks that they sent."""
    revision = session_rows.read_revision(db, session_id)
    if revision is None:
        return None
    turns: list[TurnRecord] = []
    events: list[SystemEvent] = []
    side: list[Usage] = []
    parts = lineage(db, session_id)
    # In one place: what isn't the user's own comes without all that could be sent.
    is_own = all(row_signatures.is_own(db, part.session_id) for part in parts)
    for part in parts:
        sent = sent_rows.read_sent(db, part.session_id) if is_own else {}
        turns += [
            replace(turn, sent=tuple(sent.get(turn.turn_id, ()))) for turn in read_turns(db, part)
        ]
        events += read_events(db, part)
        side += read_side_costs(db, part)
    return SessionRecord(
        session_id=SessionId(session_id),
        revision=revision,
        turns=tuple(turns if is_own else map(_over, turns)),
        heads={
            profile: head
            for part in parts
            if is_own
            for profile, head in sent_rows.read_heads(db, part.session_id).items()
        },
        events=tuple(events),
        removals=tuple(each for part in parts for each in sent_rows.read(db, part) if is_own),
        side=tuple(side),
        is_own=is_own,
    )


def _over(turn: TurnRecord) -> TurnRecord:
    """Show a turn that somebody else's process may still be making as one that has ended."""
    if turn.state is not TurnState.RUNNING:
        return turn
    run = interrupted(turn.run, INTERRUPTED.message) if turn.run is not None else None
    return replace(turn, state=TurnState.ERROR, failure=INTERRUPTED, run=run)


def read_side_costs(db: sqlite3.Connection, part: LineagePart) -> list[Usage]:
    """Read what the side tasks of a session's part have used."""
    found = db.execute(
        "SELECT usage FROM side_costs WHERE session_id = ? AND created_ms <= ? ORDER BY rowid",
        (part.session_id, part.until_ms),
    )
    side: list[Usage] = []
    for (written,) in found:
        with suppress(*UNREADABLE):
            side += filter(None, [usage_of(written)])
    return side


def read_turns(db: sqlite3.Connection, part: LineagePart) -> list[TurnRecord]:
    """Read the turns of a session's part in order, without the blocks that they sent."""
    said = _read_messages(db, part.session_id)
    found = db.execute(_TURNS, (part.session_id, part.turns))
    return [
        replace(
            readable_turn(row),
            question=said.get((row[0], "user"), ""),
            answer=said.get((row[0], "assistant"), ""),
        )
        for row in found
    ]


def turn_of(row: Sequence[object]) -> TurnRecord:
    """Return the turn of a row, without its texts and blocks.

    Args:
        row: of `TURN_COLUMNS`.
    """
    turn_id, request_id, created_ms, state, model, usage, finish_reason, failure, *more = row
    notices, reasoning, images, edits, agent_tag, run, ticked = more
    turn_state = TurnState(str(state))
    found = run_from_json(str(run))
    if found is not None and turn_state is not TurnState.RUNNING:
        found = interrupted(found, INTERRUPTED.message)
    return TurnRecord(
        turn_id=str(turn_id),
        request_id=RequestId(str(request_id)),
        question="",
        created_ms=int(str(created_ms)),
        state=turn_state,
        model=str(model),
        usage=usage_of(usage),
        finish_reason=str(finish_reason) if finish_reason is not None else None,
        failure=_failure(failure),
        notices=strings(notices),
        reasoning=str(reasoning),
        images=strings(images),
        edits=from_json(str(edits)),
        agent_tag=str(agent_tag),
        run=found,
        ticked=tuple(map(RepoPath, strings(ticked))) if ticked else (),
    )


def _failure(written: object) -> TurnFailure | None:
    if written is None:
        return None
    found = mapping(written)
    wait_s = found.get("retry_after_s")
    is_number = isinstance(wait_s, int | float)
    return TurnFailure(
        str(found["type"]), str(found["message"]), float(str(wait_s)) if is_number else None
    )


def readable_turn(row: Sequence[object]) -> TurnRecord:
    """Return the turn of a row; one that was damaged keeps its place and its texts."""
    try:
        return turn_of(row)
    except UNREADABLE:
        name = str(row[0])
        return TurnRecord(name, RequestId(name), "", 0, TurnState.ERROR, failure=DAMAGED)


def _read_messages(db: sqlite3.Connection, session_id: str) -> Mapping[tuple[str, str], str]:
    rows = db.execute(_MESSAGES, (session_id,))
    return {(turn_id, role): content for turn_id, role, content in rows}


def _put_message(db: sqlite3.Connection, turn_id: str, role: str, content: str) -> None:
    db.execute(
        "INSERT INTO messages (message_id, session_id, turn_id, role, content, created_ms)"
        " SELECT turn_id || '-' || ?, session_id, turn_id, ?, ?, ? FROM turns WHERE turn_id = ?"
        " ON CONFLICT (turn_id, role) DO UPDATE SET content = excluded.content",
        (role, role, content, now_ms(), turn_id),
    )
    index.await_indexing(db, f"{turn_id}-{role}")
