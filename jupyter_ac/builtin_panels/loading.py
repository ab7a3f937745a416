"""A hook that calls the server: the result, its error in words, and another try."""

from collections.abc import Callable
from dataclasses import dataclass

from jupyter_ac.errors import AcError
from jupyter_ac.panels import use_effect, use_services, use_state


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a call of the server has given so far.

    Attributes:
        value: the last result; None before the first.
        problem: why the last call has failed; "" if it hasn't.
        is_loading: a call is under way.
        ended: the number of calls that have ended.
        reload: calls again; the last result stays meanwhile.
    """

    value: object
    problem: str
    is_loading: bool
    ended: int
    reload: Callable[[], None]


def use_loaded(method: str, *args: object, after: object = None) -> Loaded:
    """Call a method of the server when the panel is shown, and when its arguments change.

    Args:
        method: its full name.
        args: JSON values.
        after: another value than before calls again.
    """
    services = use_services()
    value, set_value = use_state(_nothing)
    problem, set_problem = use_state("")
    is_loading, set_loading = use_state(initial=True)
    ended, set_ended = use_state(0)
    attempt, set_attempt = use_state(0)

    async def load() -> None:
        set_loading(True)
        try:
            result = await services.call(method, *args)
        except AcError as error:
            set_problem(error.message)
        else:
            set_value(lambda _: result)
            set_problem("")
        set_loading(False)
        set_ended(lambda last: last + 1)

    use_effect(load, (method, args, attempt, after))
    return Loaded(value, problem, is_loading, ended, lambda: set_attempt(lambda last: last + 1))


def _nothing() -> object:
    return None
