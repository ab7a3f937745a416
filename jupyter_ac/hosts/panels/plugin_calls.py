"""What a plugin may call on its host: the protocol's methods, and those that it was granted."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jupyter_ac.errors import AccessDenied, Conflict, InvalidParams
from jupyter_ac.panels.tracebacks import MAX_MESSAGE_CHARS, ErrorReport
from jupyter_ac.rpc.methods import Access, Handler, Method, MethodTable, NamedMethods, method

if TYPE_CHECKING:
    from jupyter_ac.services.panels.panel_source import PluginHost

MAX_TITLE_CHARS: Final = 100
MAX_CALLS: Final = 100
MAX_STACK_CHARS: Final = 20_000

_LEVELS: Final = ("log", "info", "warn", "error")
_SHOWN_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class Grants:
    """The methods of the server that plugins of one kind may be granted.

    Attributes:
        methods: by their full names.
        why_not: the end of the sentence that refuses all others.
    """

    methods: Mapping[str, Method]
    why_not: str


class PluginMethods:
    """The methods that a plugin calls on its host.

    Args:
        on_described: is told the title and the methods that it asks for: once, and again when
            the plugin was loaded anew, never with more methods than at first.
    """

    def __init__(self, on_described: Callable[[str, frozenset[str]], None]) -> None:
        self._on_described = on_described
        self._first_calls: frozenset[str] | None = None
        self.host: PluginHost | None = None

    @method(Access.READ)
    def describe(self, description: dict[str, object]) -> None:
        """Take what the plugin says of itself: `{name, title, calls}`.

        It says so again when it was loaded anew, and what was wrong before is over.

        Raises:
            Conflict: it asks for more than it did at first.
            InvalidParams: a member is wrong.
        """
        title, calls = _title(description), _calls(description)
        if self._first_calls is None:
            self._first_calls = calls
        elif not calls <= self._first_calls:
            raise Conflict("A plugin can't ask for more methods later; restart it.")
        self._on_described(title, calls)

    @method(Access.READ)
    def update_tree(self, node: dict[str, object] | None) -> None:
        """Show another tree."""
        if self.host is not None:
            self.host.update_tree(node)

    @method(Access.READ)
    def apply_mutations(self, mutations: list[dict[str, object]]) -> None:
        """Change the tree."""
        if self.host is not None:
            self.host.apply_mutations(mutations)

    @method(Access.READ)
    def log(self, level: str, args: list[object]) -> None:
        """Write a line to the log."""
        for known in _LEVELS:
            if self.host is not None and level == known:
                self.host.log(known, args)

    @method(Access.READ)
    def report_error(self, err: dict[str, object]) -> None:
        """Report an error of the plugin's code."""
        if self.host is not None:
            report = ErrorReport(message=str(err.get("message", ""))[:MAX_MESSAGE_CHARS])
            if isinstance(stack := err.get("stack"), str):
                report["stack"] = stack[-MAX_STACK_CHARS:]
            self.host.report_error(report)


class PluginTable(Mapping[str, Method]):
    """The method table of a plugin's connection; names that it was not granted are refused.

    Args:
        own: the protocol's methods.
        grants: what it can be granted.
    """

    def __init__(self, own: PluginMethods, grants: Grants) -> None:
        handlers: dict[str, Handler] = {
            "describe": own.describe,
            "updateTree": own.update_tree,
            "applyMutations": own.apply_mutations,
            "log": own.log,
            "reportError": own.report_error,
        }
        self._own = MethodTable(NamedMethods(handlers, str))
        self._grants = grants
        self._granted: dict[str, Method] = {}

    def grant(self, names: frozenset[str]) -> list[str]:
        """Grant the methods of these names, as far as they may be; return the names of those."""
        found = self._grants.methods
        self._granted = {name: found[name] for name in sorted(names) if name in found}
        return list(self._granted)

    def __getitem__(self, name: str) -> Method:
        if name in self._own:
            return self._own[name]
        if name in self._granted:
            return self._granted[name]
        return self._refused(name)

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._granted

    def __len__(self) -> int:
        return len(self._own) + len(self._granted)

    def _refused(self, name: str) -> Method:
        shown = name[:_SHOWN_CHARS]
        reason = self._grants.why_not
        if name in self._grants.methods:
            reason = "a plugin is granted the methods that it lists in `calls`, and this is none."

        def refuse(*_args: object, **_named: object) -> None:
            raise AccessDenied(f"{shown} can't be called from this panel: {reason}")

        return Method.of(shown, refuse, Access.READ)


def _title(description: Mapping[str, object]) -> str:
    title = description.get("title") or ""
    if not isinstance(title, str):
        raise InvalidParams("describe: title must be a string.")
    return title[:MAX_TITLE_CHARS]


def _calls(description: Mapping[str, object]) -> frozenset[str]:
    calls = description.get("calls") or []
    if isinstance(calls, list) and len(calls) <= MAX_CALLS:
        names = frozenset(each for each in calls if isinstance(each, str))
        if len(names) == len(calls):
            return names
    raise InvalidParams(f"describe: calls must be an array of at most {MAX_CALLS} names.")
