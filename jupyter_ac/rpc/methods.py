"""What is on the wire: marked methods, gathered into namespaces, gathered into one table.

A *part* is any object with methods marked by `@method`; unmarked ones stay private, however they
are named. A namespace gives its parts' methods one prefix, so that `LLMService` is a name on the
wire and not a class. The table is complete before it serves: a front end learns the names once.

What stands in a user's way is in some methods no error but a result, a *refusal*, because the
seeds' clients read it there. Such a method raises like any other, and names the result's shape.
"""

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias, TypedDict, TypeVar

from jupyter_ac.errors import AcError
from jupyter_ac.rpc.arguments import Expected, expectations

Handler: TypeAlias = Callable[..., object]
"""Returns a value for the codec, or a coroutine for one; its arguments come from outside."""

_Function = TypeVar("_Function", bound=Handler)

_MARK: Final = "__jupyter_ac_access__"
_URGENT: Final = "__jupyter_ac_urgent__"
_REFUSALS: Final = "__jupyter_ac_refusals__"


class Access(StrEnum):
    """What a caller must be allowed in order to use a method."""

    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"


class Refusal(TypedDict):
    """Nothing was done.

    Attributes:
        error: one or two sentences for the user.
    """

    error: str


@dataclass(frozen=True, slots=True)
class Refusals:
    """Which errors of a method are answered as results.

    Attributes:
        shape: of the result; members beside `error` come from the error's details.
        errors: the classes; others stay errors, as do faults of the call itself.
    """

    shape: type[Refusal]
    errors: tuple[type[AcError], ...]

    def answer(self, error: AcError) -> Mapping[str, object] | None:
        """Return the result that stands for an error; None when it stays one."""
        if error.is_fault or not isinstance(error, self.errors):
            return None
        members = typing.get_type_hints(self.shape)
        further = {name: value for name, value in error.details.items() if name in members}
        return {"error": error.message, **further}


def method(
    access: Access,
    *,
    is_urgent: bool = False,
    refusal: type[Refusal] | None = None,
    refused: tuple[type[AcError], ...] = (AcError,),
) -> Callable[[_Function], _Function]:
    """Put a function or coroutine method on the wire under its own name.

    A plain function runs on the loop and must be quick; what waits or works is a coroutine.

    Args:
        access: what a caller must be allowed.
        is_urgent: it ends work: it overtakes calls that wait and is run in an overload, too.
        refusal: the shape of the result that stands for an error; None: errors stay errors.
        refused: the errors for which it does.
    """
    refusals = Refusals(refusal, refused) if refusal is not None else None

    def mark(function: _Function) -> _Function:
        setattr(function, _MARK, access)
        setattr(function, _URGENT, is_urgent)
        setattr(function, _REFUSALS, refusals)
        return function

    return mark


@dataclass(frozen=True, slots=True)
class Method:
    """One method on the wire.

    Attributes:
        name: `Namespace.function`.
        handler: the bound function or coroutine function.
        access: what the caller must be allowed.
        signature: of the handler, without `self`.
        doc: its docstring, cleaned, or "".
        is_urgent: see `method`.
        refusals: the errors that are answered as results; None: none.

    Raises:
        ValueError: it needs a keyword-only argument, which no jrpc-oo client can give.
    """

    name: str
    handler: Handler
    access: Access
    signature: inspect.Signature
    doc: str = ""
    is_urgent: bool = False
    refusals: Refusals | None = None
    is_async: bool = field(init=False)
    required: int = field(init=False)
    """Positional arguments at least."""
    accepted: int | None = field(init=False)
    """Positional arguments at most; None: any number."""
    expected: tuple[Expected, ...] = field(init=False)
    """What each parameter takes, the positional ones first."""

    def __post_init__(self) -> None:
        parameters = self.signature.parameters.values()
        needed = [
            parameter
            for parameter in parameters
            if parameter.default is parameter.empty
            and parameter.kind not in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}
        ]
        if any(parameter.kind is parameter.KEYWORD_ONLY for parameter in needed):
            raise ValueError(f"{self.name} has a keyword-only argument without a default")
        positional = [
            parameter
            for parameter in parameters
            if parameter.kind in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}
        ]
        spread = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
        object.__setattr__(self, "is_async", inspect.iscoroutinefunction(self.handler))
        object.__setattr__(self, "required", len(needed))
        object.__setattr__(self, "expected", expectations(self.handler, self.signature))
        object.__setattr__(self, "accepted", None if spread else len(positional))

    @classmethod
    def of(cls, name: str, handler: Handler, access: Access) -> "Method":
        """Describe a handler by its own signature and docstring."""
        signature, doc = inspect.signature(handler), inspect.getdoc(handler) or ""
        is_urgent, refusals = getattr(handler, _URGENT, False), getattr(handler, _REFUSALS, None)
        return cls(name, handler, access, signature, doc, is_urgent=is_urgent, refusals=refusals)


class Namespace:
    """A prefix on the wire and the marked methods of some parts.

    Args:
        name: the prefix; no dot.
        parts: objects with methods marked by `@method`.
        aliases: further prefixes under which the same methods are listed and answered.

    Raises:
        ValueError: two parts have a method of one name, or a marked name begins with `_`.
    """

    def __init__(self, name: str, *parts: object, aliases: tuple[str, ...] = ()) -> None:
        self.name = name
        self.aliases = aliases
        self._methods: dict[str, Handler] = {}
        for part in parts:
            for found, handler in _marked(part):
                if found in self._methods:
                    raise ValueError(f"{name}.{found} is defined twice")
                self._methods[found] = handler

    def methods(self) -> Iterator[Method]:
        """Give every method under the name and under each alias."""
        for prefix in (self.name, *self.aliases):
            for name, handler in self._methods.items():
                yield Method.of(f"{prefix}.{name}", handler, getattr(handler, _MARK))


def _marked(part: object) -> Iterator[tuple[str, Handler]]:
    for name in dir(type(part)):
        static = inspect.getattr_static(type(part), name)
        function = static.__func__ if isinstance(static, staticmethod | classmethod) else static
        if not isinstance(getattr(function, _MARK, None), Access):
            continue
        if name.startswith("_"):
            raise ValueError(f"{type(part).__name__}.{name} is private and cannot be on the wire")
        yield name, getattr(part, name)


class MethodTable(Mapping[str, Method]):
    """All methods of a host by their full name.

    Raises:
        ValueError: two namespaces give one name.
    """

    def __init__(self, *namespaces: Namespace) -> None:
        self._methods: dict[str, Method] = {}
        for namespace in namespaces:
            for found in namespace.methods():
                if found.name in self._methods:
                    raise ValueError(f"{found.name} is defined twice")
                self._methods[found.name] = found

    def __getitem__(self, name: str) -> Method:
        return self._methods[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)
