"""Plans that pages run, and whose results they apply."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.planner_rows import PlanRow
from tests.planner.execution.execution_world import Gate, writing
from tests.planner.plans.planning_model import PlanningModel, answer_of
from tests.services.llm.pages import Page, connect
from tests.services.planner.planner_world import PlannerWorld, planner_world

TWO = answer_of(("t1", []), ("t2", ["t1"]))


class Caller:
    """A page that makes and runs plans."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def row(self, name: str, *args: object) -> PlanRow:
        found = await self.page.peer.call(f"Planner.{name}", *args)
        assert isinstance(found, dict)
        return cast("PlanRow", found.get("plan", found))

    async def made(self) -> PlanRow:
        return await self.row("create_plan", "Make it")

    async def reached(self, plan: PlanRow, *states: str) -> PlanRow:
        async with asyncio.timeout(60):
            while (row := await self.row("get_plan", plan["id"]))["status"] not in states:
                await asyncio.sleep(0.02)
        return row


async def test_a_plan_is_run_applied_and_taken_back(tmp_path: Path) -> None:
    async with planner_world(tmp_path, PlanningModel(TWO)) as world:
        connection = await connect(Page(()), world.table)
        caller = Caller(connection.page)
        world.execution.agents.deeds = {
            "t1": [writing({"a.py": "a = 2\n"})],
            "t2": [writing({"b.py": "b = 1\n"})],
        }
        try:
            plan = await caller.row("run_plan", (await caller.made())["id"], 1, "scripted")
            assert (plan["status"], plan["concurrency"], plan["executor"]) == (
                "running",
                1,
                "scripted",
            )
            plan = await caller.reached(plan, "completed")
            assert plan["can_apply"]
            diff = await caller.page.peer.call("Planner.get_plan_diff", plan["id"])
            assert isinstance(diff, dict)
            assert "+a = 2" in diff["diff"]
            one = await caller.page.peer.call("Planner.get_plan_diff", plan["id"], "t2")
            assert isinstance(one, dict)
            assert "a = 2" not in one["diff"]
            applied = await caller.page.peer.call("Planner.apply_plan", plan["id"])
            assert isinstance(applied, dict)
            assert applied["files"] == ["a.py", "b.py"]
            assert applied["plan"]["applied_files"] == ["a.py", "b.py"]
            root = world.execution.folder.root
            assert (root / "a.py").read_text(encoding="utf-8") == "a = 2\n"
            undone = await caller.page.peer.call("Planner.undo_plan", plan["id"])
            assert isinstance(undone, dict)
            assert (undone["files"], undone["kept"]) == (["a.py", "b.py"], [])
            assert undone["plan"]["can_apply"]
            assert (root / "a.py").read_text(encoding="utf-8") == "x\n"
        finally:
            await connection.close()
    assert [update["can_apply"] for update in world.updates][-2:] == [False, True]
    assert {update["status"] for update in world.updates} >= {"running", "completed"}


async def test_a_plan_is_paused_resumed_and_a_task_cancelled_and_tried_again(
    tmp_path: Path,
) -> None:
    async with planner_world(tmp_path, PlanningModel(TWO)) as world:
        connection = await connect(Page(()), world.table)
        caller = Caller(connection.page)
        gate = Gate()
        world.execution.agents.deeds = {
            "t1": [gate],
            "t2": [lambda _root: _fail(), writing({"a.py": "a = 3\n"})],
        }
        try:
            plan = await caller.row("run_plan", (await caller.made())["id"], None, "scripted")
            await gate.begun.wait()
            assert (await caller.row("pause_plan", plan["id"]))["status"] == "paused"
            gate.leave.set()
            assert (await caller.row("resume_plan", plan["id"]))["status"] == "running"
            plan = await caller.reached(plan, "failed")
            assert plan["tasks"][1]["status"] == "failed"
            with pytest.raises(RemoteError) as raised:
                await caller.row("retry_task", plan["id"], "t2", "x" * 10_001)
            assert raised.value.remote_code == -32602
            await caller.row("retry_task", plan["id"], "t2", "Once more.")
            plan = await caller.reached(plan, "completed")
            assert plan["tasks"][1]["attempts"] == 2
            with pytest.raises(RemoteError):
                await caller.row("cancel_task", plan["id"], "t2")
            with pytest.raises(RemoteError, match="no task"):
                await caller.row("cancel_task", plan["id"], "t9")
        finally:
            await connection.close()


def _fail() -> str:
    raise RuntimeError


async def test_plans_of_others_and_unknown_ones_are_not_there(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        await _assert_all_refuse(world)


async def _assert_all_refuse(world: PlannerWorld) -> None:
    connection = await connect(Page(()), world.table)
    try:
        for name in ("run_plan", "pause_plan", "resume_plan", "apply_plan", "undo_plan"):
            with pytest.raises(RemoteError) as raised:
                await connection.page.peer.call(f"Planner.{name}", "plan_0000000000000000")
            assert raised.value.remote_type == "not_found", name
    finally:
        await connection.close()
