"""What a task's agent is told. Pure."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.planner.plans.plan import FileConflict, Plan, Task

MAX_OUTPUT: Final = 4_000
"""Characters of what another task has said."""

_RULES: Final = """\
You carry out one task of a plan. You work in a copy of the repository that belongs to this task \
alone; its result is merged with those of the other tasks. Change only what the task needs. When \
it is done, say in a few sentences what you did and why; nobody answers questions, so decide \
yourself."""

_CHECKED: Final = "The files that you have changed were checked, without running them:"

_CONFLICT: Final = """\
An earlier attempt could not be merged: other tasks have changed the same lines. Their changes are \
in your copy now. Do the task again on top of them, so that both have what they want. This is how \
the files looked with both changes ("plan" is theirs, "task" was yours):"""

_NOT_TOLD: Final = "It isn't told, since it names files of which the user has nothing sent."


def opening_prompt(plan: Plan, task: Task, excluded: ExcludedPaths) -> str:
    """Return what the agent of a task is told first.

    Args:
        plan: with the outcomes of the tasks that this one depends on.
        task: with the reason and the outcome of its last attempt, if there was one.
        excluded: files that earlier attempts and other tasks may have changed, and that aren't
            named or shown.
    """
    parts = [_RULES]
    if len(plan.tasks) > 1:
        parts.append(f"The whole plan is about:\n{plan.request}")
    parts.append(f"Your task ({task.type.value.replace('_', ' ')}):\n{task.description}")
    parts += _of_dependencies(plan, task, excluded)
    if task.outcome is not None and task.outcome.conflicts:
        parts += [_CONFLICT, *_shown(task.outcome.conflicts, excluded)]
    if task.attempts and task.reason:
        reason = _NOT_TOLD if excluded.mentioned_in(task.reason) else task.reason
        parts.append(f"About the attempt before:\n{reason}")
    return "\n\n".join(parts)


def repair_prompt(problems: Sequence[str], excluded: ExcludedPaths) -> str:
    """Return what the agent is told when what it wrote can't be used.

    Args:
        problems: that the checks have found, a line each.
        excluded: files whose problems aren't told.
    """
    told = (_NOT_TOLD if excluded.mentioned_in(problem) else problem for problem in problems)
    listed = "\n".join(f"- {problem}" for problem in dict.fromkeys(told))
    return (
        f"The files that you have changed were checked, without running them:\n{listed}\n\nMend it."
    )


def _shown(conflicts: Sequence[FileConflict], excluded: ExcludedPaths) -> list[str]:
    told = (
        _NOT_TOLD if excluded.covers(one.path) else f"{one.path}:\n{one.text}" for one in conflicts
    )
    return list(dict.fromkeys(told))


def _of_dependencies(plan: Plan, task: Task, excluded: ExcludedPaths) -> list[str]:
    parts: list[str] = []
    for name in task.dependencies:
        outcome = plan.task(name).outcome
        if outcome is None:
            continue
        said = outcome.explanation[:MAX_OUTPUT]
        paths = (*outcome.files_modified, *outcome.files_created)
        files = ", ".join(path for path in paths if not excluded.covers(path))
        changed = f"\nFiles that it changed: {files}" if files else ""
        parts.append(f"What the task {name} says, which is done:\n{said}{changed}")
    return parts
