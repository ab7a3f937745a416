import os
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.planner_composition import make_planner
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.settings.admin import JupyterAC
from tests.planner.plans.planned import ADA, plan_of
from tests.planner.plans.planning_model import PlanningModel, gateway_of
from tests.support.histories import history_in
from tests.support.repositories import make_repository


async def test_the_planner_of_a_workspace_keeps_plans_and_checks_code(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a.py": "x\n"}).root)
    history, models = history_in(tmp_path), gateway_of(PlanningModel())
    settings = ModelPlanner(dict(os.environ), tmp_path / "config", JupyterAC(), lambda: False)
    made = make_planner(repository, history, settings, models, Subscribers())
    try:
        created = await made.ports.registry.create(plan_of({"a": []}))
        assert await made.ports.registry.get("plan_1", ADA) == created
        assert (await made.ports.validator.validate("{}", "json"))["valid"]
    finally:
        await made.aclose()
        await history.aclose()
    assert (tmp_path / "plans.sqlite").is_file()
