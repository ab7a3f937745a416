"""The methods of the planner under their names: `Planner.*`, and those of seed 004."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.repository import Repository
from jupyter_ac.planner.execution.branch_application import BranchApplication
from jupyter_ac.planner.execution.plan_runner import PlanRunner
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import CodeValidator
from jupyter_ac.rpc.methods import Handler, NamedMethods, Namespace
from jupyter_ac.services.planner.code_checks import ValidationMethods
from jupyter_ac.services.planner.context_updates import SharedContextMethods
from jupyter_ac.services.planner.executor_listing import ExecutorMethods, ExecutorRow
from jupyter_ac.services.planner.plan_execution import PlanExecutionMethods
from jupyter_ac.services.planner.plan_methods import PlanMethods
from jupyter_ac.services.planner.task_execution import TaskExecutionMethods
from jupyter_ac.services.subscribers import Subscribers

NAMESPACE: Final = "Planner"


@dataclass(frozen=True, slots=True)
class PlannerPorts:
    """What the methods of the planner work with.

    Attributes:
        repository: as the user has it.
        validator: checks code.
        contexts: that planners share.
        registry: of plans.
        writer: makes plans.
        runner: runs them.
        application: brings their results into the user's files.
        executors: lists what carries them out.
        subscribers: the pages.
    """

    repository: Repository
    validator: CodeValidator
    contexts: SharedContextStore
    registry: PlanRegistry
    writer: PlanWriter
    runner: PlanRunner
    application: BranchApplication
    executors: Callable[[], Sequence[ExecutorRow]]
    subscribers: Subscribers


def planner_methods(ports: PlannerPorts) -> tuple[Namespace, NamedMethods]:
    """List the methods of a workspace's planner.

    They are refused where a host asks for no token: plans execute commands.

    Args:
        ports: what they work with.
    """
    checks = ValidationMethods(ports.validator)
    context = SharedContextMethods(ports.contexts, ports.subscribers)
    plans = PlanMethods(ports.registry, ports.runner, ports.writer, ports.contexts)
    execution = PlanExecutionMethods(ports.registry, ports.runner, ports.application)
    tasks = TaskExecutionMethods(ports.repository, ports.registry, ports.runner, ports.application)
    executors = ExecutorMethods(ports.executors)
    seed: dict[str, Handler] = {
        "validate_code": checks.validate_code,
        "update_context": context.update_context,
        "get_context": context.get_context,
        "create_plan": plans.create_plan,
        "get_plan": plans.get_plan,
        "list_plans": plans.list_plans,
        "update_task": plans.update_task,
        "run_plan": execution.run_plan,
        "pause_plan": execution.pause_plan,
        "resume_plan": execution.resume_plan,
        "cancel_plan": execution.cancel_plan,
        "retry_task": execution.retry_task,
        "cancel_task": execution.cancel_task,
        "execute_task": tasks.execute_task,
    }
    return (
        Namespace(NAMESPACE, checks, context, plans, execution, tasks, executors, needs_login=True),
        NamedMethods(seed, lambda name: f"{NAMESPACE}.{name}", needs_login=True),
    )
