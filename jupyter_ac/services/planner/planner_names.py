"""The methods of the planner under their names: `Planner.*`, and those of seed 004."""

from typing import Final

from jupyter_ac.planner.validation.validator import CodeValidator
from jupyter_ac.rpc.methods import Handler, NamedMethods, Namespace
from jupyter_ac.services.planner.code_checks import ValidationMethods

NAMESPACE: Final = "Planner"


def planner_methods(validator: CodeValidator) -> tuple[Namespace, NamedMethods]:
    """List the methods of a workspace's planner.

    They are refused where a host asks for no token: plans execute commands.

    Args:
        validator: checks code.
    """
    checks = ValidationMethods(validator)
    parts = (checks,)
    seed: dict[str, Handler] = {"validate_code": checks.validate_code}
    return (
        Namespace(NAMESPACE, *parts, needs_login=True),
        NamedMethods(seed, lambda name: f"{NAMESPACE}.{name}", needs_login=True),
    )
