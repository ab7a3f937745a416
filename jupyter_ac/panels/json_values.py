"""Checked copies of values for the wire: changing a value in place later changes no tree."""

import math
from collections.abc import Mapping
from typing import Final, NoReturn

from jupyter_ac.errors import PanelError, TooLarge
from jupyter_ac.panels.wire import MAX_DEPTH, JsonValue

MAX_INTEGER: Final = 2**53 - 1
"""Whole numbers beyond it lose digits in JavaScript."""

MAX_VALUES: Final = 200_000
"""Values within one prop; a list that contains another one several times counts it as often."""


def json_copy(value: object, name: str) -> JsonValue:
    """Return a deep copy of a JSON value; tuples become lists, sub-classes their base.

    Args:
        value: untrusted.
        name: what it is, for messages.

    Raises:
        PanelError: it isn't JSON; the message has the place.
        TooLarge: nested too deeply, or too many values.
    """
    if value is None or isinstance(value, bool):
        return value
    return _JsonCopier(name).copy(value, "")


class _JsonCopier:
    """Copies one value.

    Args:
        name: what it is, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._open: set[int] = set()
        self._left = MAX_VALUES

    def copy(self, value: object, path: str) -> JsonValue:
        self._left -= 1
        if self._left < 0:
            raise TooLarge(f"{self._name} has more than {MAX_VALUES:,} values; show a part.")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return self._integer(int(value), path)
        if isinstance(value, float):
            return self._finite(float(value), path)
        if isinstance(value, Mapping | list | tuple):
            return self._container(value, path)
        return self._refuse(value, path)

    def _integer(self, value: int, path: str) -> int:
        if abs(value) > MAX_INTEGER:
            raise PanelError(
                f"{self._name}{path} is a whole number beyond 2**53 - 1, which JavaScript can't "
                "represent; pass it as text."
            )
        return value

    def _finite(self, value: float, path: str) -> float:
        if not math.isfinite(value):
            raise PanelError(
                f"{self._name}{path} is {value}, which is not JSON; use None or a text."
            )
        return value

    def _container(
        self, value: Mapping[object, object] | list[object] | tuple[object, ...], path: str
    ) -> JsonValue:
        if id(value) in self._open:
            raise PanelError(f"{self._name}{path} contains itself; props are trees of JSON values.")
        if len(self._open) >= MAX_DEPTH:
            raise TooLarge(f"{self._name} is nested more than {MAX_DEPTH} deep; flatten it.")
        self._open.add(id(value))
        try:
            if isinstance(value, Mapping):
                return {
                    self._member(key, path): self.copy(item, f"{path}.{key}")
                    for key, item in value.items()
                }
            return [self.copy(item, f"{path}[{at}]") for at, item in enumerate(value)]
        finally:
            self._open.remove(id(value))

    def _member(self, key: object, path: str) -> str:
        if not isinstance(key, str):
            raise PanelError(
                f"{self._name}{path} has a key of the type {type(key).__name__}; keys of objects "
                "are texts."
            )
        return str.__str__(key)

    def _refuse(self, value: object, path: str) -> NoReturn:
        if callable(value):
            raise PanelError(
                f"{self._name}{path} is a function; only props such as on_click can be functions."
            )
        raise PanelError(
            f"{self._name}{path} is of the type {type(value).__name__}, which is not JSON; pass "
            "None, a bool, a number, a text, a list or a dict."
        )
