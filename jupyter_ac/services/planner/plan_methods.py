"""The methods on plans."""

from typing import Final, TypedDict

from jupyter_ac.errors import InvalidParams
from jupyter_ac.planner.execution.plan_runner import PlanRunner
from jupyter_ac.planner.plans.plan import MAX_CONCURRENCY, PlanLimits
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.planner.plans.plan_editing import edited
from jupyter_ac.planner.plans.plan_prompt import PlanQuestion
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_wire import plan_row
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.plans.task_checks import MAX_TASKS
from jupyter_ac.planner.shared_context import SharedContext
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner_rows import PlanRow
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, CallRules, method

MAX_REQUEST: Final = 100_000
MAX_LISTED: Final = 200

_DEFAULT: Final = PlanLimits()
_MAX_TIME_S: Final = 24 * 3600.0


class CreatedPlan(TypedDict):
    """A plan that was made."""

    plan: PlanRow


class PlanList(TypedDict):
    """Plans, the newest first."""

    plans: list[PlanRow]


class PlanMethods:
    """Makes and edits plans.

    Args:
        registry: keeps them.
        runner: puts those in order whose host has ended.
        writer: makes them.
        contexts: what planners share.
    """

    def __init__(
        self,
        registry: PlanRegistry,
        runner: PlanRunner,
        writer: PlanWriter,
        contexts: SharedContextStore,
    ) -> None:
        self._registry, self._runner = registry, runner
        self._writer = writer
        self._contexts = contexts

    @method(Access.WRITE, rules=CallRules(is_billed=True, time_limit_s=_DEFAULT.time_limit_s))
    async def create_plan(
        self,
        user_request: str,
        current_state: dict[str, object] | None = None,
        constraints: dict[str, object] | None = None,
    ) -> CreatedPlan:
        """Have the model split a request into tasks; the plan then waits for approval.

        `current_state` is any JSON about the work so far. `constraints` may have `max_tasks` (1 to
        100, 10 without it), `time_limit_seconds` (300) and `concurrency` (1 to 8, 2).
        """
        identity = current_caller().identity
        if not user_request.strip() or len(user_request) > MAX_REQUEST:
            raise InvalidParams(
                f"user_request must have 1 to {MAX_REQUEST:,} characters.",
                {"path": "$.user_request"},
            )
        limits = _limits(constraints or {})
        context = _context(await self._contexts.get(identity))
        question = PlanQuestion(user_request, limits, current_state or {}, context)
        draft = await self._writer.write(question, identity)
        plan = await self._registry.create(draft, [PlanMoved("propose")])
        return CreatedPlan(plan=plan_row(plan))

    @method(Access.READ)
    async def get_plan(self, plan_id: str) -> PlanRow:
        """Return a plan with its tasks."""
        return plan_row(
            await self._runner.mended(await self._registry.get(plan_id, current_caller().identity))
        )

    @method(Access.READ)
    async def list_plans(self, limit: int = 20) -> PlanList:
        """Return the caller's plans, the newest first."""
        if not 1 <= limit <= MAX_LISTED:
            raise InvalidParams(f"limit must be from 1 to {MAX_LISTED}.", {"path": "$.limit"})
        found = await self._registry.newest(current_caller().identity, limit)
        return PlanList(plans=[plan_row(await self._runner.mended(plan)) for plan in found])

    @method(Access.WRITE)
    async def update_task(
        self, plan_id: str, task_id: str, changes: dict[str, object] | None = None
    ) -> PlanRow:
        """Edit a task of a plan that doesn't run yet, add one, or take one away; or skip one.

        `changes` replaces `type`, `description`, `dependencies`, `priority` and `needs_all`; with a
        new `task_id` they make a task; null takes the task away. `{"status": "skipped"}` skips it.
        """
        identity = current_caller().identity
        plan = await self._registry.change(
            plan_id, identity, lambda plan: edited(plan, task_id, changes)
        )
        return plan_row(plan)


def _limits(constraints: dict[str, object]) -> PlanLimits:
    return PlanLimits(
        int(_number(constraints, "max_tasks", _DEFAULT.max_tasks, MAX_TASKS)),
        _number(constraints, "time_limit_seconds", _DEFAULT.time_limit_s, _MAX_TIME_S),
        int(_number(constraints, "concurrency", _DEFAULT.concurrency, MAX_CONCURRENCY)),
    )


def _number(constraints: dict[str, object], name: str, default: float, most: float) -> float:
    """Return a limit; those that count things are whole."""
    found = constraints.get(name, default)
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    is_fit = isinstance(found, int) or name == "time_limit_seconds"
    if is_number and is_fit and isinstance(found, int | float) and 0 < found <= most:
        return found
    raise InvalidParams(
        f"constraints.{name} must be a number above 0, and at most {most:g}.",
        {"path": f"$.constraints.{name}"},
    )


def _context(shared: SharedContext) -> dict[str, object]:
    """Return what the model is told of the shared context: no hashes."""
    return {
        "files": sorted(shared.files),
        "dependencies": dict(shared.dependencies),
        "state": dict(shared.state),
    }
