"""The methods of the planner under their names: `Planner.*`, and those of seed 004."""

from typing import Final

from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import CodeValidator
from jupyter_ac.rpc.methods import Handler, NamedMethods, Namespace
from jupyter_ac.services.planner.code_checks import ValidationMethods
from jupyter_ac.services.planner.context_updates import SharedContextMethods
from jupyter_ac.services.subscribers import Subscribers

NAMESPACE: Final = "Planner"


def planner_methods(
    validator: CodeValidator, contexts: SharedContextStore, subscribers: Subscribers
) -> tuple[Namespace, NamedMethods]:
    """List the methods of a workspace's planner.

    They are refused where a host asks for no token: plans execute commands.

    Args:
        validator: checks code.
        contexts: of people.
        subscribers: the pages.
    """
    checks, context = ValidationMethods(validator), SharedContextMethods(contexts, subscribers)
    seed: dict[str, Handler] = {
        "validate_code": checks.validate_code,
        "update_context": context.update_context,
        "get_context": context.get_context,
    }
    return (
        Namespace(NAMESPACE, checks, context, needs_login=True),
        NamedMethods(seed, lambda name: f"{NAMESPACE}.{name}", needs_login=True),
    )
