"""Reading and writing the tables; each function runs inside one transaction."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.records import Failure, Place, SessionRecord, State, TurnRecord, now_ms
from jupyter_ac.errors import AlreadyExists, Conflict, NotFound
from jupyter_ac.ids import RepoPath, RequestId, SessionId
from jupyter_ac.models.client import Usage


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
        " alive_ms) SELECT ?, ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?"
        " FROM turns WHERE session_id = ?",
        (
            *(turn.turn_id, session_id, turn.request_id, turn.state.value),
            *(turn.created_ms, owner, now_ms(), session_id),
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
    """Keep the system blocks of the turn's session; those that are kept already stay."""
    _store_texts(db, head)
    db.executemany(
        "INSERT OR IGNORE INTO head_blocks SELECT session_id, ?, ?, ? FROM turns WHERE turn_id = ?",
        [(profile, position, block.sha256, turn_id) for position, block in enumerate(head)],
    )


def write_answer(db: sqlite3.Connection, turn_id: str, text: str) -> None:
    """Keep the answer so far, and that its process is alive."""
    db.execute("UPDATE turns SET alive_ms = ? WHERE turn_id = ?", (now_ms(), turn_id))
    _put_message(db, turn_id, "assistant", text)


def end_turn(db: sqlite3.Connection, turn: TurnRecord) -> None:
    """Keep how a turn ended.

    Raises:
        NotFound: there is no such turn.
    """
    found = db.execute(
        "UPDATE turns SET state = ?, model = ?, finish_reason = ?, usage = ?, failure = ?,"
        " notices = ? WHERE turn_id = ?",
        (
            *(turn.state.value, turn.model, turn.finish_reason),
            json.dumps(asdict(turn.usage)) if turn.usage is not None else None,
            json.dumps(asdict(turn.failure)) if turn.failure is not None else None,
            *(json.dumps(turn.notices), turn.turn_id),
        ),
    )
    if not found.rowcount:
        raise _gone()
    write_answer(db, turn.turn_id, turn.answer)
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn.turn_id,)).fetchone()
    raise_revision(db, row[0])


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
    sent = _read_sent(db, session_id)
    turns = [
        replace(turn, sent=tuple(sent.get(turn.turn_id, ()))) for turn in read_turns(db, session_id)
    ]
    heads = _read_heads(db, session_id)
    return SessionRecord(SessionId(session_id), revision, tuple(turns), heads)


def read_turns(db: sqlite3.Connection, session_id: str) -> list[TurnRecord]:
    """Read a session's turns in order, without the blocks that they sent."""
    said = _read_messages(db, session_id)
    found = db.execute(
        "SELECT turn_id, request_id, created_ms, state, model, usage, finish_reason, failure,"
        " notices FROM turns WHERE session_id = ? ORDER BY number",
        (session_id,),
    )
    return [
        replace(
            turn_of(row),
            question=said.get((row[0], "user"), ""),
            answer=said.get((row[0], "assistant"), ""),
        )
        for row in found
    ]


def turn_of(row: Sequence[object]) -> TurnRecord:
    """Return the turn of a row, without its texts and blocks.

    Args:
        row: turn_id, request_id, created_ms, state, model, usage, finish_reason, failure, notices.
    """
    turn_id, request_id, created_ms, state, model, usage, finish_reason, failure, notices = row
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
    )


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
        "SELECT h.profile, b.text FROM head_blocks h JOIN blocks b USING (sha256)"
        " WHERE h.session_id = ? ORDER BY h.profile, h.position",
        (session_id,),
    )
    heads: dict[str, tuple[Block, ...]] = {}
    for profile, text in rows:
        heads[profile] = (*heads.get(profile, ()), Block(Category.SYSTEM, text))
    return heads


def _put_message(db: sqlite3.Connection, turn_id: str, role: str, content: str) -> None:
    db.execute(
        "INSERT INTO messages (message_id, session_id, turn_id, role, content, created_ms)"
        " SELECT turn_id || '-' || ?, session_id, turn_id, ?, ?, ? FROM turns WHERE turn_id = ?"
        " ON CONFLICT (turn_id, role) DO UPDATE SET content = excluded.content",
        (role, role, content, now_ms(), turn_id),
    )


def _store_texts(db: sqlite3.Connection, blocks: Iterable[Block]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO blocks VALUES (?, ?)",
        [(block.sha256, block.text) for block in blocks],
    )


def _path_out(path: RepoPath | None) -> str | None:
    return json.dumps(path) if path is not None else None


def _path_in(stored: str | None) -> RepoPath | None:
    return RepoPath(json.loads(stored)) if stored is not None else None
