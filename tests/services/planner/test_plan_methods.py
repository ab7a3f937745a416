from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.planner.plans.planning_model import PlanningModel, answer_of
from tests.services.llm.pages import Page, connect
from tests.services.planner.planner_world import planner_world

SOUND = answer_of(("task_001", []), ("task_002", ["task_001"]), estimated_time_seconds=120)


def plan_in(found: object) -> dict[str, object]:
    assert isinstance(found, dict)
    plan = found.get("plan", found)
    assert isinstance(plan, dict)
    return plan


async def test_a_plan_is_made_listed_edited_and_rejected(tmp_path: Path) -> None:
    async with planner_world(tmp_path, PlanningModel(SOUND)) as world:
        connection = await connect(Page(()), world.table)
        call = connection.page.peer.call
        try:
            await call("update_context", "add", "dependency", {"name": "react"})
            made = await call(
                "create_plan",
                "Original user request",
                {"completed_tasks": [], "pending_tasks": [], "context": {}},
                {"max_tasks": 10, "time_limit_seconds": 300},
            )
            plan = plan_in(made)
            assert (plan["status"], plan["estimated_time_seconds"]) == ("awaiting_approval", 120)
            assert '"react"' in world.model.asked[0]
            assert plan_in(await call("get_plan", plan["id"])) == plan
            assert await call("Planner.list_plans") == {"plans": [plan]}
            edited = await call("update_task", plan["id"], "task_002", {"priority": 1})
            tasks = plan_in(edited)["tasks"]
            assert isinstance(tasks, list)
            assert [task["priority"] for task in tasks] == [3, 1]
            assert plan_in(await call("cancel_plan", plan["id"]))["status"] == "cancelled"
            with pytest.raises(RemoteError) as raised:
                await call("cancel_plan", plan["id"])
            assert raised.value.remote_type == "invalid_state"
        finally:
            await connection.close()
    revisions = [update["revision"] for update in world.updates]
    assert revisions == [2, 3, 4]


@pytest.mark.parametrize(
    "args",
    [
        (" ",),
        ("x" * 100_001,),
        ("x", {}, {"max_tasks": 0}),
        ("x", {}, {"max_tasks": 101}),
        ("x", {}, {"max_tasks": 1.5}),
        ("x", {}, {"time_limit_seconds": True}),
        ("x", {}, {"concurrency": 9}),
        ("x", []),
    ],
)
async def test_arguments_outside_their_limits_are_refused(
    tmp_path: Path, args: tuple[object, ...]
) -> None:
    async with planner_world(tmp_path) as world:
        connection = await connect(Page(()), world.table)
        try:
            with pytest.raises(RemoteError) as raised:
                await connection.page.peer.call("create_plan", *args)
        finally:
            await connection.close()
        assert raised.value.remote_code == -32602
        assert world.model.asked == []


async def test_a_model_that_plans_badly_ends_in_an_error_and_no_plan(tmp_path: Path) -> None:
    bad = answer_of(("a", ["a"]))
    async with planner_world(tmp_path, PlanningModel(bad, bad)) as world:
        connection = await connect(Page(()), world.table)
        try:
            with pytest.raises(RemoteError, match="cycle"):
                await connection.page.peer.call("create_plan", "x")
            assert await connection.page.peer.call("list_plans") == {"plans": []}
            for args in (("list_plans", 0), ("get_plan", "plan_x")):
                with pytest.raises(RemoteError):
                    await connection.page.peer.call(*args)
        finally:
            await connection.close()
