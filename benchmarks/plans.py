"""What a plan of a hundred tasks takes beside the best schedule of its answers.

Each task is one answer of a scripted model that takes two seconds and has one edit; four run at the
same time. The best possible is a quarter of all answers' time. Worktrees, checkpoints, checks and
merges are on top of that.
"""

import asyncio
import json
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

from benchmarks.figure import reported, within
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.projects import make_project
from benchmarks.host.provider import provider
from jupyter_ac.planner_rows import PlanRow, PlanUpdate
from tests.chat.edited import edit
from tests.support.pages import Page

TASKS: Final = 100
CONCURRENCY: Final = 4
ANSWER_S: Final = 2.0
CHUNK_S: Final = 0.05
FILES: Final = 200
LIMIT_S: Final = 900.0
MODEL: Final = "openai/gpt-4o"
MOST_RATIO: Final = 1.15
ENDED: Final = frozenset({"completed", "failed", "paused", "cancelled"})
EVENTS: Final = ("planUpdated", "startupProgress")


def task(number: int) -> dict[str, object]:
    """A task whose answer creates one file, and is as long as the model takes."""
    block = edit(f"made/{number}.txt", "", f"{number}\n")
    chunks = round(ANSWER_S / CHUNK_S) - len(block) // 7 - 4
    words = "filler " * max(0, chunks)
    return {
        "id": f"t{number}",
        "type": "code_generation",
        "description": f"Make it.\n=====\n{words}\n{block}\nDone.\n",
        "dependencies": [],
        "priority": 1,
    }


async def ended_plan(page: Page, plan_id: str) -> PlanRow:
    """Return a plan when it runs no longer; like a page, it follows the updates."""
    while True:
        (update,) = await page.event("planUpdated", LIMIT_S)
        if cast("PlanUpdate", update)["status"] in ENDED:
            return cast("PlanRow", await page.call("Planner.get_plan", plan_id))


async def main() -> None:
    """Run one plan."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        model = stack.enter_context(provider(folder))
        make_project(folder / "root" / "garden", FILES, 1)
        tasks = [task(number) for number in range(TASKS)]
        plan = json.dumps({"tasks": tasks[:1]})
        with jupyter_server(folder / "root") as server:
            at = f"{model.api_base.removesuffix('/v1')}/as/scripted-tools@{CHUNK_S}/v1"
            server.use_model(MODEL, f"{model.api_base.removesuffix('/v1')}/as/scripted-tools/v1")
            async with server.page("garden", EVENTS) as page:
                await page.ready()
                made = await page.call(
                    "Planner.create_plan",
                    f"Make files.\n=====\n{plan}",
                    {},
                    {"max_tasks": TASKS, "concurrency": CONCURRENCY},
                )
                assert isinstance(made, dict)
                plan_id = made["plan"]["id"]
                for one in tasks[1:]:
                    name = one.pop("id")
                    await page.call("Planner.update_task", plan_id, name, one)
                server.use_model(MODEL, at)
                began = time.monotonic()
                await page.call("Planner.run_plan", plan_id)
                row = await ended_plan(page, plan_id)
                took = time.monotonic() - began
                assert row["status"] == "completed", row["reason"]
        answers = [
            float(str(each["t_closed"])) - float(str(each["t_open"]))
            for each in (await model.rows())[1:]
        ]
    best = sum(answers) / CONCURRENCY
    rival = ("the best schedule of its answers", [best])
    within(f"plan of {TASKS} tasks, {CONCURRENCY} at a time", [took], "s", rival, MOST_RATIO).emit()
    reported("answers of the model", answers, "s").emit()


if __name__ == "__main__":
    asyncio.run(main())
