import os
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.planner_composition import make_planner
from tests.support.histories import history_in
from tests.support.repositories import make_repository


async def test_the_planner_of_a_workspace_checks_code(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a.py": "x\n"}).root)
    made = make_planner(repository, history_in(tmp_path), os.environ)
    try:
        assert (await made.validator.validate("{}", "json"))["valid"]
    finally:
        await made.aclose()
