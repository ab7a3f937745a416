import json
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.errors import Conflict, InvalidParams, NotFound
from jupyter_ac.hosts.mcp.plan_tools import CreatePlanTool, GetPlanTool, ListPlansTool
from jupyter_ac.hosts.planner_composition import make_planner
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from tests.agent.tools.calls import Caller
from tests.hosts.mcp.edited_garden import garden
from tests.hosts.test_composition import composed
from tests.planner.plans.planning_model import PlanningModel, answer_of, gateway_of


async def test_plans_are_made_with_consent_shown_and_listed(tmp_path: Path) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        model = PlanningModel(answer_of(("one", []), ("two", ["one"])))
        writer = PlanWriter(gateway_of(model), made.repository, made.excluded.read)
        planner = replace(make_planner(made).ports, writer=writer)
        masker, caller = ResultMasker({}), Caller()
        create = CreatePlanTool(planner, masker, is_allowed=False)
        question = await caller.question(create, request="Grow beans")
        assert question is not None
        assert question.text == "Grow beans"
        assert "may cost money" in question.why
        with pytest.raises(Conflict):
            await caller.unasked(create, request="Grow beans")
        assert model.asked == []
        plan = json.loads((await caller.allowed(create, request="Grow beans")).text)
        assert [task["id"] for task in plan["tasks"]] == ["one", "two"]
        assert plan["status"] == "awaiting_approval"
        get, listing = GetPlanTool(planner, masker), ListPlansTool(planner, masker)
        assert json.loads(await caller.text(get, plan_id=plan["id"])) == plan
        assert f"{plan['id']} awaiting_approval, 2 tasks: Grow beans" in await caller.text(listing)
        with pytest.raises(NotFound):
            await caller.text(get, plan_id="plan_0")


async def test_the_user_may_have_allowed_plans_at_the_start(tmp_path: Path) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        tool = CreatePlanTool(make_planner(made).ports, ResultMasker({}), is_allowed=True)
        assert await Caller().question(tool, request="Grow beans") is None
        with pytest.raises(InvalidParams):
            await Caller().question(tool, request="  ")
