"""`@component`: a function whose result is shown, and run again when its state changes."""

import inspect
from collections.abc import Callable, Mapping
from typing import overload

from jupyter_ac.errors import PanelError
from jupyter_ac.panels.elements import ComponentElement, Key, checked_key


class Component:
    """A component; a call returns an element that stands for it.

    Args:
        function: takes the arguments of the call; returns a child as of an element. It may use
            hooks, and must not change anything outside of it.
        is_memo: it need not run again while its arguments are unchanged.

    Attributes:
        name: of the function.
        is_memo: as given.
    """

    def __init__(self, function: Callable[..., object], *, is_memo: bool = False) -> None:
        self.name: str = getattr(function, "__qualname__", type(function).__name__)
        self.is_memo = is_memo
        self._function = function
        self.__doc__ = function.__doc__

    def __call__(self, *args: object, key: Key | None = None, **kwargs: object) -> ComponentElement:
        """Return an element; the function runs when that is rendered."""
        return ComponentElement(self, args, kwargs, checked_key(key))

    def __repr__(self) -> str:
        return f"<component {self.name}>"

    def run(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Return what the function returns.

        Raises:
            PanelError: it is a coroutine.
        """
        result = self._function(*args, **kwargs)
        if inspect.iscoroutine(result):
            result.close()
            raise PanelError(
                f"{self.name} is async; a component returns at once. Wait in an effect or in a "
                "handler."
            )
        return result


@overload
def component(function: Callable[..., object], /) -> Component: ...


@overload
def component(*, memo: bool = False) -> Callable[[Callable[..., object]], Component]: ...


def component(
    function: Callable[..., object] | None = None, /, *, memo: bool = False
) -> Component | Callable[[Callable[..., object]], Component]:
    """Make a component of a function.

    Args:
        function: see `Component`.
        memo: it doesn't run again when its parent does, unless its arguments have changed. Lists
            and dicts are compared by their content.
    """
    if function is not None:
        return Component(function)
    return lambda decorated: Component(decorated, is_memo=memo)
