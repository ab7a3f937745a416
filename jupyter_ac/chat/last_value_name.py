"""Finds the name of the value that a cell shows: an output says nothing of where it comes from."""

import ast
import warnings


def last_value_name(source: str) -> str:
    """Return the name by which a cell's last expression takes its value; "" if it has none.

    Args:
        source: of a cell of Python; IPython's own syntax has no such name.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's code; they were shown when it ran
            last = ast.parse(source).body[-1:]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # IPython's own syntax; too deep
        return ""
    match last:
        case [ast.Expr(value=ast.Call(func=node))] | [ast.Expr(value=node)]:
            return _name_of(node)
        case _:
            return ""


def _name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
        case _:
            return ""
