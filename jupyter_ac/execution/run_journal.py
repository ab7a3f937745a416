"""The journal of the cells that the program has run, in SQLite beside the history.

A run is written before its code is sent to the kernel and again at its end, so that what was run is
known after `kill -9`. The newest `MAX_RUNS` are kept. Images aren't stored. Rows that this user
has not written, such as those that come with a copied repository, are left out.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.execution.cell_runs import CellRequest, CellRun, RunState
from jupyter_ac.execution.outputs import CellOutput, OutputKind
from jupyter_ac.ids import Identity
from jupyter_ac.store.row_signing import MAC, signed_columns
from jupyter_ac.store.sqlite import Database

FILE: Final = "cell_runs.sqlite"
MAX_RUNS: Final = 1000
MAX_TEXT: Final = 100_000
"""Characters of the outputs of a run; the end is kept."""

HOST_ENDED: Final = (
    "The server ended while the cell ran; whether the cell came to its end isn't known."
)

MIGRATIONS: Final = (
    """
    CREATE TABLE cell_runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        notebook TEXT NOT NULL,
        kernel_id TEXT NOT NULL,
        code TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        time_limit_s REAL NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        requested_ms INTEGER NOT NULL,
        started_ms INTEGER NOT NULL,
        ended_ms INTEGER NOT NULL,
        approved_by TEXT NOT NULL,
        outputs TEXT NOT NULL,
        left_out INTEGER NOT NULL,
        mark BLOB NOT NULL
    );
    CREATE INDEX cell_runs_by_identity ON cell_runs (identity, worktree, number);
    """,
)

_WRITE: Final = """
    INSERT INTO cell_runs (run_id, owner, identity, worktree, notebook, kernel_id, code, sha256,
        time_limit_s, state, reason, requested_ms, started_ms, ended_ms, approved_by, outputs,
        left_out, mark)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, x'')
    ON CONFLICT (run_id) DO UPDATE SET state = excluded.state, reason = excluded.reason,
        started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,
        approved_by = excluded.approved_by, outputs = excluded.outputs,
        left_out = excluded.left_out
"""
_COLUMNS: Final = (
    "run_id owner identity worktree notebook kernel_id code sha256 time_limit_s state reason"
    " requested_ms started_ms ended_ms approved_by outputs left_out"
)
_MAC: Final = f"{MAC}('cell_run', {signed_columns(_COLUMNS.split())})"
_MARK: Final = "UPDATE cell_runs SET mark = {mac} WHERE run_id = ?".replace("{mac}", _MAC)
_TRIM: Final = """
    DELETE FROM cell_runs WHERE number <= (
        SELECT number FROM cell_runs ORDER BY number DESC LIMIT 1 OFFSET ?
    )
"""
_READ: Final = """
    SELECT run_id, owner, identity, notebook, kernel_id, code, sha256, time_limit_s, state, reason,
        requested_ms, started_ms, ended_ms, approved_by, outputs, left_out
    FROM cell_runs WHERE identity = ? AND worktree = ? AND mark IS {mac}
    ORDER BY number DESC LIMIT ?
""".replace("{mac}", _MAC)


def journal_database(history: Database) -> Database:
    """Return the database of the journal, which is opened on first use.

    Args:
        history: of the same repository, with a signer of rows.
    """
    return history.beside(FILE, MIGRATIONS)


class RunJournal:
    """The runs of one worktree.

    Args:
        database: as of `journal_database`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
        owner: how this process signs its runs.
        is_gone: returns whether the process with a signature can't be running a cell any more that
            was started so many milliseconds ago, with this time limit in milliseconds.
    """

    def __init__(
        self,
        database: Database,
        worktree: str,
        owner: str,
        is_gone: Callable[[str, int, int], bool],
    ) -> None:
        self._database = database
        self._worktree = worktree
        self._owner = owner
        self._is_gone = is_gone

    async def write(self, run: CellRun) -> None:
        """Store a run, or its new state. Durable when it returns.

        Raises:
            AcError: it can't be stored; the message has the reason.
        """
        row = self._row(run)

        def work(db: sqlite3.Connection) -> None:
            db.execute(_WRITE, row)
            db.execute(_MARK, (run.run_id,))
            db.execute(_TRIM, (MAX_RUNS,))

        await self._database.run(work)

    async def recent(self, identity: Identity, limit: int, now_ms: int) -> list[CellRun]:
        """Return a person's newest runs, newest first.

        Args:
            identity: the person.
            limit: how many at most.
            now_ms: tells which runs of other processes can't be running any more.
        """
        key = (identity, self._worktree, limit)
        rows = await self._database.read(lambda db: db.execute(_READ, key).fetchall())
        return [run for row in rows if (run := self._run(row, now_ms)) is not None]

    async def aclose(self) -> None:
        """Close the file."""
        await self._database.aclose()

    def _row(self, run: CellRun) -> tuple[object, ...]:
        request = run.request
        text = "\n".join(output.text for output in run.outputs if output.text)
        return (
            *(run.run_id, self._owner, run.identity, self._worktree),
            *(request.notebook, request.kernel_id, request.code, run.sha256),
            *(request.time_limit_s, run.state.value, run.reason),
            *(run.requested_ms, run.started_ms, run.ended_ms, run.approved_by),
            *(text[-MAX_TEXT:], run.left_out + max(0, len(text) - MAX_TEXT)),
        )

    def _run(self, row: Sequence[object], now_ms: int) -> CellRun | None:
        """Rebuild a run; None if the row isn't one."""
        (run_id, owner, identity, notebook, kernel_id, code, sha256, *rest) = row
        limit_s, state, reason, requested_ms, started_ms, ended_ms, approved_by, text, left = rest
        try:
            request = CellRequest(str(notebook), str(kernel_id), str(code), float(str(limit_s)))
            run = CellRun(
                request=request,
                identity=Identity(str(identity)),
                sha256=str(sha256),
                run_id=str(run_id),
                state=RunState(str(state)),
                reason=str(reason),
                requested_ms=int(str(requested_ms)),
                started_ms=int(str(started_ms)),
                ended_ms=int(str(ended_ms)),
                approved_by=str(approved_by),
                outputs=(CellOutput(OutputKind.TEXT, str(text)),) if text else (),
                left_out=int(str(left)),
            )
        except (ValueError, AcError):
            return None
        limit_ms = int(request.time_limit_s * 1000)
        is_lost = run.state is RunState.RUNNING and self._is_gone(
            str(owner), now_ms - run.started_ms, limit_ms
        )
        if is_lost:
            return replace(run, state=RunState.INTERRUPTED, reason=HOST_ENDED, ended_ms=0)
        return run
