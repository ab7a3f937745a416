"""Which methods of a plain object are on the wire, and how they are run.

Public functions of the object's class are: plain ones, coroutines, static ones, inherited ones, all
under one name. Names that begin with `_`, properties, class methods and attributes of the object
are not. A coroutine runs on the event loop, and so does what only computes; anything else in a
thread, so that none holds up the others.
"""

import functools
import inspect
import logging
from collections.abc import Awaitable, Iterator, Mapping
from types import FunctionType
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.jrpc_oo.pure_methods import calls_nothing
from jupyter_ac.jrpc_oo.threads import Threads, WorkDuration
from jupyter_ac.rpc.methods import Access, Handler, Method

_logger = logging.getLogger(__name__)

TEXT_LIMIT: Final = 2000


def exposed(instance: object, name: str, threads: Threads) -> Iterator[Method]:
    """Give the methods of an object as `name.method`."""
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
                _served(full_name, bound, threads),
                Access.EXECUTE,
                inspect.signature(bound),
                inspect.getdoc(bound) or "",
            )
        except ValueError as error:
            _logger.warning("not served: %s", error)


def _is_method(static: object) -> bool:
    function = static.__func__ if isinstance(static, staticmethod) else static
    return isinstance(function, FunctionType)


def _served(name: str, bound: Handler, threads: Threads) -> Handler:
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
            # `sys.exit()` in a method, an argument parser's for one, must not end the program.
            raise _failure(name, error) from error
        return found

    return served


def _run(name: str, bound: Handler, args: tuple[object, ...]) -> object:
    # Shaped here and not on the loop: neither a StopIteration nor a SystemExit would ever get out
    # of the thread, and the call would never be answered.
    try:
        return bound(*args)
    except BaseException as error:
        raise _failure(name, error) from error


def _failure(name: str, error: BaseException) -> AcError:
    """Shape what a method raised: the caller is told its text and its class."""
    if isinstance(error, AcError):
        return error
    _logger.warning("%s failed", name, exc_info=error)
    kind = type(error).__name__
    return AcError(str(error)[:TEXT_LIMIT] or kind, {"exception": kind})


class Getter:
    """A function put on an object that is served; told from the object's own by its class."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __call__(self) -> object:
        """Give what it was made for."""
        return self._value


def inject(instance: object, getters: Mapping[str, Getter]) -> None:
    """Put functions on an object, as far as it has none of that name and can hold them."""
    for name, getter in getters.items():
        if not isinstance(getattr(instance, name, getter), Getter):
            _logger.info("%s has a %s of its own, which stays", type(instance).__name__, name)
            continue
        try:
            setattr(instance, name, getter)
        except (AttributeError, TypeError):
            _logger.debug("%s cannot be given a %s", type(instance).__name__, name)
