"""The journal of plans: each change is a row, written before anybody is told of it.

A plan is read as the sum of its rows, up to the first that is missing, isn't this user's, or
doesn't follow from those before it.
"""

import itertools
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.ids import Identity
from jupyter_ac.planner.plan_database import EVENT_MAC
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_changes import PlanChange, PlanMoved, apply
from jupyter_ac.planner.plans.plan_codec import decode_change, encode_change
from jupyter_ac.store.sqlite import Database

MAX_PLANS: Final = 1000
"""Of one person and worktree; a further one takes the place of the oldest."""

MAX_READ: Final = 20
"""Plans that are kept as they were read last."""

_WRITE: Final = (
    "INSERT INTO plan_events (plan_id, revision, identity, worktree, time_ms, event, mark)"
    " VALUES (?, ?, ?, ?, ?, ?, x'')"
)
_MARK: Final = "UPDATE plan_events SET mark = {mac} WHERE plan_id = ? AND revision = ?".replace(
    "{mac}", EVENT_MAC
)
_READ: Final = """
    SELECT revision, time_ms, event FROM plan_events
    WHERE plan_id = ? AND identity = ? AND worktree = ? AND revision >= ? AND mark IS {mac}
    ORDER BY revision
""".replace("{mac}", EVENT_MAC)
_LIST: Final = """
    SELECT plan_id FROM plan_events
    WHERE identity = ? AND worktree = ? AND revision = 1 ORDER BY number DESC LIMIT ?
"""
_TRIM: Final = """
    DELETE FROM plan_events WHERE identity = ? AND worktree = ? AND plan_id IN (
        SELECT plan_id FROM plan_events
        WHERE identity = ? AND worktree = ? AND revision = 1 ORDER BY number DESC LIMIT -1 OFFSET ?
    )
"""


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One change.

    Attributes:
        revision: of the plan after it, from 1.
        time_ms: when, milliseconds since the epoch.
        change: what was changed.
    """

    revision: int
    time_ms: int
    change: PlanChange


def replayed(rows: Iterable[JournalRow], plan: Plan | None = None) -> Plan | None:
    """Return the sum of a plan's rows; None when the first is missing.

    Args:
        rows: in order, those behind `plan`.
        plan: the sum of the rows before; None before the first.
    """
    first = 1 if plan is None else plan.revision + 1
    for revision, row in zip(itertools.count(first), rows, strict=False):
        if row.revision != revision:
            break
        try:
            plan = apply(plan, row.change, row.time_ms)
        except AcError:
            break
    return plan


class PlanJournal:
    """The plans of one worktree.

    Args:
        database: as of `plan_database`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree
        self._read: OrderedDict[tuple[str, Identity], Plan] = OrderedDict()

    async def append(self, plan_id: str, identity: Identity, rows: Sequence[JournalRow]) -> None:
        """Write changes, all or none. Durable when it returns.

        Raises:
            Conflict: another process has changed the plan meanwhile.
            AcError: they can't be stored; the message has the reason.
        """
        values = [
            (
                *(plan_id, row.revision, identity, self._worktree),
                *(row.time_ms, encode_change(row.change)),
            )
            for row in rows
        ]

        def work(db: sqlite3.Connection) -> None:
            for each in values:
                db.execute(_WRITE, each)
                db.execute(_MARK, each[:2])
            if rows and rows[0].revision == 1:
                key = identity, self._worktree
                db.execute(_TRIM, (*key, *key, MAX_PLANS))

        try:
            await self._database.run(work)
        except sqlite3.IntegrityError as error:
            raise Conflict(f"The plan {plan_id} was changed meanwhile; read it again.") from error

    async def load(self, plan_id: str, identity: Identity) -> Plan | None:
        """Return a person's plan as it is in the journal; None when there is none.

        Of a plan that was read before only the rows since are read.
        """
        known = self._read.pop((plan_id, identity), None)
        rows = await self._rows(plan_id, identity, known.revision if known else 1)
        if known is not None and (not rows or rows[0].revision != known.revision):
            known, rows = None, await self._rows(plan_id, identity, 1)
        plan = replayed(rows, None) if known is None else replayed(rows[1:], known)
        if plan is not None:
            self._read[plan_id, identity] = plan
            if len(self._read) > MAX_READ:
                self._read.popitem(last=False)
        return plan

    async def _rows(self, plan_id: str, identity: Identity, first: int) -> list[JournalRow]:
        key = plan_id, identity, self._worktree, first
        rows = await self._database.read(lambda db: db.execute(_READ, key).fetchall())
        return [_row(row) for row in rows]

    async def plan_ids(self, identity: Identity) -> list[str]:
        """Return the ids of a person's plans, the newest first."""
        key = identity, self._worktree, MAX_PLANS
        rows = await self._database.read(lambda db: db.execute(_LIST, key).fetchall())
        return [str(row[0]) for row in rows]


def _row(row: Sequence[object]) -> JournalRow:
    """Read a row; one that isn't a change has a revision that no plan reaches."""
    try:
        return JournalRow(int(str(row[0])), int(str(row[1])), decode_change(str(row[2])))
    except ValueError:
        return _NONE


_NONE: Final = JournalRow(-1, 0, PlanMoved("end"))
