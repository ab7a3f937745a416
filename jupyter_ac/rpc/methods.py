"""The method table: methods marked with `@method`, grouped by namespace.

A *part* is any object with methods marked by `@method`; unmarked ones stay private, whatever their
names. A namespace gives its parts' methods one prefix, so `LLMService` is a name on the wire and
not a class. The table is complete before serving starts: a front end reads the names once.

Some methods return an error as a result, a *refusal*, because existing clients expect it there.
Such a method raises like any other, and declares the type of the result.
"""

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias, TypedDict, TypeVar

from jupyter_ac.errors import AcError
from jupyter_ac.rpc.parameters import Parameters

Handler: TypeAlias = Callable[..., object]
"""Returns a JSON value, or a coroutine for one; its arguments are untrusted."""

_Function = TypeVar("_Function", bound=Handler)

_MARK: Final = "__jupyter_ac_access__"
_URGENT: Final = "__jupyter_ac_urgent__"
_REFUSALS: Final = "__jupyter_ac_refusals__"


class Access(StrEnum):
    """The access right that a caller needs for a method."""

    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"


class Refusal(TypedDict):
    """The result of a refused call: nothing was done.

    Attributes:
        error: one or two sentences for the user.
    """

    error: str


@dataclass(frozen=True, slots=True)
class Refusals:
    """Declares which errors of a method are returned as results.

    Attributes:
        shape: type of the result; members other than `error` come from the error's details.
        errors: the error classes; others stay errors, as do faults of the call itself.
    """

    shape: type[Refusal]
    errors: tuple[type[AcError], ...]

    def answer(self, error: AcError) -> Mapping[str, object] | None:
        """Return the result for an error; None if it stays an error."""
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
    """Mark a function or coroutine method as remotely callable under its own name.

    A plain function runs on the event loop and must be fast; use a coroutine for anything that
    waits.

    Args:
        access: the required access right.
        is_urgent: it ends work: it overtakes waiting calls and also runs during overload.
        refusal: type of the result that replaces an error; None: errors stay errors.
        refused: the errors that are replaced.
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
    """A remotely callable method.

    Attributes:
        name: `Namespace.function`.
        handler: the bound function or coroutine function.
        access: the required access right.
        signature: of the handler, without `self`.
        doc: its docstring, cleaned, or "".
        is_urgent: see `method`.
        refusals: the errors that are returned as results; None for none.

    Raises:
        ValueError: it requires a keyword-only argument, which jrpc-oo clients can't pass.
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
    """Minimum number of positional arguments."""
    accepted: int | None = field(init=False)
    """Maximum number of positional arguments; None for any number."""
    parameters: Parameters = field(init=False, compare=False)
    """Their JSON schema, and the check of received ones."""

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
        object.__setattr__(self, "parameters", Parameters(self.name, self.handler, self.signature))
        object.__setattr__(self, "accepted", None if spread else len(positional))

    @classmethod
    def of(cls, name: str, handler: Handler, access: Access) -> "Method":
        """Create a method from a handler's own signature and docstring."""
        signature, doc = inspect.signature(handler), inspect.getdoc(handler) or ""
        is_urgent, refusals = getattr(handler, _URGENT, False), getattr(handler, _REFUSALS, None)
        return cls(name, handler, access, signature, doc, is_urgent=is_urgent, refusals=refusals)


class Namespace:
    """A prefix with the marked methods of its parts.

    Args:
        name: the prefix; no dot.
        parts: objects with methods marked by `@method`.
        aliases: further prefixes for the same methods.

    Raises:
        ValueError: two parts have a method of the same name, or a marked name begins with `_`.
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
        """Yield every method under the name and each alias."""
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
    """All methods of a host by full name.

    Raises:
        ValueError: two namespaces define the same name.
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
