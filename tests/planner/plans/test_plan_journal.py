import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.ids import Identity
from jupyter_ac.planner.plans import plan_journal
from jupyter_ac.planner.plans.plan import PlanState
from jupyter_ac.planner.plans.plan_changes import PlanCreated, PlanMoved, TaskMoved
from jupyter_ac.planner.plans.plan_journal import JournalRow, PlanJournal, replayed
from tests.planner.plans.planned import ADA, plan_of
from tests.support.plans import plans_in

BOB = Identity("bob")
PLAN = plan_of({"a": [], "b": ["a"]})
ROWS = [
    JournalRow(1, 10, PlanCreated(PLAN)),
    JournalRow(2, 11, PlanMoved("propose")),
    JournalRow(3, 12, PlanMoved("approve")),
    JournalRow(4, 13, TaskMoved("a", "get_ready")),
]


async def test_a_plan_is_the_sum_of_its_rows(tmp_path: Path) -> None:
    database = plans_in(tmp_path)
    journal = PlanJournal(database, "")
    await journal.append("plan_1", ADA, ROWS[:1])
    await journal.append("plan_1", ADA, ROWS[1:])
    found = await journal.load("plan_1", ADA)
    assert found == replayed(ROWS)
    assert found is not None
    assert (found.state, found.revision, found.created_ms) == (PlanState.RUNNING, 4, 10)
    assert await journal.load("plan_1", BOB) is None
    assert await PlanJournal(database, "other").load("plan_1", ADA) is None
    assert (await journal.plan_ids(ADA), await journal.plan_ids(BOB)) == (["plan_1"], [])
    await database.aclose()


async def test_a_plan_that_was_read_before_takes_what_others_have_written_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_journal, "MAX_READ", 1)
    database = plans_in(tmp_path)
    journal, other = PlanJournal(database, ""), PlanJournal(database, "")
    for plan_id in ("plan_1", "plan_2"):
        await other.append(plan_id, ADA, ROWS[:2])
    for _ in range(2):
        for plan_id in ("plan_1", "plan_2"):
            assert await journal.load(plan_id, ADA) == replayed(ROWS[:2])
    await other.append("plan_2", ADA, ROWS[2:])
    assert await journal.load("plan_2", ADA) == replayed(ROWS)
    assert await journal.load("plan_2", ADA) == replayed(ROWS)
    await database.aclose()


async def test_a_plan_that_others_have_removed_is_not_remembered(tmp_path: Path) -> None:
    database = plans_in(tmp_path)
    journal = PlanJournal(database, "")
    await journal.append("plan_1", ADA, ROWS)
    assert await journal.load("plan_1", ADA) is not None
    with sqlite3.connect(tmp_path / "plans.sqlite") as db:
        db.execute("DELETE FROM plan_events")
    assert await journal.load("plan_1", ADA) is None
    await database.aclose()


async def test_a_revision_is_written_once_and_changes_all_or_none(tmp_path: Path) -> None:
    database = plans_in(tmp_path)
    journal = PlanJournal(database, "")
    await journal.append("plan_1", ADA, ROWS[:3])
    with pytest.raises(Conflict, match="read it again"):
        await journal.append("plan_1", ADA, [ROWS[3], ROWS[2]])
    found = await journal.load("plan_1", ADA)
    assert found is not None
    assert found.revision == 3
    await database.aclose()


@pytest.mark.parametrize(
    ("statement", "revision"),
    [
        ("UPDATE plan_events SET event = replace(event, 'approve', 'cancel')", 2),
        ("DELETE FROM plan_events WHERE revision = 2", 1),
        ("UPDATE plan_events SET revision = 9 WHERE revision = 3", 2),
        ("UPDATE plan_events SET time_ms = 0 WHERE revision = 4", 3),
        ("UPDATE plan_events SET mark = x'00' WHERE revision = 1", 0),
    ],
)
async def test_rows_that_were_changed_by_others_end_the_plan(
    tmp_path: Path, statement: str, revision: int
) -> None:
    database = plans_in(tmp_path)
    await PlanJournal(database, "").append("plan_1", ADA, ROWS)
    await database.aclose()
    with sqlite3.connect(tmp_path / "plans.sqlite") as db:
        db.execute(statement)
    again = plans_in(tmp_path)
    found = await PlanJournal(again, "").load("plan_1", ADA)
    assert (0 if found is None else found.revision) == revision
    await again.aclose()


async def test_the_oldest_plans_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_journal, "MAX_PLANS", 2)
    database = plans_in(tmp_path)
    journal = PlanJournal(database, "")
    for identity in (ADA, BOB):
        for number in range(4):
            plan = replace(PLAN, plan_id=f"{identity}_{number}", identity=identity)
            rows = [JournalRow(1, 10, PlanCreated(plan)), ROWS[1]]
            await journal.append(plan.plan_id, identity, rows)
    assert await journal.plan_ids(ADA) == ["ada_3", "ada_2"]
    assert await journal.plan_ids(BOB) == ["bob_3", "bob_2"]
    assert await journal.load("ada_1", ADA) is None
    await database.aclose()


def test_rows_that_do_not_follow_end_the_plan() -> None:
    assert replayed([]) is None
    assert replayed(ROWS[1:]) is None
    found = replayed([*ROWS, JournalRow(5, 14, PlanMoved("approve"))])
    assert found is not None
    assert found.revision == 4


_WRITER = """
import asyncio, sys
from pathlib import Path
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from tests.planner.plans.planned import ADA, plan_of
from tests.support.plans import plans_in

async def main():
    registry = PlanRegistry(PlanJournal(plans_in(Path(sys.argv[1])), ""), lambda plan, tasks: None)
    await registry.create(plan_of({"a": [], "b": ["a"]}))
    for trigger in ("propose", "approve"):
        await registry.change("plan_1", ADA, lambda plan, trigger=trigger: [PlanMoved(trigger)])
    for number in range(10_000):
        trigger = "resume" if number % 2 else "pause"
        plan = await registry.change("plan_1", ADA, lambda _, trigger=trigger: [PlanMoved(trigger)])
        print(plan.revision, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("changes", [1, 5, 30])
async def test_what_was_told_is_there_after_a_kill(tmp_path: Path, changes: int) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert writer.stdout is not None
    told = 0
    with writer.stdout as lines:
        for _ in range(changes):
            told = int(lines.readline())
        writer.send_signal(signal.SIGKILL)
        told = max([told, *(int(line) for line in lines if line.endswith("\n"))])
    writer.wait()
    database = plans_in(tmp_path)
    found = await PlanJournal(database, "").load("plan_1", ADA)
    assert found is not None
    assert found.revision in {told, told + 1}
    await database.aclose()
