"""The tables of `history.sqlite`, by migration.

`revision` of a session goes up with each change, whoever makes it: a host whose number is older
reads the session again before it adds to it. Blocks are stored once by the hash of their text and
referenced in the order in which they were sent. Paths are JSON strings, since a name that isn't
UTF-8 is no SQLite text. `aside` is empty for the sessions of a person's panels, which restore the
one used last, and names the seat that used it last for all others; a session that a panel has used
stays the panels'. A search goes back in time through `messages_by_time`.
"""

from typing import Final

MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE sessions (
        session_id TEXT PRIMARY KEY,
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        revision INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX sessions_by_owner ON sessions (identity, worktree, updated_ms);

    CREATE TABLE turns (
        turn_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
        number INTEGER NOT NULL,
        request_id TEXT NOT NULL,
        state TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        owner TEXT NOT NULL,
        alive_ms INTEGER NOT NULL,
        model TEXT NOT NULL DEFAULT '',
        finish_reason TEXT,
        usage TEXT,
        failure TEXT,
        notices TEXT NOT NULL DEFAULT '[]',
        UNIQUE (session_id, number),
        UNIQUE (session_id, request_id)
    );

    CREATE TABLE messages (
        message_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
        turn_id TEXT REFERENCES turns ON DELETE CASCADE,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        UNIQUE (turn_id, role)
    );
    CREATE INDEX messages_by_session ON messages (session_id, created_ms);

    CREATE TABLE blocks (
        sha256 TEXT PRIMARY KEY,
        text TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE sent_blocks (
        turn_id TEXT NOT NULL REFERENCES turns ON DELETE CASCADE,
        position INTEGER NOT NULL,
        category TEXT NOT NULL,
        path TEXT,
        source TEXT NOT NULL,
        sha256 TEXT NOT NULL REFERENCES blocks,
        PRIMARY KEY (turn_id, position)
    ) WITHOUT ROWID;

    CREATE TABLE head_blocks (
        session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
        profile TEXT NOT NULL,
        position INTEGER NOT NULL,
        sha256 TEXT NOT NULL REFERENCES blocks,
        PRIMARY KEY (session_id, profile, position)
    ) WITHOUT ROWID;

    CREATE TABLE selections (
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        paths TEXT NOT NULL,
        PRIMARY KEY (identity, worktree)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE sessions ADD COLUMN aside TEXT NOT NULL DEFAULT '';
    """,
    """
    CREATE INDEX messages_by_time ON messages (created_ms);
    """,
)
