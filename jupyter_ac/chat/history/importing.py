"""Imports another program's messages into the history; idempotent."""

import asyncio
import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, TypedDict

from jupyter_ac.chat.history import index, row_signatures, sent_rows, session_rows
from jupyter_ac.chat.history.acdc_import import ForeignMessage, read_foreign
from jupyter_ac.chat.prompt.blocks import question_block
from jupyter_ac.chat.records import TurnPosition, TurnState, now_ms
from jupyter_ac.ids import ConversationKey, Identity, SessionId
from jupyter_ac.store.sqlite import Database

_SESSIONS_AT_ONCE: Final = 20
_OUR_FORM: Final = re.compile(r"sess_\d{1,16}_[0-9a-f]{6}")
_ADD_TURN: Final = """
    INSERT OR IGNORE INTO turns
        (turn_id, session_id, number, request_id, state, created_ms, owner, alive_ms)
    SELECT :turn, :session, COALESCE(MAX(number), 0) + 1, :turn, :state, :at, '', 0
    FROM turns WHERE session_id = :session
"""
_ADD_MESSAGE: Final = """
    INSERT OR IGNORE INTO messages
        (message_id, session_id, turn_id, role, content, created_ms, kind, after_turn)
    VALUES (:message, :session, :turn, :role, :content, :at, :kind, :after)
"""


class ImportedHistory(TypedDict):
    """The result of an import.

    Attributes:
        sessions: how many sessions have got messages.
        messages: how many messages are new.
        known: how many were there already.
        bad_lines: the numbers of the first lines that could not be used.
        bad: how many there were.
        images: how many images were passed over; their messages are there.
    """

    sessions: int
    messages: int
    known: int
    bad_lines: list[int]
    bad: int
    images: int


class HistoryImport:
    """Takes messages into the history of one worktree.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def take(self, identity: Identity, lines: Iterable[str | bytes]) -> ImportedHistory:
        """Take in AC-DC's `history.jsonl`.

        Args:
            identity: whose sessions they become.
            lines: of the file.

        Raises:
            TooLarge: there are too many messages.
            AcError: the disk fails; what was taken in until then stays.
        """
        found = await asyncio.to_thread(read_foreign, lines, now_ms())
        sessions: dict[str, list[ForeignMessage]] = {}
        for message in found.messages:
            sessions.setdefault(message.session_id, []).append(message)
        new: list[int] = []
        waiting = iter(sessions.values())
        while batch := list(islice(waiting, _SESSIONS_AT_ONCE)):
            new += await self._database.run(partial(self._add, identity, batch))
        return {
            "sessions": sum(count > 0 for count in new),
            "messages": sum(new),
            "known": len(found.messages) - sum(new),
            "bad_lines": found.bad_lines,
            "bad": found.bad,
            "images": found.images,
        }

    def _add(
        self, identity: Identity, batch: Sequence[Sequence[ForeignMessage]], db: sqlite3.Connection
    ) -> list[int]:
        """Add sessions; return how many messages of each are new."""
        counts: list[int] = []
        for messages in batch:
            session_id = self._place(db, identity, messages)
            is_own = row_signatures.is_own(db, session_id)
            count = sum(_add_message(db, session_id, place) for place in _in_turns(messages))
            if is_own:  # the user has named the file
                row_signatures.mark_all(db, session_id)
            if count:
                db.execute(
                    "UPDATE sessions SET revision = revision + 1,"
                    " updated_ms = MAX(updated_ms, ?) WHERE session_id = ?",
                    (messages[-1].at_ms, session_id),
                )
            counts.append(count)
        return counts

    def _place(
        self, db: sqlite3.Connection, identity: Identity, messages: Sequence[ForeignMessage]
    ) -> str:
        """Make the session, under its own name where that is free or the person's."""
        theirs = messages[0].session_id
        digest = _digest(identity, self._worktree, theirs)
        other = f"sess_{messages[0].at_ms}_{digest[:6]}"
        for name in (theirs, other) if _OUR_FORM.fullmatch(theirs) else (other,):
            place = TurnPosition(ConversationKey(identity), SessionId(name), 0)
            session_rows.make_session(db, place, self._worktree, messages[0].at_ms)
            mine = db.execute(
                "SELECT 1 FROM sessions WHERE session_id = ? AND identity = ? AND worktree = ?",
                (name, identity, self._worktree),
            )
            if mine.fetchone():
                return name
        return other


@dataclass(frozen=True, slots=True)
class _Placed:
    """A message, and the first one of the turn that it belongs to; None before any turn."""

    message: ForeignMessage
    first: ForeignMessage | None


def _in_turns(messages: Iterable[ForeignMessage]) -> Iterator[_Placed]:
    """Part messages into turns: a question and the first answer to it, or either alone."""
    first: ForeignMessage | None = None
    is_asked = False
    for message in messages:
        if message.role == "user" or (message.role == "assistant" and not is_asked):
            first = message
        if message.role != "system":
            is_asked = message.role == "user"
        yield _Placed(message, first)


def _add_message(db: sqlite3.Connection, session_id: str, placed: _Placed) -> int:
    """Add a message with its turn; return 1 if it is new."""
    message, first = placed.message, placed.first
    turn = _name(session_id, first) if first is not None else ""
    is_event = message.role == "system"
    values = {
        "session": session_id,
        "turn": None if is_event else turn,
        "message": _name(session_id, message) if is_event else f"{turn}-{message.role}",
        "role": message.role,
        "content": message.content,
        "at": message.at_ms,
        "kind": "imported" if is_event else "",
        "after": turn if is_event else "",
        "state": (TurnState.DONE if message.role == "assistant" else TurnState.CANCELLED).value,
    }
    if message is first:
        db.execute(_ADD_TURN, values)
    if db.execute(_ADD_MESSAGE, values).rowcount < 1:
        return 0
    index.await_indexing(db, str(values["message"]))
    if message.role == "user" and message.content.strip():
        sent_rows.add_blocks(db, turn, (question_block(message.content),))
    if message.role == "assistant":
        db.execute("UPDATE turns SET state = ? WHERE turn_id = ?", (TurnState.DONE.value, turn))
    return 1


def _name(session_id: str, message: ForeignMessage) -> str:
    return f"import_{_digest(session_id, message.name)[:24]}"


def _digest(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()
