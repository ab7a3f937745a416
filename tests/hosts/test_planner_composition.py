from pathlib import Path

from jupyter_ac.hosts.planner_composition import make_planner
from tests.hosts.test_composition import composed
from tests.planner.plans.planned import ADA, plan_of
from tests.support.repositories import make_repository


async def test_the_planner_of_a_workspace_keeps_plans_and_checks_code(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x\n"}).root
    async with composed(root, tmp_path / "cache") as made:
        plans = make_planner(made)
        try:
            created = await plans.ports.registry.create(plan_of({"a": []}))
            assert await plans.ports.registry.get("plan_1", ADA) == created
            assert (await plans.ports.validator.validate("{}", "json"))["valid"]
            assert not plans.runner.is_busy
        finally:
            await plans.aclose()
        assert made.database.path.with_name("plans.sqlite").is_file()
