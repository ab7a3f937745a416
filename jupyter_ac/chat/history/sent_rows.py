"""Stores what was sent: the blocks of turns, and the heads of sessions.

Each text is stored once, by its hash; each function runs inside one transaction.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.history.stored_values import UNREADABLE, json_value
from jupyter_ac.chat.prompt.blocks import Block, Category, rules_of
from jupyter_ac.errors import NotFound
from jupyter_ac.ids import RepoPath

_OF_HEADS: Final = frozenset({Category.SYSTEM, Category.LEGEND, Category.MAP})


def add_blocks(db: sqlite3.Connection, turn_id: str, sent: Sequence[Block]) -> None:
    """Keep a turn's own blocks in order.

    Raises:
        NotFound: there is no such turn.
    """
    if not db.execute("SELECT 1 FROM turns WHERE turn_id = ?", (turn_id,)).fetchone():
        raise gone()
    _store_texts(db, sent)
    rows = [
        (turn_id, position, block.category.value, _path_out(block.path), block.source, block.sha256)
        for position, block in enumerate(sent)
    ]
    with row_signatures.changing_turn(db, turn_id):
        db.executemany("INSERT OR REPLACE INTO sent_blocks VALUES (?, ?, ?, ?, ?, ?)", rows)


def add_head(db: sqlite3.Connection, turn_id: str, profile: str, head: Sequence[Block]) -> None:
    """Keep the head of the turn's session, whole.

    One with the same rules stays, whatever map it has; one with others gives place.
    """
    row = db.execute("SELECT session_id FROM turns WHERE turn_id = ?", (turn_id,)).fetchone()
    if row is None:
        return
    known = read_heads(db, row[0]).get(profile)
    if known is not None and rules_of(known) == rules_of(head):
        return
    key = (row[0], profile)
    _store_texts(db, head)
    db.execute("DELETE FROM head_blocks WHERE session_id = ? AND profile = ?", key)
    db.executemany(
        "INSERT INTO head_blocks (session_id, profile, position, sha256, category, source)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (*key, position, block.sha256, block.category.value, block.source)
            for position, block in enumerate(head)
        ],
    )
    db.execute(
        row_signatures.sql(
            "UPDATE head_blocks SET mark = {head} WHERE session_id = ? AND profile = ?"
        ),
        key,
    )


def read_sent(db: sqlite3.Connection, session_id: str) -> dict[str, list[Block]]:
    """Read the blocks that the turns of a session have sent, by turn, in order."""
    rows = db.execute(
        "SELECT s.turn_id, s.category, b.text, s.path, s.source FROM sent_blocks s"
        " JOIN turns t USING (turn_id) JOIN blocks b USING (sha256)"
        " WHERE t.session_id = ? ORDER BY t.number, s.position",
        (session_id,),
    )
    sent: dict[str, list[Block]] = {}
    for turn_id, category, text, path, source in rows:
        with suppress(*UNREADABLE):
            block = Block(Category(category), text, _path_in(path), source)
            sent.setdefault(turn_id, []).append(block)
    return sent


def read_heads(db: sqlite3.Connection, session_id: str) -> dict[str, tuple[Block, ...]]:
    """Read the heads of a session; one that isn't the user's own, or has changed, is left out."""
    rows = db.execute(
        row_signatures.sql(
            "SELECT profile, text, category, source, blocks.sha256, head_blocks.mark IS {head}"
            " FROM head_blocks JOIN blocks USING (sha256)"
            " WHERE session_id = ? ORDER BY profile, position"
        ),
        (session_id,),
    )
    heads: dict[str, tuple[Block, ...]] = {}
    changed: set[str] = set()
    for profile, text, category, source, sha256, is_own in rows:
        try:
            block = Block(Category(category), text, None, source)
        except UNREADABLE:
            changed.add(profile)
            continue
        heads[profile] = (*heads.get(profile, ()), block)
        if not is_own or block.sha256 != sha256 or block.category not in _OF_HEADS:
            changed.add(profile)
    return {profile: head for profile, head in heads.items() if profile not in changed}


def gone() -> NotFound:
    """Say that a turn isn't there any more."""
    return NotFound("The history was deleted while the answer was made.")


def _store_texts(db: sqlite3.Connection, blocks: Iterable[Block]) -> None:
    """Keep texts by their hashes; what stands there and is another text gives place."""
    db.executemany(
        "INSERT INTO blocks VALUES (?, ?) ON CONFLICT (sha256) DO UPDATE"
        " SET text = excluded.text WHERE text IS NOT excluded.text",
        [(block.sha256, block.text) for block in blocks],
    )


def _path_out(path: RepoPath | None) -> str | None:
    return json.dumps(path) if path is not None else None


def _path_in(stored: str | None) -> RepoPath | None:
    if stored is None:
        return None
    path = json_value(stored)
    if not isinstance(path, str):
        raise TypeError("no path")
    return RepoPath(path)
