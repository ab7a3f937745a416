"""Plain methods that need no thread: they compute from their arguments and call nothing.

Arguments from the wire are numbers, texts, lists and maps, whose operators are the interpreter's
own: such a method can't wait for anything, and in a thread it would hold up the loop no less.
"""

import dis
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Final

_STEPS: Final = frozenset(
    {
        *("RESUME", "NOP", "COPY", "SWAP", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"),
        *("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_FAST", "LOAD_FAST_LOAD_FAST"),
        *("LOAD_FAST_BORROW", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"),
        *("BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "UNARY_NOT", "UNARY_NEGATIVE"),
        *("BUILD_LIST", "BUILD_TUPLE", "BUILD_MAP", "BUILD_CONST_KEY_MAP"),
    }
)
"""Instructions that CPython 3.11 to 3.14 do by themselves; others are taken for a call."""


def calls_nothing(method: Callable[..., object]) -> bool:
    """Tell whether a method's instructions only compute, without the object that it belongs to."""
    function = method.__func__ if inspect.ismethod(method) else method
    if not isinstance(function, FunctionType) or inspect.isgeneratorfunction(function):
        return False
    code = function.__code__
    own = code.co_varnames[:1] if inspect.ismethod(method) else ()
    return all(
        step.opname in _STEPS and not _names(step.argval).intersection(own)
        for step in dis.get_instructions(code)
    )


def _names(value: object) -> set[object]:
    """Give the variables that an instruction names: one, or two at once."""
    return set(value) if isinstance(value, tuple) else {value} if isinstance(value, str) else set()
