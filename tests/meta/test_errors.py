"""Each error that can go on the wire has a type of its own; `internal` is for mistakes of ours."""

import ast
from collections.abc import Iterator

from tests.meta.sources import product

EXCEPT = ("jupyter_ac/hosts/cli", "jupyter_ac/hosts/kernel", "jupyter_ac/jrpc_oo")
"""Whose errors are shown in a terminal or a cell, or come from somebody else's objects."""


def plain_errors(tree: ast.Module) -> Iterator[int]:
    """Lines that make an error of the base class, whose type is `internal`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_base_class(node.func):
            yield node.lineno


def _is_base_class(called: ast.expr) -> bool:
    return isinstance(called, ast.Name) and called.id == "AcError"


def test_no_error_for_the_wire_is_without_a_type() -> None:
    found = [
        f"{source.name}:{line}"
        for source in product()
        if not source.name.startswith(EXCEPT)
        for line in plain_errors(source.tree)
    ]
    assert found == []
