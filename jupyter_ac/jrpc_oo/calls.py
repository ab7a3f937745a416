"""Calling the other side by bracket: `call["Class.method"](1, 2)`."""

from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping
from functools import partial
from typing import Concatenate, Generic, TypeAlias, TypeVar, overload

from jupyter_ac.errors import AcError, MethodNotFound
from jupyter_ac.rpc.dialect import LIST_COMPONENTS

Result = TypeVar("Result")
_Default = TypeVar("_Default")

Function: TypeAlias = Callable[..., Coroutine[None, None, Result]]
"""Calls one remote method; what it gives is to be awaited."""

Run: TypeAlias = Callable[Concatenate[str, ...], Coroutine[None, None, Result]]
"""Calls the remote method that its first argument names."""


class Answers(dict[str, object]):
    """What the remotes answered, by their uuid.

    Attributes:
        errors: why the others did not answer, by their uuid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.errors: dict[str, AcError] = {}


class Functions(Mapping[str, Function[Result]], Generic[Result]):
    """Remote functions by their full name: a live view, right also after a reconnect.

    Every name gives a function, so that one can be fetched before the other side is there. The
    names that are listed, counted and found by `in` and `get` are those that are offered now.

    Args:
        names: gives the names that are offered now.
        run: calls a function.
    """

    def __init__(self, names: Callable[[], Collection[str]], run: Run[Result]) -> None:
        self._names = names
        self._run = run

    def __getitem__(self, name: str) -> Function[Result]:
        if name == LIST_COMPONENTS:
            # Upstream's peers would take the call for news: that we offer nothing any more.
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
        """Give the function of a name that is offered now, else the default."""
        if key in self:
            return self[key]
        return default
