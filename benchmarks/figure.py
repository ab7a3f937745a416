"""One measured figure, as a JSON line.

A bar is either a fixed one (`at_most`) or a ratio to a rival of the same run (`beside` for rates,
`within` for times); `reported` has none.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Final

Rival = tuple[str, Sequence[float]]
"""What stands beside a figure: its name and what it reached in the same rounds."""

_NOBODY: Final[Rival] = ("", ())


@dataclass(frozen=True)
class Figure:
    """A value, what it is compared with, and the bar that it must reach.

    Attributes:
        name: what was measured.
        value: the median of the rounds, in `unit`; None when it could not be measured here.
        unit: of both values.
        rival: what stands beside it, or what bounds it; "" for none.
        rival_value: the rival's median in the same unit, or None.
        ratio: value / rival_value, or None.
        bar: the condition in words, such as `<= 50` or `ratio >= 0.5`; "" when only reported.
        ok: whether the bar is reached; None when there is none.
    """

    name: str
    value: float | None
    unit: str
    rival: str = ""
    rival_value: float | None = None
    ratio: float | None = None
    bar: str = ""
    ok: bool | None = None

    def emit(self) -> None:
        """Print the line."""
        sys.stdout.write(json.dumps(asdict(self)) + "\n")
        sys.stdout.flush()


def reported(name: str, values: Sequence[float], unit: str, rival: Rival = _NOBODY) -> Figure:
    """A figure without a bar."""
    value = median(values)
    other = median(rival[1]) if rival[1] else None
    ratio = value / other if other else None
    return Figure(name, _short(value), unit, rival[0], _short(other), _short(ratio))


def at_most(
    name: str, values: Sequence[float], unit: str, bar: float, rival: Rival = _NOBODY
) -> Figure:
    """A figure that must not pass a fixed bar; the rival is for orientation."""
    figure = reported(name, values, unit, rival)
    return replace(figure, bar=f"<= {bar:g}", ok=median(values) <= bar)


def beside(
    name: str, values: Sequence[float], unit: str, rival: Rival, least_ratio: float
) -> Figure:
    """A rate that must reach a share of its rival's."""
    figure = reported(name, values, unit, rival)
    ok = median(values) >= least_ratio * median(rival[1])
    return replace(figure, bar=f"ratio >= {least_ratio:g}", ok=ok)


def within(
    name: str, values: Sequence[float], unit: str, rival: Rival, most_ratio: float
) -> Figure:
    """A time that must stay within a multiple of its rival's."""
    figure = reported(name, values, unit, rival)
    ok = median(values) <= most_ratio * median(rival[1])
    return replace(figure, bar=f"ratio <= {most_ratio:g}", ok=ok)


def missing(name: str, unit: str, reason: str) -> Figure:
    """A figure that can't be measured on this machine."""
    return Figure(name, None, unit, reason)


def _short(value: float | None) -> float | None:
    """Leave out the digits that mean nothing."""
    if value is None:
        return None
    return round(value, 3 if abs(value) < 10 else 1)
