"""Chooses members of an entry by dotted paths, and asks questions about it in JMESPath."""

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions, signature
from jmespath.visitor import Options, TreeInterpreter

from jupyter_ac.browser.cdp import Json
from jupyter_ac.errors import InvalidParams, TooLarge

if TYPE_CHECKING:
    from jmespath.visitor import _TreeNode

MINIMAL: Final = ("request.method", "request.url", "response.status", "time", "state")
"""What is given when no fields are asked for."""
BODY: Final = "response.content"
POST_DATA: Final = "request.postData"
_NOTHING: Final = object()
MAX_FIELDS: Final = 50
MAX_PATH: Final = 300
MAX_EXPRESSION: Final = 1000
MAX_NESTING: Final = 40
MAX_STEPS: Final = 200_000
"""What an expression may look at, in parts of the entry."""
MAX_CHARS: Final = 30_000_000
MAX_S: Final = 0.25
LARGEST: Final = 2**63
"""Whole numbers from here on aren't encoded as JSON."""


def check_fields(fields: Sequence[str] | None) -> tuple[str, ...]:
    """Return the fields that are asked for.

    Raises:
        InvalidParams: there are too many, or one is no path.
    """
    if fields is None:
        return MINIMAL
    if len(fields) > MAX_FIELDS:
        raise InvalidParams(f"fields must be at most {MAX_FIELDS}.")
    for field in fields:
        if not isinstance(field, str) or not 0 < len(field) <= MAX_PATH:
            raise InvalidParams(f"A field is a path of 1 to {MAX_PATH} characters: {field!r:.80}")
    return tuple(fields)


def asks_for(fields: Sequence[str], path: str) -> bool:
    """Return whether fields name a path or something inside it.

    What is read on demand, such as a body, has to be named; `*` doesn't ask for it.
    """
    wanted = path.lower()
    return any(
        field.lower() == wanted or field.lower().startswith(f"{wanted}.") for field in fields
    )


def select(entry: Json, fields: Sequence[str]) -> Json:
    """Return the parts of an entry that fields name, nested as they are in the entry.

    Args:
        entry: as `har_entry` makes it.
        fields: dotted paths in whichever case; `*` is all, `request.*` all of the request; in a
            list of names and values a name chooses: `response.headers.content-type`.
    """
    if "*" in fields:
        return entry
    chosen: Json = {}
    for field in sorted(fields, key=len):
        path, found = _resolved(entry, field.removesuffix(".*").split("."))
        if found is not _NOTHING:
            _insert(chosen, path, found)
    return chosen


def _resolved(source: object, parts: Sequence[str]) -> tuple[list[str], object]:
    """Follow a path; returns it with the names as they are, and what it leads to or `_NOTHING`."""
    path: list[str] = []
    for number, part in enumerate(parts):
        if isinstance(source, list):
            return path, _named(source, ".".join(parts[number:])) or _NOTHING  # names may have dots
        if not isinstance(source, dict):
            return path, _NOTHING
        name = next((name for name in source if name.lower() == part.lower()), None)
        if name is None:
            return path, _NOTHING
        path.append(name)
        source = source[name]
    return path, source


def _insert(chosen: Json, path: Sequence[str], found: object) -> None:
    """Put a value where it is in the entry; nothing is done where a whole part is there already."""
    *outer, last = path
    for name in outer:
        inner = chosen.setdefault(name, _Chosen())
        if not isinstance(inner, _Chosen):
            return
        chosen = inner
    before = chosen.get(last)
    if isinstance(before, _Chosen) and isinstance(found, _Chosen):
        before.update(found)
    else:
        chosen.setdefault(last, found)


class _Chosen(dict[str, object]):
    """A part of which not all was chosen; what it has been chosen from stays untouched."""


def _named(pairs: Sequence[object], wanted: str) -> _Chosen:
    """Return the values of a name in a list of names and values."""
    found: dict[str, list[object]] = {}
    for pair in pairs:
        if isinstance(pair, dict) and str(pair.get("name", "")).lower() == wanted.lower():
            found.setdefault(str(pair["name"]), []).append(pair.get("value"))
    return _Chosen(
        (name, values[0] if len(values) == 1 else values) for name, values in found.items()
    )


def evaluate(expression: str, value: object, clock: Callable[[], float] = time.monotonic) -> object:
    """Return what a JMESPath expression gives for a value; bounded in time and memory.

    Args:
        expression: https://jmespath.org
        value: as JSON has it.
        clock: in seconds.

    Raises:
        InvalidParams: the expression is wrong, or doesn't fit the value.
        TooLarge: it asks for too much.
    """
    if len(expression) > MAX_EXPRESSION or _nesting(expression) > MAX_NESTING:
        raise InvalidParams(
            f"expr must have at most {MAX_EXPRESSION} characters and {MAX_NESTING} nested brackets."
        )
    budget = _Budget(clock)
    options = Options(custom_functions=_BoundedFunctions(budget))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of spellings that JMESPath has given up
            parsed = jmespath.compile(expression).parsed
        result = _BoundedInterpreter(budget, options).visit(parsed, value)
        budget.measure(result)
    except JMESPathError as error:
        raise InvalidParams(f"expr: {error}"[:500]) from error
    except (TypeError, ValueError, AttributeError, KeyError, OverflowError) as error:
        raise InvalidParams("expr can't be applied to this request.") from error
    except RecursionError as error:
        raise InvalidParams("expr is nested too deeply.") from error
    return result


def _nesting(expression: str) -> int:
    depth = deepest = 0
    for char in expression:
        if char in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")]}":
            depth -= 1
    return deepest


class _Budget:
    """Counts what an expression has looked at."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = clock() + MAX_S
        self._steps = MAX_STEPS
        self._chars = MAX_CHARS

    def spend(self, steps: int, chars: int = 0) -> None:
        self._steps -= steps
        self._chars -= chars
        if self._steps < 0 or self._chars < 0 or self._clock() > self._end:
            raise TooLarge("expr asks for too much; choose fields first, or a simpler one.")

    def measure(self, value: object) -> None:
        """Spend what a value would take if nothing in it were shared."""
        pending = [value]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                self.spend(1, len(item))
                continue
            self.spend(1)
            if isinstance(item, list):
                pending.extend(item)
            elif isinstance(item, dict):
                pending.extend(item.values())
            elif not isinstance(item, float | None) and not _is_whole(item):
                raise InvalidParams("expr gives a part of itself, or too large a number.")


def _is_whole(item: object) -> bool:
    return isinstance(item, int) and abs(item) < LARGEST


class _BoundedFunctions(Functions):
    """JMESPath's own functions, of which `join` may not make more than it got."""

    def __init__(self, budget: _Budget) -> None:
        super().__init__()
        self._budget = budget

    def call_function(self, function_name: str, resolved_args: Iterable[object]) -> object:
        arguments = list(resolved_args)
        self._budget.measure([arg for arg in arguments if isinstance(arg, list | dict | str)])
        result: object = super().call_function(function_name, arguments)
        self._budget.measure(result)
        return result

    @signature({"types": ["string"]}, {"types": ["array-string"]})
    def _func_join(self, separator: str, array: Sequence[str]) -> str:
        self._budget.spend(1, len(separator) * len(array))
        return separator.join(array)


_MAKING: Final = frozenset({"multi_select_list", "multi_select_dict", "flatten", "literal"})


class _BoundedInterpreter(TreeInterpreter):
    """Evaluates an expression as long as the budget lasts.

    What is built out of parts is measured at once: `[@, @] | [@, @] | …` shares its parts, and only
    whoever writes it out would see that it has doubled with each step.
    """

    def __init__(self, budget: _Budget, options: Options) -> None:
        super().__init__(options)
        self._budget = budget

    def visit(self, node: "_TreeNode", *args: object, **kwargs: object) -> object:
        self._budget.spend(1)
        result: object = super().visit(node, *args, **kwargs)
        if node.get("type") in _MAKING:
            self._budget.measure(result)
        return result
