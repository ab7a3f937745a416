import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import ProviderBadRequest, TimedOut, UnreadableAnswer
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.plans.plan import PlanLimits, PlanState
from jupyter_ac.planner.plans.plan_prompt import PlanQuestion
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from tests.planner.plans.planned import ADA
from tests.planner.plans.planning_model import PlanningModel, answer_of, gateway_of
from tests.support.exclusions import none_excluded
from tests.support.repositories import make_repository

QUESTION = PlanQuestion("make it", PlanLimits(max_tasks=3))
CYCLE = answer_of(("a", ["b"]), ("b", ["a"]))
SOUND = answer_of(("a", []), ("b", ["a"]))


async def writer_in(folder: Path, model: PlanningModel, *, demo: bool = False) -> PlanWriter:
    root = make_repository(folder / "r", {"src/a.py": "x\n", ".gitignore": "secret\n"}).root
    (root / "secret").write_text("x", encoding="utf-8")
    return PlanWriter(gateway_of(model, demo=demo), await discover(root), none_excluded)


async def test_a_plan_is_made_by_one_request(tmp_path: Path) -> None:
    model = PlanningModel(SOUND)
    plan = await (await writer_in(tmp_path, model)).write(QUESTION, ADA)
    assert [task.task_id for task in plan.tasks] == ["a", "b"]
    assert (plan.state, plan.request, plan.identity) == (PlanState.DRAFT, "make it", ADA)
    assert "src/a.py" in model.asked[0]
    assert '"secret"' not in model.asked[0]
    assert [result.usage.cost_usd for result in model.counted] == [0.25]


async def test_excluded_files_are_not_named(tmp_path: Path) -> None:
    files = ["src/a.py", "vault/b.py", "c.md"]
    folder = make_repository(tmp_path / "r", dict.fromkeys(files, "x\n"))
    repository = await discover(folder.root)
    lists = [("vault", "c.md"), ("src/a.py",)]

    async def excluded() -> ExcludedPaths:
        return ExcludedPaths(tuple(map(RepoPath, lists[len(model.asked)])))

    model = PlanningModel(SOUND, SOUND)
    writer = PlanWriter(gateway_of(model), repository, excluded)
    await writer.write(QUESTION, ADA)
    await writer.write(QUESTION, ADA)
    named = [[name for name in files if name in text] for text in model.asked]
    assert named == [["src/a.py"], ["vault/b.py", "c.md"]]
    assert "files_left_out" not in model.asked[0]


async def test_a_faulty_answer_is_repaired_once(tmp_path: Path) -> None:
    model = PlanningModel(CYCLE, SOUND)
    plan = await (await writer_in(tmp_path, model)).write(QUESTION, ADA)
    assert len(plan.tasks) == 2
    assert "form a cycle" in model.asked[1]
    assert len(model.counted) == 2


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ((CYCLE, CYCLE), "cycle"),
        (("no", answer_of(*((f"t{n}", []) for n in range(4)))), "at most 3"),
        (("{}", answer_of(("a", ["z"]))), "no task"),
    ],
)
async def test_a_second_faulty_answer_is_an_error(
    tmp_path: Path, answers: tuple[str, ...], words: str
) -> None:
    model = PlanningModel(*answers)
    with pytest.raises(UnreadableAnswer, match=words):
        await (await writer_in(tmp_path, model)).write(QUESTION, ADA)
    assert len(model.counted) == 2


async def test_a_cut_answer_is_said(tmp_path: Path) -> None:
    model = PlanningModel("{", "{", finish_reason="length")
    with pytest.raises(UnreadableAnswer, match="cut"):
        await (await writer_in(tmp_path, model)).write(QUESTION, ADA)


async def test_the_time_limit_is_kept(tmp_path: Path) -> None:
    model = PlanningModel()
    model.hangs = True
    writer = await writer_in(tmp_path, model)
    limits = PlanLimits(time_limit_s=0.5)
    async with asyncio.timeout(60):
        with pytest.raises(TimedOut, match="time_limit_seconds"):
            await writer.write(PlanQuestion("make it", limits), ADA)


async def test_the_embedded_model_makes_no_plans(tmp_path: Path) -> None:
    model = PlanningModel(SOUND)
    with pytest.raises(ProviderBadRequest, match="too small"):
        await (await writer_in(tmp_path, model, demo=True)).write(QUESTION, ADA)
    assert model.asked == []
