"""Remote functions by name: `call["Class.method"](1, 2)`."""

from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping
from functools import partial
from typing import Concatenate, Generic, TypeAlias, TypeVar, overload

from jupyter_ac.errors import AcError, MethodNotFound
from jupyter_ac.rpc.dialect import LIST_COMPONENTS

Result = TypeVar("Result")
_Default = TypeVar("_Default")

Function: TypeAlias = Callable[..., Coroutine[None, None, Result]]
"""Calls one remote method; returns a coroutine."""

Run: TypeAlias = Callable[Concatenate[str, ...], Coroutine[None, None, Result]]
"""Calls the remote method named by its first argument."""


class Answers(dict[str, object]):
    """The remotes' answers, by uuid.

    Attributes:
        errors: errors of the remotes that didn't answer, by uuid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.errors: dict[str, AcError] = {}


class Functions(Mapping[str, Function[Result]], Generic[Result]):
    """Remote functions by full name: a live view, also valid after a reconnect.

    Every name gives a function, so that one can be fetched before the other side is connected.
    Iteration, length, `in` and `get` cover only the names that are offered at present.

    Args:
        names: returns the names offered at present.
        run: calls a function.
    """

    def __init__(self, names: Callable[[], Collection[str]], run: Run[Result]) -> None:
        self._names = names
        self._run = run

    def __getitem__(self, name: str) -> Function[Result]:
        if name == LIST_COMPONENTS:
            # Upstream's peers would read the call as the message that we offer nothing any more.
            raise MethodNotFound(f"{name} is not to be called; the names are listed here")
        return partial(self._run, name)

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    @overload
    def get(self, key: str, /) -> Function[Result] | None: ...
    @overload
    def get(
        self, key: str, /, default: Function[Result] | _Default
    ) -> Function[Result] | _Default: ...
    def get(self, key: str, /, default: object = None) -> object:
        """Return the function of a name that is offered at present, else the default."""
        if key in self:
            return self[key]
        return default
