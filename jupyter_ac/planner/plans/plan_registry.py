"""The plans of a workspace: read and changed one at a time, each change journaled first."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from time import time_ns
from typing import Final
from weakref import WeakValueDictionary

from jupyter_ac.errors import Conflict, NotFound, TooLarge
from jupyter_ac.ids import Identity
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_changes import PlanChange, PlanCreated, apply
from jupyter_ac.planner.plans.plan_journal import JournalRow, PlanJournal
from jupyter_ac.planner.plans.plan_scheduling import settled

MAX_REVISIONS: Final = 10_000
"""Of one plan, which is read as the sum of them."""

_ATTEMPTS: Final = 5

Published = Callable[[Plan, Sequence[str]], None]
"""Gets a plan that was changed, and the ids of the tasks that were."""


def new_plan_id() -> str:
    """Return an id for a new plan."""
    return f"plan_{secrets.token_hex(8)}"


class PlanRegistry:
    """Reads and changes plans. Belongs to one event loop.

    Args:
        journal: keeps them.
        publish: told of each change, after it is durable.
        now_ms: milliseconds since the epoch.

    Attributes:
        listeners: called with each plan that was changed in this process, after `publish`.
    """

    def __init__(
        self,
        journal: PlanJournal,
        publish: Published,
        now_ms: Callable[[], int] = lambda: time_ns() // 1_000_000,
    ) -> None:
        self._journal = journal
        self._publish = publish
        self._now_ms = now_ms
        self.listeners: list[Callable[[Plan], None]] = []
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(self, plan: Plan, changes: Sequence[PlanChange] = ()) -> Plan:
        """Keep a new plan, changed at once; returns it as it is kept.

        Raises:
            AcError: it can't be stored, or what `plan_changes.apply` raises.
        """
        now_ms, rows = self._now_ms(), list[JournalRow]()
        created: Plan | None = None
        for change in (PlanCreated(plan), *changes):
            created = apply(created, change, now_ms)
            rows.append(JournalRow(created.revision, now_ms, change))
        if created is None:
            raise Conflict("A plan begins with its creation.")
        await self._journal.append(plan.plan_id, plan.identity, rows)
        self._publish(created, [task.task_id for task in created.tasks])
        return created

    async def get(self, plan_id: str, identity: Identity) -> Plan:
        """Return a person's plan.

        Raises:
            NotFound: there is none with this id.
        """
        found = await self._journal.load(plan_id, identity)
        if found is None:
            raise NotFound(f"There is no plan {plan_id[:100]!r}; list the plans.")
        return found

    async def newest(self, identity: Identity, limit: int) -> list[Plan]:
        """Return a person's plans, the newest first."""
        ids = (await self._journal.plan_ids(identity))[:limit]
        found = [await self._journal.load(plan_id, identity) for plan_id in ids]
        return [plan for plan in found if plan is not None]

    async def change(
        self, plan_id: str, identity: Identity, choose: Callable[[Plan], Sequence[PlanChange]]
    ) -> Plan:
        """Change a plan, and apply all that follows from that, as one step.

        Args:
            plan_id: which.
            identity: whose.
            choose: returns the changes for the plan as it is now, none to leave it; called again
                when another process has changed the plan meanwhile.

        Returns:
            the plan after the changes.

        Raises:
            NotFound: there is no such plan.
            TooLarge: it was changed too often.
            AcError: what `choose` and `plan_changes.apply` raise.
        """
        lock = self._locks.setdefault(plan_id, asyncio.Lock())
        async with lock:
            for attempt in range(_ATTEMPTS):
                before = await self.get(plan_id, identity)
                if before.revision >= MAX_REVISIONS:
                    raise TooLarge(f"The plan {plan_id} was changed too often; make a new one.")
                after, rows = self._steps(before, choose(before))
                if not rows:
                    return before
                try:
                    await self._journal.append(plan_id, identity, rows)
                except Conflict:
                    if attempt == _ATTEMPTS - 1:
                        raise
                    continue
                self._publish(after, _changed_tasks(before, after))
                for listener in self.listeners:
                    listener(after)
                return after
        raise Conflict(f"The plan {plan_id} is being changed; try again.")

    def _steps(self, plan: Plan, changes: Sequence[PlanChange]) -> tuple[Plan, list[JournalRow]]:
        now_ms, rows = max(self._now_ms(), plan.updated_ms), list[JournalRow]()
        first = plan.revision + 1
        applied: list[PlanChange] = []
        for change in changes:
            plan = apply(plan, change, now_ms)
            applied.append(change)
        if changes:
            plan, further = settled(plan, now_ms)
            applied += further
        rows = [JournalRow(first + at, now_ms, change) for at, change in enumerate(applied)]
        return plan, rows


def _changed_tasks(before: Plan, after: Plan) -> list[str]:
    known = before.by_id()
    return [task.task_id for task in after.tasks if known.get(task.task_id) != task]
