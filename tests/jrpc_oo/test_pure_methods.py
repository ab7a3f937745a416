"""Which methods are taken to call nothing."""

import time
from collections.abc import Callable, Iterator

import pytest

from jupyter_ac.jrpc_oo.pure_methods import calls_nothing


class Leaves:
    """Methods that only compute."""

    def nothing(self) -> None:
        pass

    def echo(self, value: object) -> object:
        return value

    def add(self, one: int = 1, two: int = 2) -> int:
        return one + two

    def pair(self, one: object, two: object) -> dict[str, object]:
        return {"both": [one, two], "same": one is two}

    @staticmethod
    def static(one: int) -> int:
        return -one * 2


class Others:
    """Methods that may wait, or run code of others."""

    count = 0

    def __add__(self, other: object) -> object:
        time.sleep(0)
        return other

    def calls(self) -> float:
        return time.monotonic()

    def attribute(self) -> int:
        return self.count

    def operator(self, one: object) -> object:
        return self + one

    def loops(self, most: int) -> int:
        while most:
            most -= 1
        return most

    def iterates(self, values: list[int]) -> list[int]:
        return [value + 1 for value in values]

    def gives(self) -> Iterator[int]:
        yield 1

    def deletes(self, values: list[int]) -> None:
        del values[0]


def of(instance: object) -> dict[str, Callable[..., object]]:
    return {name: getattr(instance, name) for name in vars(type(instance)) if name[0] != "_"}


@pytest.mark.parametrize("name", of(Leaves()))
def test_what_only_computes_is_a_leaf(name: str) -> None:
    assert calls_nothing(of(Leaves())[name])


@pytest.mark.parametrize("name", [name for name in of(Others()) if name != "count"])
def test_what_calls_loops_or_looks_at_its_object_is_none(name: str) -> None:
    assert not calls_nothing(of(Others())[name])


@pytest.mark.parametrize("other", [len, int, Leaves, lambda: len(()), [].append])
def test_what_is_no_plain_function_is_none(other: Callable[..., object]) -> None:
    assert not calls_nothing(other)
