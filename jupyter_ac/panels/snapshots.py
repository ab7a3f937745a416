"""Compares values with what they were before, also those that were changed in place."""

from typing import Final

_ROWS: Final = (list, tuple)


def snapshot(value: object) -> object:
    """Return a copy of the builtin containers in a value; all other objects stay themselves.

    Raises:
        RecursionError: a container contains itself.
    """
    kind = type(value)
    if kind is tuple and isinstance(value, tuple):
        return tuple([snapshot(item) for item in value])
    if kind is list and isinstance(value, list):
        return [snapshot(item) for item in value]
    if kind is dict and isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    if kind is set and isinstance(value, set):
        return set(value)
    return value


def is_unchanged(before: object, value: object) -> bool:
    """Return whether a value is what its snapshot shows.

    `1`, `1.0` and `True` are different. Objects that can be hashed are compared by `==`, others by
    identity: what `==` returns for an array of numbers is no answer.
    """
    kind = type(value)
    if type(before) is not kind:
        return False
    if kind is dict and isinstance(value, dict) and isinstance(before, dict):
        return before.keys() == value.keys() and all(
            is_unchanged(before[key], item) for key, item in value.items()
        )
    if kind in _ROWS and isinstance(value, list | tuple) and isinstance(before, list | tuple):
        return len(before) == len(value) and all(map(is_unchanged, before, value))
    if isinstance(value, list | dict | set | bytearray) and kind is not set:
        return False  # a sub-class, which nobody has copied
    if before is value:
        return True
    return (kind is set or kind.__hash__ is not None) and bool(before == value)


def is_plain(value: object) -> bool:
    """Return whether a value can't be changed in place, and is compared by `==`."""
    return value is None or isinstance(value, bool | int | float | str | bytes)
