"""How a test of the contract is written."""

import functools
from collections.abc import Callable, Coroutine
from typing import Concatenate, ParamSpec

from tests.contract.doors import Door

More = ParamSpec("More")


def contract(
    test: Callable[Concatenate[Door, More], Coroutine[object, object, None]],
) -> Callable[..., None]:
    """Run a coroutine as a test on the doors' loop, where their hosts live."""

    @functools.wraps(test)
    def run(door: Door, *args: More.args, **kwargs: More.kwargs) -> None:
        door.run(test(door, *args, **kwargs))

    return run
