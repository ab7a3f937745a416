"""What `Kernel.list_variables` takes for 10,000 variables of a session, with its JSON.

Beside it the list that runs the values' own code: the beginning of each one's `repr`.
"""

import json
import time
from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.figure import at_most
from jupyter_ac.inspection.variables import list_variables
from jupyter_ac.rpc.codec import encode

ROUNDS: Final = 9
VARIABLES: Final = 10_000
MOST_MS: Final = 100


class Plain:
    """A class of the user's."""


def make_variables() -> dict[object, object]:
    """Return the variables of a long session, most of them builtin."""
    makers: tuple[Callable[[int], object], ...] = (
        lambda number: number,
        lambda number: f"line {number}\n" * 20,
        lambda number: [number] * 50,
        lambda number: {f"key {at}": number for at in range(10)},
        lambda number: (number, str(number)),
        lambda number: number / 3,
        lambda _number: Plain(),
        lambda number: np.arange(number % 100),
    )
    found: dict[object, object] = {
        f"name_{number}": makers[number % len(makers)](number) for number in range(VARIABLES - 20)
    }
    table = {f"column {at}": range(100) for at in range(10)}
    return found | {f"table_{number}": pd.DataFrame(table) for number in range(20)}


def naive(namespace: dict[object, object]) -> str:
    """List names, classes and representations."""
    rows = [
        (str(name), type(value).__name__, repr(value)[:80]) for name, value in namespace.items()
    ]
    return json.dumps(rows)


def took_ms(work: Callable[[], object]) -> float:
    """Return the time of a call."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Measure both in alternation; the first round only warms up."""
    namespace = make_variables()
    rounds = [
        (
            took_ms(lambda: encode(list_variables(namespace))),
            took_ms(lambda: naive(namespace)),
        )
        for _ in range(ROUNDS + 1)
    ][1:]
    ours, rival = [first for first, _ in rounds], [second for _, second in rounds]
    name = f"list_variables, {VARIABLES:,} variables"
    at_most(name, ours, "ms", MOST_MS, ("the repr of each", rival)).emit()


if __name__ == "__main__":
    main()
