"""How a test of the contract is written."""

import functools
from collections.abc import Callable, Coroutine
from typing import Concatenate, Final, ParamSpec

import pytest

from tests.contract.doors import DOORS, Door

More = ParamSpec("More")

USUAL: Final = ("memory", "standalone")
two_doors = pytest.mark.parametrize(
    "door",
    [pytest.param(name, marks=() if name in USUAL else pytest.mark.soak) for name in DOORS],
    indirect=True,
)
"""For what the host does alike behind each door: in this process and over a socket in every run,
at the other doors in `make soak`."""


def contract(
    test: Callable[Concatenate[Door, More], Coroutine[object, object, None]],
) -> Callable[..., None]:
    """Run a coroutine as a test on the doors' loop, where their hosts live."""

    @functools.wraps(test)
    def run(door: Door, *args: More.args, **kwargs: More.kwargs) -> None:
        door.run(test(door, *args, **kwargs))

    return run
