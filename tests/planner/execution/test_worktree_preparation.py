import os
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotReady
from jupyter_ac.git.repository import discover
from jupyter_ac.planner.execution.task_attempts import Preparation
from jupyter_ac.planner.execution.worktree_preparation import link, link_paths, set_up
from jupyter_ac.planner.plans.plan import PlanState
from tests.planner.execution.execution_world import execution_world, writing
from tests.support.repositories import make_repository


def test_links_name_what_lies_below_the_top_folder() -> None:
    assert link_paths(["node_modules/", ".venv", "js/node_modules", ".venv"]) == (
        "node_modules",
        ".venv",
        "js/node_modules",
    )


@pytest.mark.parametrize(
    "name", ["/etc", "..", "a/../../b", "", ".git", "sub/.git/hooks", ".", "a\\b"]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidParams, match="worktree_links"):
        link_paths([name])


async def test_a_worktree_gets_links_to_what_git_ignores_and_its_commit_does_not(
    tmp_path: Path,
) -> None:
    files = {"a.py": "a = 1\n", ".gitignore": "node_modules/\n.venv\n", "b.py": "b = 1\n"}
    async with execution_world(tmp_path, files) as world:
        world.folder.write("node_modules/x/index.js", "x\n")
        world.folder.write(".venv/pyvenv.cfg", "home = /usr\n")
        links = link_paths(["node_modules", ".venv", "absent", "a.py"])
        world.preparation.append(Preparation(links))
        seen: list[str] = []

        def looking(root: Path) -> str:
            seen.extend(
                name for name in ("node_modules", ".venv", "a.py") if (root / name).is_symlink()
            )
            assert (root / "node_modules" / "x" / "index.js").read_text(encoding="utf-8") == "x\n"
            (root / "b.py").write_text("b = 2\n", encoding="utf-8")
            return "done"

        world.agents.deeds = {"a": [looking]}
        plan = await world.run({"a": []})
        assert plan.state is PlanState.COMPLETED
        assert seen == ["node_modules", ".venv"]
        names = world.folder.git("ls-tree", "-r", "--name-only", plan.branch).split()
        assert names == [".gitignore", "a.py", "b.py"]
        assert (world.folder.root / "node_modules" / "x" / "index.js").exists()


async def test_a_command_that_fails_fails_the_task_with_its_output(tmp_path: Path) -> None:
    made = make_repository(tmp_path / "r", {"a.py": "x\n"})
    worktree = await discover(made.root)
    await set_up(worktree, "touch made.txt", os.environ)
    assert (made.root / "made.txt").exists()
    with pytest.raises(NotReady, match=r"cat no-such-file.*No such file"):
        await set_up(worktree, "cat no-such-file", {**os.environ, "LC_ALL": "C"})


async def test_what_the_worktree_has_stays(tmp_path: Path) -> None:
    user = await discover(make_repository(tmp_path / "u", {"a.py": "x\n"}).root)
    task = await discover(make_repository(tmp_path / "t", {"a.py": "y\n"}).root)
    assert await link(user, task, ("a.py", "gone")) == ()


async def test_the_setup_of_another_time_is_not_run(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        world.agents.deeds = {"a": [writing({"a.py": "a = 2\n"})]}
        plan = await world.planned({"a": []})
        world.preparation.append(Preparation(setup="touch one.txt", environ=os.environ))
        plan = await world.runner.run(plan, "scripted", "touch one.txt")
        world.preparation.append(Preparation(setup="touch two.txt", environ=os.environ))
        plan = await world.runner.ended(plan)
        assert plan.state is PlanState.FAILED
        assert "was changed since" in plan.task("a").reason
