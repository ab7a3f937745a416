"""Bringing a plan's branch into the user's files, and taking that back."""

from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_changes import ChangesApplied
from tests.planner.execution.execution_world import ExecutionWorld, execution_world, writing

LINES = "".join(f"line {number}\n" for number in range(20))


async def done_plan(world: ExecutionWorld) -> Plan:
    """A plan that has changed, made and removed a file."""
    world.agents.deeds = {
        "a": [
            writing(
                {
                    "a.py": LINES.replace("line 2\n", "line two\n"),
                    "new/x.py": "x = 1\n",
                    "b.py": None,
                }
            )
        ]
    }
    return await world.run({"a": []})


async def applied(world: ExecutionWorld, plan: Plan) -> Plan:
    made = await world.application.apply(plan)
    return await world.registry.change(
        plan.plan_id, plan.identity, lambda _: [ChangesApplied(made)]
    )


async def test_results_are_merged_into_what_the_user_has_done_since_and_staged(
    tmp_path: Path,
) -> None:
    async with execution_world(tmp_path, {"a.py": LINES, "b.py": "b\n", "c.py": "c\n"}) as world:
        plan = await done_plan(world)
        assert plan.can_apply
        mine = LINES.replace("line 15\n", "line fifteen\n")
        world.folder.write("a.py", mine)
        world.folder.write("c.py", "mine\n")
        before = world.folder.git("status", "--porcelain")
        plan = await applied(world, plan)
        assert not plan.can_apply
        assert plan.applied is not None
        assert plan.applied.files == ("a.py", "b.py", "new/x.py")
        assert sorted(world.changed) == ["a.py", "b.py", "new/x.py"]
        text = (world.folder.root / "a.py").read_text(encoding="utf-8")
        assert text == mine.replace("line 2\n", "line two\n")
        assert world.folder.git("status", "--porcelain").splitlines() == [
            "M  a.py",
            "D  b.py",
            " M c.py",
            "A  new/x.py",
        ]
        with pytest.raises(Conflict, match="applied already"):
            await world.application.apply(plan)
        (world.folder.root / "new" / "x.py").write_text("x = 'later'\n", encoding="utf-8")
        restored, kept = await world.application.undo(plan)
        assert restored == ("a.py", "b.py")
        assert [one.path for one in kept] == ["new/x.py"]
        assert (world.folder.root / "a.py").read_text(encoding="utf-8") == mine
        (world.folder.root / "new" / "x.py").unlink()
        world.folder.git("reset", "--quiet", "--", "new/x.py")
        assert world.folder.git("status", "--porcelain") == before


async def test_an_undo_gives_all_bytes_and_the_index_back(tmp_path: Path) -> None:
    async with execution_world(tmp_path, {"a.py": LINES, "b.py": "b\n"}) as world:
        plan = await done_plan(world)
        world.folder.write("c.py", "staged\n")
        world.folder.git("add", "c.py")
        before = world.folder.git("ls-files", "--stage"), world.folder.git("status", "--porcelain")
        plan = await applied(world, plan)
        assert not (world.folder.root / "b.py").exists()
        restored, kept = await world.application.undo(plan)
        assert (len(restored), list(kept)) == (3, [])
        assert not (world.folder.root / "new").exists()
        now = world.folder.git("ls-files", "--stage"), world.folder.git("status", "--porcelain")
        assert now == before
        assert (world.folder.root / "a.py").read_text(encoding="utf-8") == LINES


async def test_the_same_lines_are_a_conflict_and_nothing_is_changed(tmp_path: Path) -> None:
    async with execution_world(tmp_path, {"a.py": LINES, "b.py": "b\n"}) as world:
        plan = await done_plan(world)
        world.folder.write("a.py", LINES.replace("line 2\n", "line II\n"))
        before = world.folder.git("status", "--porcelain")
        with pytest.raises(Conflict, match=r"same lines of a\.py; nothing was changed") as raised:
            await world.application.apply(plan)
        assert "<<<<<<<" in str(raised.value.details["conflicts"])
        assert world.folder.git("status", "--porcelain") == before
        assert (world.folder.root / "b.py").exists()
        assert world.changed == []


async def test_an_ignored_file_in_the_place_of_a_new_one_stays(tmp_path: Path) -> None:
    async with execution_world(tmp_path, {"a.py": LINES, "b.py": "b\n"}) as world:
        plan = await done_plan(world)
        world.folder.write(".gitignore", "new/\n")
        world.folder.write("new/x.py", "secret\n")
        with pytest.raises(Conflict, match="nothing was changed"):
            await world.application.apply(plan)
        assert (world.folder.root / "new" / "x.py").read_text(encoding="utf-8") == "secret\n"
        assert (world.folder.root / "b.py").exists()
        assert (world.folder.root / "a.py").read_text(encoding="utf-8") == LINES


async def test_the_diff_is_of_the_plan_or_of_one_task(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        world.agents.deeds = {
            "x": [writing({"a.py": "a = 2\n"})],
            "y": [writing({"b.py": "b = 2\n"})],
        }
        plan = await world.planned({"x": [], "y": ["x"], "z": []})
        assert await world.application.diff(plan) == ""
        plan = await world.runner.ended(await world.runner.run(plan, "scripted"))
        whole = await world.application.diff(plan)
        assert "+a = 2" in whole
        assert "+b = 2" in whole
        one = await world.application.diff(plan, plan.task("y"))
        assert "+b = 2" in one
        assert "a.py" not in one
        assert await world.application.diff(plan, plan.task("z")) == ""
