"""Stores what was sent: the blocks of turns, the heads of sessions, removals from prompt logs.

Each text is stored once, by its hash; each function runs inside one transaction.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Final, get_args

from jupyter_ac.chat.history import row_signatures, session_rows
from jupyter_ac.chat.history.session_rows import LineagePart
from jupyter_ac.chat.history.stored_values import (
    UNREADABLE,
    counts,
    json_value,
    number_and_strings,
    strings,
    usage_of,
)
from jupyter_ac.chat.prompt.blocks import Block, Category, rules_of
from jupyter_ac.chat.prompt.log_removals import Case, Removal
from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.ids import RepoPath, SessionId
from jupyter_ac.store.sqlite import Database

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


_CASES: Final[Mapping[str, Case]] = {case: case for case in get_args(Case)}


def add(db: sqlite3.Connection, session_id: str, removal: Removal) -> None:
    """Write one more removal.

    Raises:
        AccessDenied: the session isn't the user's own.
    """
    row_signatures.require_marked(db, session_id)
    with row_signatures.changing_session(db, session_id):
        db.execute(
            "INSERT INTO removals (session_id, number, kind, through, first_kept, summary, paths,"
            " model, usage, created_ms, turns) SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?,"
            " ?, ?, ?, ?, ? FROM removals WHERE session_id = ?",
            (
                *(session_id, removal.case, removal.through, _first_kept(removal), removal.summary),
                *(json.dumps(removal.paths), removal.model),
                json.dumps(asdict(removal.usage)) if removal.usage is not None else None,
                *(removal.created_ms, json.dumps(removal.turns) if removal.turns else ""),
                session_id,
            ),
        )
    db.execute(
        row_signatures.sql(
            "UPDATE removals SET mark = {removal} WHERE session_id = ? AND number ="
            " (SELECT MAX(r.number) FROM removals r WHERE r.session_id = removals.session_id)"
        ),
        (session_id,),
    )


def read(db: sqlite3.Connection, part: LineagePart) -> tuple[Removal, ...]:
    """Read the removals of a session's part in order; one of an unknown kind is left out."""
    found = db.execute(
        "SELECT kind, through, first_kept, summary, paths, model, usage, created_ms, turns"
        " FROM removals WHERE session_id = ? AND created_ms <= ? ORDER BY number",
        (part.session_id, part.until_ms),
    )
    read_ones: list[Removal] = []
    for row in found:
        with suppress(*UNREADABLE):
            read_ones.append(_removal(row))
    return tuple(read_ones)


def _first_kept(removal: Removal) -> str:
    """Return what says where the part begins that stays; of excluded files, their links."""
    if removal.case == "steps":
        return json.dumps([removal.steps, removal.answered])
    if removal.is_look:
        return json.dumps([removal.number, *removal.links])
    return removal.first_kept


def _removal(row: Sequence[object]) -> Removal:
    kind, through, first_kept, summary, paths, model, usage, created_ms, turns = row
    case, steps, answered = _CASES[str(kind)], 0, 0
    number, links = 0, tuple[str, ...]()
    if case == "steps":
        steps, answered = counts(first_kept, 2)
        first_kept = ""
    elif case in {"withhold", "list"} and first_kept:
        number, links = number_and_strings(first_kept)
        first_kept = ""
    return Removal(
        case=case,
        through=str(through),
        first_kept=str(first_kept),
        steps=steps,
        answered=answered,
        summary=str(summary),
        paths=tuple(RepoPath(path) for path in strings(paths)),
        model=str(model),
        usage=usage_of(usage),
        created_ms=int(str(created_ms)),
        turns=strings(turns) if turns else (),
        number=number,
        links=tuple(map(RepoPath, links)),
    )


class CompactionStore:
    """Keeps what is taken out of the logs; safe for several processes at once.

    Args:
        database: as of `HistoryStore`; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, session_id: SessionId, removal: Removal, revision: int | None) -> None:
        """Keep one more removal; raises the session's revision by one.

        Args:
            session_id: of the log.
            removal: what is taken out.
            revision: what the caller takes to be the session's; None for whatever it is.

        Raises:
            NotFound: there is no such session.
            Conflict: somebody else has added to it.
            AccessDenied: it isn't the user's own.
        """

        def write(db: sqlite3.Connection) -> None:
            found = session_rows.read_revision(db, session_id)
            if found is None:
                raise NotFound("The conversation is not in the history any more.")
            if revision is not None and found != revision:
                raise Conflict("The conversation was changed by another Jupyter server.")
            add(db, session_id, removal)
            session_rows.raise_revision(db, session_id)

        await self._database.run(write)
