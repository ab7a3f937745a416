"""Plans as the rows that are sent."""

from collections.abc import Collection

from jupyter_ac.planner.plans.plan import Plan, Task, TaskOutcome
from jupyter_ac.planner_rows import PlanRow, PlanUpdate, TaskConflict, TaskOutput, TaskRow


def plan_row(plan: Plan) -> PlanRow:
    """Return the row of a plan."""
    return PlanRow(
        id=plan.plan_id,
        status=plan.state.value,
        revision=plan.revision,
        reason=plan.reason,
        user_request=plan.request,
        tasks=[task_row(task) for task in plan.tasks],
        estimated_time_seconds=plan.estimated_s,
        explanation=plan.explanation,
        concurrency=plan.limits.concurrency,
        branch=plan.branch,
        executor=plan.executor,
        can_apply=plan.can_apply,
        applied_files=applied_files(plan),
        created_ms=plan.created_ms,
        updated_ms=plan.updated_ms,
    )


def task_row(task: Task) -> TaskRow:
    """Return the row of a task."""
    row = TaskRow(
        id=task.task_id,
        type=task.type.value,
        description=task.description,
        dependencies=list(task.dependencies),
        priority=task.priority,
        needs_all=task.needs_all,
        status=task.state.value,
        attempts=task.attempts,
        reason=task.reason,
    )
    if task.outcome is not None:
        row["output"] = output_row(task.outcome)
    return row


def output_row(outcome: TaskOutcome) -> TaskOutput:
    """Return the row of what came out of a task."""
    return TaskOutput(
        explanation=outcome.explanation,
        files_modified=list(outcome.files_modified),
        files_created=list(outcome.files_created),
        files_deleted=list(outcome.files_deleted),
        tokens_used=outcome.tokens_used,
        cost_usd=outcome.cost_usd,
        model=outcome.model,
        conflicts=[TaskConflict(path=one.path, text=one.text) for one in outcome.conflicts],
    )


def applied_files(plan: Plan) -> list[str]:
    """Return the files that were changed when a plan was applied last."""
    return list(plan.applied.files) if plan.applied is not None else []


def plan_update(plan: Plan, changed: Collection[str]) -> PlanUpdate:
    """Return the row of a change.

    Args:
        plan: after it.
        changed: ids of the tasks that differ.
    """
    return PlanUpdate(
        plan_id=plan.plan_id,
        revision=plan.revision,
        status=plan.state.value,
        reason=plan.reason,
        can_apply=plan.can_apply,
        applied_files=applied_files(plan),
        tasks=[task_row(task) for task in plan.tasks if task.task_id in changed],
        task_ids=[task.task_id for task in plan.tasks],
    )
