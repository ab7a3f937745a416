"""Exposes the methods of a plain object as remote methods.

Exposed are the public functions of the object's class: plain functions, coroutines, static and
inherited ones, all under one name. Not exposed are names that begin with `_`, properties, class
methods and attributes of the object. A coroutine runs on the event loop, and so does a function
that only computes; any other runs in a thread, so that none blocks the others.
"""

import dis
import functools
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import FunctionType
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.jrpc_oo.threads import Threads, WorkDuration
from jupyter_ac.rpc.methods import Access, Handler, Method

_STEPS: Final = frozenset(
    {
        *("RESUME", "NOP", "COPY", "SWAP", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"),
        *("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_FAST", "LOAD_FAST_LOAD_FAST"),
        *("LOAD_FAST_BORROW", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"),
        *("BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "UNARY_NOT", "UNARY_NEGATIVE"),
        *("BUILD_LIST", "BUILD_TUPLE", "BUILD_MAP", "BUILD_CONST_KEY_MAP"),
    }
)
"""Instructions of CPython 3.11 to 3.14 without a possible call; any other counts as a call."""

_logger = logging.getLogger(__name__)
TEXT_LIMIT: Final = 2000


def exposed_methods(instance: object, name: str, threads: Threads) -> Iterator[Method]:
    """Yield the exposed methods of an object as `name.method`."""
    for found in dir(type(instance)):
        if found.startswith("_") or not _is_method(inspect.getattr_static(type(instance), found)):
            continue
        bound = getattr(instance, found)
        if not callable(bound):
            continue  # an attribute of the object hides the method
        full_name = f"{name}.{found}"
        try:
            yield Method(
                full_name,
                _make_handler(full_name, bound, threads),
                Access.EXECUTE,
                inspect.signature(bound),
                inspect.getdoc(bound) or "",
            )
        except ValueError as error:
            _logger.warning("not served: %s", error)


def _is_method(static: object) -> bool:
    function = static.__func__ if isinstance(static, staticmethod) else static
    return isinstance(function, FunctionType)


def _make_handler(name: str, bound: Handler, threads: Threads) -> Handler:
    is_async = inspect.iscoroutinefunction(bound)
    needs_thread = not is_async and not calls_nothing(bound)
    pace = WorkDuration()

    @functools.wraps(bound)
    async def served(*args: object) -> object:
        if is_async:
            result = bound(*args)
        elif needs_thread:
            result = await threads.run(functools.partial(_run, name, bound, args), pace)
        else:
            result = _run(name, bound, args)
        if not isinstance(result, Awaitable):
            return result
        try:
            found: object = await result
        except (Exception, SystemExit) as error:
            # `sys.exit()` in a method, for example by an argument parser, must not end the program.
            raise _failure(name, error) from error
        return found

    return served


def _run(name: str, bound: Handler, args: tuple[object, ...]) -> object:
    # Converted here and not on the loop: a StopIteration or SystemExit would never leave the
    # thread, and the call would never be answered.
    try:
        return bound(*args)
    except BaseException as error:
        raise _failure(name, error) from error


def _failure(name: str, error: BaseException) -> AcError:
    """Convert an exception of a method: the caller gets its text and its class name."""
    if isinstance(error, AcError):
        return error
    _logger.warning("%s failed", name, exc_info=error)
    kind = type(error).__name__
    return AcError(str(error)[:TEXT_LIMIT] or kind, {"exception": kind})


class Getter:
    """A function added to an exposed object; its class distinguishes it from the object's own."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __call__(self) -> object:
        """Return its value."""
        return self._value


def inject(instance: object, getters: Mapping[str, Getter]) -> None:
    """Add functions to an object, unless it has its own of that name or can't hold attributes."""
    for name, getter in getters.items():
        if not isinstance(getattr(instance, name, getter), Getter):
            _logger.info("%s has a %s of its own, which stays", type(instance).__name__, name)
            continue
        try:
            setattr(instance, name, getter)
        except (AttributeError, TypeError):
            _logger.debug("%s cannot be given a %s", type(instance).__name__, name)


def calls_nothing(method: Callable[..., object]) -> bool:
    """Return whether a method only computes, without calls and without using its object."""
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
    """Return the variables named by an instruction: one or two."""
    return set(value) if isinstance(value, tuple) else {value} if isinstance(value, str) else set()
