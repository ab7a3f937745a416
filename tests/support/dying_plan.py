"""A process that is killed while it carries out a plan: `python -m tests.support.dying_plan`.

Reads a folder and a number a line, as JSON. A child that is forked for it runs the plan in that
folder, and kills itself before the change of that number: a row of the journal, a command of git,
an object that is written without git, files of a worktree.
Says whether the child came to its end.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, ParamSpec, TypeVar
from unittest.mock import patch

from jupyter_ac.errors import NotFound
from jupyter_ac.git import runner
from jupyter_ac.git.checkpoints.object_folder import ObjectFolder
from jupyter_ac.planner.plans.plan import Plan, PlanState
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from jupyter_ac.planner.worktrees import task_worktrees
from tests.planner.execution.execution_world import PLAN, ExecutionWorld, execution_world, writing
from tests.planner.plans.planned import ADA

TASKS: Final = {"a": [], "b": [], "c": ["a", "b"]}

P = ParamSpec("P")
R = TypeVar("R")


async def finished(world: ExecutionWorld) -> Plan:
    """Carry the plan out from wherever it stands."""
    world.agents.deeds = {
        "a": [writing({"a.py": "a = 2\n"}, "A is two.")],
        "b": [writing({"sub/b.py": "b = 2\n"})],
        "c": [writing({"b.py": None})],
    }
    try:
        plan = await world.runner.mended(await world.registry.get(PLAN, ADA))
    except NotFound:
        plan = await world.planned(TASKS)
    if plan.state is PlanState.AWAITING_APPROVAL:
        plan = await world.runner.run(plan, "scripted")
    elif plan.state is PlanState.PAUSED:
        plan = await world.runner.resume(plan)
    return await world.runner.ended(plan)


class Countdown:
    """Ends the process before a change."""

    def __init__(self, left: int) -> None:
        self._left = left

    def before(self, function: Callable[P, R]) -> Callable[P, R]:
        def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self._left -= 1
            return function(*args, **kwargs)

        return counted


async def carry_out(folder: Path, last: int) -> None:
    countdown = Countdown(last)
    async with execution_world(folder) as world:
        changes = (
            (PlanJournal, "append"),
            (runner, "_run"),
            (ObjectFolder, "_write"),
            (task_worktrees, "_write"),
        )
        with ExitStack() as stack:
            for owner, name in changes:
                changing = countdown.before(vars(owner)[name])
                stack.enter_context(patch.object(owner, name, changing))
            await finished(world)


def run_and_die(folder: Path, last: int) -> bool:
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(carry_out(folder, last))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return not os.WIFSIGNALED(status)


def main() -> None:
    for line in sys.stdin:
        folder, last = json.loads(line)
        sys.stdout.write(json.dumps(run_and_die(Path(folder), last)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
