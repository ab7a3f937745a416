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
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import wraps
from typing import Final, TypeAlias, TypedDict, TypeVar

from jupyter_ac.errors import AcError
from jupyter_ac.rpc.parameters import Parameters
from jupyter_ac.rpc.target_states import TRIGGERS, required_of

Handler: TypeAlias = Callable[..., object]
"""Returns a JSON value, or a coroutine for one; its arguments are untrusted."""

_Function = TypeVar("_Function", bound=Handler)

_MARK: Final = "__jupyter_ac_access__"
_URGENT: Final = "__jupyter_ac_urgent__"
_REFUSALS: Final = "__jupyter_ac_refusals__"
_RULES: Final = "__jupyter_ac_rules__"


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


@dataclass(frozen=True, slots=True)
class CallRules:
    """What is checked before a method is called, besides access and parameters.

    Attributes:
        requires_state: the states of the target in which it may be called (see `target_states`);
            none: in any.
        trigger: the transition that the call begins; taken back when the method fails.
        changes_state: a call for an earlier epoch of the target is refused.
        is_billed: calls cost money, so their number is limited.
        time_limit_s: how long it may run without a report; None: no limit.
    """

    requires_state: tuple[str, ...] = ()
    trigger: str = ""
    changes_state: bool = False
    is_billed: bool = False
    time_limit_s: float | None = None

    def __post_init__(self) -> None:
        required_of(self.requires_state)
        if self.trigger and self.trigger not in TRIGGERS:
            raise ValueError(f"no such transition: {self.trigger}")

    @property
    def has_target(self) -> bool:
        """Whether the state of the target matters."""
        return bool(self.requires_state or self.trigger or self.changes_state)


NO_RULES: Final = CallRules()
BILLED: Final = CallRules(is_billed=True)
"""Of methods whose calls cost money."""


def method(
    access: Access,
    *,
    is_urgent: bool = False,
    refusal: type[Refusal] | None = None,
    refused: tuple[type[AcError], ...] = (AcError,),
    rules: CallRules = NO_RULES,
) -> Callable[[_Function], _Function]:
    """Mark a function or coroutine method as remotely callable under its own name.

    A plain function runs on the event loop and must be fast; use a coroutine for anything that
    waits.

    Args:
        access: the required access right.
        is_urgent: it ends work: it overtakes waiting calls and also runs during overload.
        refusal: type of the result that replaces an error; None: errors stay errors.
        refused: the errors that are replaced.
        rules: what else is checked.
    """
    refusals = Refusals(refusal, refused) if refusal is not None else None

    def mark(function: _Function) -> _Function:
        setattr(function, _MARK, access)
        setattr(function, _URGENT, is_urgent)
        setattr(function, _REFUSALS, refusals)
        setattr(function, _RULES, rules)
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
        rules: what else is checked before a call.
        key: the name under which its calls are counted, the same for all aliases; "" for `name`.
        needs_login: refused where a host asks for no token.

    Raises:
        ValueError: it requires a keyword-only argument, which jrpc-oo clients can't pass, or is a
            plain function with rules about its target or its time.
    """

    name: str
    handler: Handler
    access: Access
    signature: inspect.Signature
    doc: str = ""
    is_urgent: bool = False
    refusals: Refusals | None = None
    rules: CallRules = NO_RULES
    key: str = ""
    needs_login: bool = False
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
        is_async = inspect.iscoroutinefunction(self.handler)
        if not is_async and (self.rules.has_target or self.rules.time_limit_s is not None):
            raise ValueError(f"{self.name} has rules that only a coroutine can follow")
        positional = [
            parameter
            for parameter in parameters
            if parameter.kind in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}
        ]
        spread = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
        object.__setattr__(self, "is_async", is_async)
        object.__setattr__(self, "key", self.key or self.name)
        object.__setattr__(self, "required", len(needed))
        object.__setattr__(self, "parameters", Parameters(self.name, self.handler, self.signature))
        object.__setattr__(self, "accepted", None if spread else len(positional))

    @classmethod
    def of(
        cls,
        name: str,
        handler: Handler,
        access: Access,
        key: str = "",
        *,
        needs_login: bool = False,
    ) -> "Method":
        """Create a method from a handler's own signature and docstring."""
        return cls(
            name,
            handler,
            access,
            inspect.signature(handler),
            inspect.getdoc(handler) or "",
            is_urgent=getattr(handler, _URGENT, False),
            refusals=getattr(handler, _REFUSALS, None),
            rules=getattr(handler, _RULES, NO_RULES),
            key=key,
            needs_login=needs_login,
        )


class Namespace:
    """A prefix with the marked methods of its parts.

    Args:
        name: the prefix; no dot. With "" the methods have their bare names.
        parts: objects with methods marked by `@method`.
        aliases: further prefixes for the same methods.
        needs_login: its methods are refused where a host asks for no token.

    Raises:
        ValueError: two parts have a method of the same name, or a marked name begins with `_`.
    """

    def __init__(
        self,
        name: str,
        *parts: object,
        aliases: tuple[str, ...] = (),
        needs_login: bool = False,
    ) -> None:
        self.name = name
        self.aliases = aliases
        self._needs_login = needs_login
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
                yield Method.of(
                    f"{prefix}.{name}" if prefix else name,
                    handler,
                    getattr(handler, _MARK),
                    f"{self.name}.{name}" if self.name else name,
                    needs_login=self._needs_login,
                )


class NamedMethods:
    """Methods of parts under names of their own, beside those of their namespace.

    Args:
        names: the full names, and the bound methods, which are marked by `@method`.
        keys: the names under which their calls are counted; the full name where there is none.
        needs_login: they are refused where a host asks for no token.

    Attributes:
        names: as given.
    """

    def __init__(
        self,
        names: Mapping[str, Handler],
        keys: Callable[[str], str],
        *,
        needs_login: bool = False,
    ) -> None:
        self.names = dict(names)
        self._keys = keys
        self._needs_login = needs_login

    def methods(self) -> Iterator[Method]:
        """Yield every method."""
        for name, handler in self.names.items():
            access: Access = getattr(handler, _MARK)
            key = self._keys(handler.__name__)
            yield Method.of(name, handler, access, key, needs_login=self._needs_login)


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

    def __init__(self, *namespaces: Namespace | NamedMethods) -> None:
        self._methods: dict[str, Method] = {}
        self._refused: dict[str, Method] = {}
        for namespace in namespaces:
            for found in namespace.methods():
                if found.name in self._methods:
                    raise ValueError(f"{found.name} is defined twice")
                self._methods[found.name] = found

    def __getitem__(self, name: str) -> Method:
        return self._methods.get(name) or self._refused[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)

    def refuse(self, is_refused: Callable[[Method], bool], reason: type[AcError], why: str) -> None:
        """Take methods off the list; a call of one fails with an error.

        Args:
            is_refused: says which ones.
            reason: class of the error.
            why: its message.
        """

        def refusing(handler: Handler) -> Handler:
            @wraps(handler)
            async def refuse(*_args: object, **_more: object) -> object:
                raise reason(why)

            return refuse

        for name, found in list(self._methods.items()):
            if is_refused(found):
                self._refused[name] = replace(found, handler=refusing(found.handler))
                del self._methods[name]
