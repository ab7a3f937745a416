"""Opens `history.sqlite`: its tables by migration, its repair, the key of trusted rows.

`revision` of a session goes up with each change by any host: a host whose number is older reads
the session again before it adds to it. Blocks are stored once by the hash of their text and
referenced in the order in which they were sent. Paths are JSON strings, since a name that isn't
UTF-8 is no SQLite text. `aside` is empty for the sessions of a person's panels, which restore the
one used last, and for all others names the conversation that used it last; a session that a panel
has used stays the panels'. A search goes back in time through `messages_by_time`.

A session with a `parent` goes on from that one: the turns up to `parent_turns` are read from there,
nothing is copied. `holders` says which process has which session on its screens. A message without
a turn is a system event, of a `kind`, which stands behind the turn `after_turn`. Each message is in
one of `indexed_messages` and `unindexed_messages`; the index itself, which not every build of
SQLite can have, is made by `index.py`.

`edited_files` holds the files before the edits of a turn, which is their `batch`; `signs` are of
the contents that the edits wrote, and `edit_journals` has the single changes. Only the newest
batches are stored, and they are deleted with their turn.

A session has a `title` once the user has named it. One that is deleted while others go on from it
stays as far as they do, hidden by `is_deleted`; what deleted sessions have cost is kept in
`costs_of_deleted`.

`ticked` of a turn are the paths that were ticked when it was asked, as JSON; "" for none.

`turns` of a removal are those that it marks or that a compaction leaves; "" for none.

`mark` proves that the user has written a row (`row_signatures.py`).
"""

from pathlib import Path
from typing import Final

from jupyter_ac.chat.history.index import CREATE
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.sqlite import Database

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
    """
    ALTER TABLE sessions ADD COLUMN parent TEXT;
    ALTER TABLE sessions ADD COLUMN parent_turns INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN parent_messages INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE messages ADD COLUMN kind TEXT NOT NULL DEFAULT '';
    ALTER TABLE messages ADD COLUMN after_turn TEXT NOT NULL DEFAULT '';

    CREATE TABLE indexed_messages (
        docid INTEGER PRIMARY KEY,
        message_id TEXT NOT NULL UNIQUE
    );
    CREATE TABLE unindexed_messages (
        created_ms INTEGER NOT NULL,
        message_id TEXT NOT NULL,
        PRIMARY KEY (created_ms, message_id)
    ) WITHOUT ROWID;
    INSERT INTO unindexed_messages SELECT created_ms, message_id FROM messages;

    CREATE TABLE holders (
        owner TEXT NOT NULL,
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        session_id TEXT NOT NULL,
        alive_ms INTEGER NOT NULL,
        PRIMARY KEY (owner, identity, worktree)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE turns ADD COLUMN reasoning TEXT NOT NULL DEFAULT '';
    ALTER TABLE turns ADD COLUMN images TEXT NOT NULL DEFAULT '[]';

    CREATE TABLE side_costs (
        session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
        created_ms INTEGER NOT NULL,
        purpose TEXT NOT NULL,
        model TEXT NOT NULL,
        usage TEXT NOT NULL
    );
    CREATE INDEX side_costs_by_session ON side_costs (session_id);
    """,
    """
    CREATE TABLE removals (
        session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        through TEXT NOT NULL,
        first_kept TEXT NOT NULL,
        summary TEXT NOT NULL,
        paths TEXT NOT NULL,
        model TEXT NOT NULL,
        usage TEXT,
        created_ms INTEGER NOT NULL,
        PRIMARY KEY (session_id, number)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE edited_files (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        worktree TEXT NOT NULL,
        batch TEXT NOT NULL,
        path TEXT NOT NULL,
        data BLOB NOT NULL,
        mode INTEGER NOT NULL,
        entries TEXT NOT NULL,
        made TEXT NOT NULL,
        signs TEXT NOT NULL,
        entries_after TEXT NOT NULL,
        is_foreign INTEGER NOT NULL DEFAULT 0,
        UNIQUE (batch, path)
    );
    CREATE TRIGGER edited_files_go_with_their_turn AFTER DELETE ON turns BEGIN
        DELETE FROM edited_files WHERE batch = OLD.turn_id;
    END;
    """,
    """
    ALTER TABLE turns ADD COLUMN edits TEXT NOT NULL DEFAULT '';
    """,
    """
    ALTER TABLE head_blocks ADD COLUMN category TEXT NOT NULL DEFAULT 'system';
    ALTER TABLE head_blocks ADD COLUMN source TEXT NOT NULL DEFAULT '';

    CREATE TABLE focuses (
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        mode TEXT NOT NULL,
        cross_ref INTEGER NOT NULL,
        PRIMARY KEY (identity, worktree)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE sessions ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    ALTER TABLE turns ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    ALTER TABLE removals ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    ALTER TABLE head_blocks ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    ALTER TABLE selections ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    ALTER TABLE focuses ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    ALTER TABLE edited_files ADD COLUMN mark BLOB NOT NULL DEFAULT x'';
    """,
    """
    CREATE TABLE edit_journals (
        batch TEXT PRIMARY KEY,
        worktree TEXT NOT NULL,
        changes TEXT NOT NULL,
        mark BLOB NOT NULL DEFAULT x''
    ) WITHOUT ROWID;
    CREATE TRIGGER edit_journals_go_with_their_turn AFTER DELETE ON turns BEGIN
        DELETE FROM edit_journals WHERE batch = OLD.turn_id;
    END;
    """,
    """
    CREATE TABLE pages (
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        position INTEGER NOT NULL,
        included INTEGER NOT NULL,
        content TEXT NOT NULL,
        mark BLOB NOT NULL DEFAULT x'',
        PRIMARY KEY (identity, worktree, position)
    ) WITHOUT ROWID;
    ALTER TABLE turns ADD COLUMN agent_tag TEXT NOT NULL DEFAULT '';
    """,
    """
    CREATE TABLE notebook_views (
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        path TEXT NOT NULL,
        excluded TEXT NOT NULL,
        outputs TEXT NOT NULL,
        mark BLOB NOT NULL DEFAULT x'',
        PRIMARY KEY (identity, worktree, path)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE turns ADD COLUMN run TEXT NOT NULL DEFAULT '';
    """,
    """
    ALTER TABLE sessions ADD COLUMN title TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;

    CREATE TABLE costs_of_deleted (
        identity TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        usage TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE removals ADD COLUMN turns TEXT NOT NULL DEFAULT '';
    """,
    """
    CREATE TABLE file_sets (
        identity TEXT NOT NULL,
        name TEXT NOT NULL,
        paths TEXT NOT NULL,
        mark BLOB NOT NULL DEFAULT x'',
        PRIMARY KEY (identity, name)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE turns ADD COLUMN ticked TEXT NOT NULL DEFAULT '';
    """,
    """
    CREATE TABLE excluded_paths (
        path BLOB NOT NULL PRIMARY KEY
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE excluded_paths ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE exclusions (
        number INTEGER PRIMARY KEY,
        paths INTEGER NOT NULL
    );
    """,
)

REPAIR: Final = """
    INSERT OR IGNORE INTO sessions (session_id, identity, worktree, created_ms, updated_ms)
    SELECT m.session_id, COALESCE(known.identity, 'local'), '', MIN(m.created_ms), MAX(m.created_ms)
    FROM messages m, (
        SELECT MAX(identity) AS identity, COUNT(DISTINCT identity) AS persons FROM (
            SELECT identity FROM sessions UNION SELECT identity FROM selections
            UNION SELECT identity FROM holders
        )
    ) known
    WHERE known.persons < 2 GROUP BY m.session_id;
    INSERT OR IGNORE INTO turns
        (turn_id, session_id, number, request_id, state, created_ms, owner, alive_ms)
    SELECT m.turn_id, m.session_id, 1000000000 + MIN(m.rowid), m.turn_id, 'done',
        MIN(m.created_ms), '', 0
    FROM messages m JOIN sessions USING (session_id)
    WHERE m.turn_id IS NOT NULL GROUP BY m.turn_id, m.session_id;
    DELETE FROM indexed_messages;
    INSERT OR IGNORE INTO unindexed_messages SELECT created_ms, message_id FROM messages;
    DELETE FROM holders;
"""
"""Makes the tables consistent after only a part of them could be read.

A message whose session or turn is lost gets a plain one; a session only if at most one person is
known, since it would show one person's words to another. The search index is rebuilt.
"""


HISTORY_FILE: Final = "history.sqlite"


def history_database(folder: Path, signer: RowSigner) -> Database:
    """Return the database of a repository's history, which is opened on first use.

    Args:
        folder: the repository's folder for state.
        signer: marks the rows that this user writes, and knows them again.
    """
    return Database(
        folder / HISTORY_FILE, MIGRATIONS, repair=REPAIR, optional=CREATE, signer=signer
    )
