"""Reading and writing the tables; each function runs inside one transaction."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Final

from jupyter_ac.chat.edits.kept import from_json
from jupyter_ac.chat.history import index, removals
from jupyter_ac.chat.history.events import read_events
from jupyter_ac.chat.history.lineage import Part, lineage
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.records import (
    Failure,
    Place,
    SessionRecord,
    State,
    SystemEvent,
    TurnRecord,
    now_ms,
)
from jupyter_ac.errors import AlreadyExists, Conflict, NotFound
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
    "CASE WHEN length(t.edits) <= 4000000 THEN t.edits WHEN NOT json_valid(t.edits) THEN '{'"
    " ELSE json_object("
    f"'results', {_FIRST.format(name='results', value='json(value)', most=MAX_ROWS)},"
    f"'modified', {_FIRST.format(name='modified', value='value', most=MAX_ROWS)},"
    f"'created', {_FIRST.format(name='created', value='value', most=MAX_ROWS)},"
    "'auto_added', json('[]'), 'commands', json('[]'), 'retry_prompt', '',"
    "'attempts', json(json_extract(t.edits, '$.attempts')),"
    f"'left_out', MAX(0, json_array_length(t.edits, '$.results') - {MAX_ROWS})) END"
)

TURN_COLUMNS: Final = (
    "t.turn_id, t.request_id, t.created_ms, t.state, t.model, t.usage, t.finish_reason, t.failure,"
    f" t.notices, t.reasoning, t.images, {_EDITS}"
)
"""What `turn_of` reads."""

DAMAGED: Final = Failure("internal", "What is known of this turn was damaged on disk.")

_UNREADABLE: Final = (ValueError, TypeError, KeyError, AttributeError)
"""What reading a value raises that a damaged file has changed."""

_TURNS: Final = (
    "SELECT {turn} FROM turns t WHERE session_id = ? AND number <= ? ORDER BY number"
).replace("{turn}", TURN_COLUMNS)


def touch_session(db: sqlite3.Connection, place: Place, worktree: str) -> None:
    """Make the session exist at the next revision.

    Raises:
        Conflict: it isn't at `place.revision`.
    """
    now = now_ms()
    row = db.execute(
        "SELECT revision FROM sessions WHERE session_id = ?", (place.session_id,)
    ).fetchone()
    if (row[0] if row else 0) != place.revision:
        raise Conflict("The conversation was changed by another Jupyter server.")
    db.execute(
        "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms, aside)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE"
        " SET aside = CASE aside WHEN '' THEN '' ELSE excluded.aside END",
        (place.session_id, place.seat.identity, worktree, now, now, place.seat.aside),
    )
    raise_revision(db, place.session_id)


def raise_revision(db: sqlite3.Connection, session_id: str) -> None:
    """Note that the session has changed, which makes it the one used last."""
    db.execute("UPDATE sessions SET revision = revision + 1 WHERE session_id = ?", (session_id,))
    make_newest(db, session_id)


def make_newest(db: sqlite3.Connection, session_id: str) -> None:
    """Make a session the one used last of its owner's, also after the clock was put back."""
    db.execute(
        "UPDATE sessions SET updated_ms = MAX(?, (SELECT MAX(other.updated_ms) + 1"
        " FROM sessions other WHERE other.identity = sessions.identity"
        " AND other.worktree = sessions.worktree)) WHERE session_id = ?",
        (now_ms(), session_id),
    )


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
    db.execute(
        "INSERT INTO turns (turn_id, session_id, number, request_id, state, created_ms, owner,"
        " alive_ms, images) SELECT ?, ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ?"
        " FROM turns WHERE session_id = ?",
        (
            *(turn.turn_id, session_id, turn.request_id, turn.state.value),
            *(turn.created_ms, owner, now_ms(), json.dumps(turn.images), session_id),
        ),
    )
    _put_message(db, turn.turn_id, "user", turn.question)


def add_blocks(db: sqlite3.Connection, turn_id: str, sent: Sequence[Block]) -> None:
    """Keep a turn's own blocks in order.

    Raises:
        NotFound: there is no such turn.
    """
    if not db.execute("SELECT 1 FROM turns WHERE turn_id = ?", (turn_id,)).fetchone():
        raise _gone()
    _store_texts(db, sent)
    rows = [
        (turn_id, position, block.category.value, _path_out(block.path), block.source, block.sha256)
        for position, block in enumerate(sent)
    ]
    db.executemany("INSERT OR REPLACE INTO sent_blocks VALUES (?, ?, ?, ?, ?, ?)", rows)


def add_head(db: sqlite3.Connection, turn_id: str, profile: str, head: Sequence[Block]) -> None:
    """Keep the head of the turn's session, whole; one that is kept already stays."""
    known = db.execute(
        "SELECT 1 FROM head_blocks JOIN turns USING (session_id) WHERE turn_id = ? AND profile = ?",
        (turn_id, profile),
    ).fetchone()
    if known:
        return
    _store_texts(db, head)
    db.executemany(
        "INSERT INTO head_blocks (session_id, profile, position, sha256, category, source)"
        " SELECT session_id, ?, ?, ?, ?, ? FROM turns WHERE turn_id = ?",
        [
            (profile, position, block.sha256, block.category.value, block.source, turn_id)
            for position, block in enumerate(head)
        ],
    )


def write_answer(db: sqlite3.Connection, turn_id: str, text: str, reasoning: str = "") -> None:
    """Keep the answer so far, and that its process is alive; "" leaves the reasoning as it is."""
    db.execute("UPDATE turns SET alive_ms = ? WHERE turn_id = ?", (now_ms(), turn_id))
    if reasoning:
        db.execute("UPDATE turns SET reasoning = ? WHERE turn_id = ?", (reasoning, turn_id))
    _put_message(db, turn_id, "assistant", text)


def end_turn(db: sqlite3.Connection, turn: TurnRecord) -> None:
    """Keep how a turn ended.

    Raises:
        NotFound: there is no such turn.
    """
    found = db.execute(
        "UPDATE turns SET state = ?, model = ?, finish_reason = ?, usage = ?, failure = ?,"
        " notices = ?, reasoning = ?, edits = ? WHERE turn_id = ?",
        (
            *(turn.state.value, turn.model, turn.finish_reason),
            json.dumps(asdict(turn.usage)) if turn.usage is not None else None,
            json.dumps(asdict(turn.failure)) if turn.failure is not None else None,
            *(json.dumps(turn.notices), turn.reasoning, turn.edits.to_json(), turn.turn_id),
        ),
    )
    if not found.rowcount:
        raise _gone()
    write_answer(db, turn.turn_id, turn.answer)
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn.turn_id,)).fetchone()
    raise_revision(db, row[0])


def write_edits(db: sqlite3.Connection, session_id: str, turn: TurnRecord) -> None:
    """Keep how the edits of a turn that is over stand.

    Args:
        db: the database.
        session_id: where that was decided; the turn may be one that it goes on from.
        turn: with its edits.

    Raises:
        NotFound: there is no such turn.
    """
    written = turn.edits.to_json()
    db.execute("UPDATE turns SET edits = ? WHERE turn_id = ?", (written, turn.turn_id))
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn.turn_id,)).fetchone()
    if row is None:
        raise _gone()
    for changed in {str(row[0])} - {session_id}:
        db.execute("UPDATE sessions SET revision = revision + 1 WHERE session_id = ?", (changed,))
    raise_revision(db, session_id)


def running_turns(db: sqlite3.Connection, session_id: str) -> list[tuple[str, str, int]]:
    """List id, owner and time of the last sign of life of the turns that have not ended."""
    return db.execute(
        "SELECT turn_id, owner, alive_ms FROM turns WHERE session_id = ? AND state = ?",
        (session_id, State.RUNNING.value),
    ).fetchall()


def read_revision(db: sqlite3.Connection, session_id: str) -> int | None:
    """Read how often a session has changed; None when there is none of this name."""
    row = db.execute("SELECT revision FROM sessions WHERE session_id = ?", (session_id,)).fetchone()
    return int(row[0]) if row else None


def read_session(db: sqlite3.Connection, session_id: str) -> SessionRecord | None:
    """Read a session with all its turns and the blocks that they sent."""
    revision = read_revision(db, session_id)
    if revision is None:
        return None
    turns: list[TurnRecord] = []
    heads: dict[str, tuple[Block, ...]] = {}
    events: list[SystemEvent] = []
    side: list[Usage] = []
    parts = lineage(db, session_id)
    for part in parts:
        sent = _read_sent(db, part.session_id)
        turns += [
            replace(turn, sent=tuple(sent.get(turn.turn_id, ()))) for turn in read_turns(db, part)
        ]
        heads |= _read_heads(db, part.session_id)
        events += read_events(db, part)
        side += read_side_costs(db, part)
    return SessionRecord(
        session_id=SessionId(session_id),
        revision=revision,
        turns=tuple(turns),
        heads=heads,
        events=tuple(events),
        removals=tuple(each for part in parts for each in removals.read(db, part)),
        side=tuple(side),
    )


def read_side_costs(db: sqlite3.Connection, part: Part) -> list[Usage]:
    """Read what the side tasks of a session's part have used."""
    found = db.execute(
        "SELECT usage FROM side_costs WHERE session_id = ? AND created_ms <= ? ORDER BY rowid",
        (part.session_id, part.until_ms),
    )
    return [Usage(**json.loads(usage)) for (usage,) in found]


def read_turns(db: sqlite3.Connection, part: Part) -> list[TurnRecord]:
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
    notices, reasoning, images, edits = more
    return TurnRecord(
        turn_id=str(turn_id),
        request_id=RequestId(str(request_id)),
        question="",
        created_ms=int(str(created_ms)),
        state=State(str(state)),
        model=str(model),
        usage=Usage(**json.loads(str(usage))) if usage is not None else None,
        finish_reason=str(finish_reason) if finish_reason is not None else None,
        failure=Failure(**json.loads(str(failure))) if failure is not None else None,
        notices=tuple(json.loads(str(notices))),
        reasoning=str(reasoning),
        images=tuple(json.loads(str(images))),
        edits=from_json(str(edits)),
    )


def readable_turn(row: Sequence[object]) -> TurnRecord:
    """Return the turn of a row; one that was damaged keeps its place and its texts."""
    try:
        return turn_of(row)
    except _UNREADABLE:
        name = str(row[0])
        return TurnRecord(name, RequestId(name), "", 0, State.ERROR, failure=DAMAGED)


def _gone() -> NotFound:
    return NotFound("The history was deleted while the answer was made.")


def _read_sent(db: sqlite3.Connection, session_id: str) -> dict[str, list[Block]]:
    rows = db.execute(
        "SELECT s.turn_id, s.category, b.text, s.path, s.source FROM sent_blocks s"
        " JOIN turns t USING (turn_id) JOIN blocks b USING (sha256)"
        " WHERE t.session_id = ? ORDER BY t.number, s.position",
        (session_id,),
    )
    sent: dict[str, list[Block]] = {}
    for turn_id, category, text, path, source in rows:
        with suppress(*_UNREADABLE):
            block = Block(Category(category), text, _path_in(path), source)
            sent.setdefault(turn_id, []).append(block)
    return sent


def _read_messages(db: sqlite3.Connection, session_id: str) -> Mapping[tuple[str, str], str]:
    rows = db.execute(
        "SELECT turn_id, role, content FROM messages WHERE session_id = ?", (session_id,)
    )
    return {(turn_id, role): content for turn_id, role, content in rows}


def _read_heads(db: sqlite3.Connection, session_id: str) -> dict[str, tuple[Block, ...]]:
    rows = db.execute(
        "SELECT h.profile, b.text, h.category, h.source"
        " FROM head_blocks h JOIN blocks b USING (sha256)"
        " WHERE h.session_id = ? ORDER BY h.profile, h.position",
        (session_id,),
    )
    heads: dict[str, tuple[Block, ...]] = {}
    for profile, text, category, source in rows:
        with suppress(*_UNREADABLE):
            block = Block(Category(category), text, None, source)
            heads[profile] = (*heads.get(profile, ()), block)
    return heads


def _put_message(db: sqlite3.Connection, turn_id: str, role: str, content: str) -> None:
    db.execute(
        "INSERT INTO messages (message_id, session_id, turn_id, role, content, created_ms)"
        " SELECT turn_id || '-' || ?, session_id, turn_id, ?, ?, ? FROM turns WHERE turn_id = ?"
        " ON CONFLICT (turn_id, role) DO UPDATE SET content = excluded.content",
        (role, role, content, now_ms(), turn_id),
    )
    index.await_indexing(db, f"{turn_id}-{role}")


def _store_texts(db: sqlite3.Connection, blocks: Iterable[Block]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO blocks VALUES (?, ?)",
        [(block.sha256, block.text) for block in blocks],
    )


def _path_out(path: RepoPath | None) -> str | None:
    return json.dumps(path) if path is not None else None


def _path_in(stored: str | None) -> RepoPath | None:
    return RepoPath(json.loads(stored)) if stored is not None else None
