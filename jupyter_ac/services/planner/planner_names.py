"""The methods of the planner under their names: `Planner.*`, and those of seed 004."""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import CodeValidator
from jupyter_ac.rpc.methods import Handler, NamedMethods, Namespace
from jupyter_ac.services.planner.code_checks import ValidationMethods
from jupyter_ac.services.planner.context_updates import SharedContextMethods
from jupyter_ac.services.planner.plan_methods import PlanMethods
from jupyter_ac.services.subscribers import Subscribers

NAMESPACE: Final = "Planner"


@dataclass(frozen=True, slots=True)
class PlannerPorts:
    """What the methods of the planner work with.

    Attributes:
        validator: checks code.
        contexts: that planners share.
        registry: of plans.
        writer: makes plans.
        subscribers: the pages.
    """

    validator: CodeValidator
    contexts: SharedContextStore
    registry: PlanRegistry
    writer: PlanWriter
    subscribers: Subscribers


def planner_methods(ports: PlannerPorts) -> tuple[Namespace, NamedMethods]:
    """List the methods of a workspace's planner.

    They are refused where a host asks for no token: plans execute commands.

    Args:
        ports: what they work with.
    """
    checks = ValidationMethods(ports.validator)
    context = SharedContextMethods(ports.contexts, ports.subscribers)
    plans = PlanMethods(ports.registry, ports.writer, ports.contexts)
    seed: dict[str, Handler] = {
        "validate_code": checks.validate_code,
        "update_context": context.update_context,
        "get_context": context.get_context,
        "create_plan": plans.create_plan,
        "get_plan": plans.get_plan,
        "list_plans": plans.list_plans,
        "update_task": plans.update_task,
        "cancel_plan": plans.cancel_plan,
    }
    return (
        Namespace(NAMESPACE, checks, context, plans, needs_login=True),
        NamedMethods(seed, lambda name: f"{NAMESPACE}.{name}", needs_login=True),
    )
