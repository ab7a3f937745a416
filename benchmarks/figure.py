"""One measured figure, as a JSON line."""

import json
import sys
from dataclasses import asdict, dataclass
from statistics import median


@dataclass(frozen=True)
class Figure:
    """A value, what it is compared with, and the bar that it must reach.

    Attributes:
        name: what was measured.
        value: the median of the rounds, in `unit`.
        rival: what stands beside it, or what bounds it; "" for none.
        rival_value: the rival's median in the same unit, or None.
        ratio: value / rival_value, or None.
        bar: the condition in words, such as `<= 50` or `ratio >= 0.5`; "" when only reported.
        ok: whether the bar is reached; None when there is none.
    """

    name: str
    value: float
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


def at_most(name: str, values: list[float], unit: str, bar: float, rival: str = "") -> Figure:
    """A figure that must not pass a fixed bar."""
    value = round(median(values), 3)
    return Figure(name, value, unit, rival, bar=f"<= {bar:g}", ok=value <= bar)


def beside(
    name: str, values: list[float], unit: str, rival: tuple[str, list[float]], least_ratio: float
) -> Figure:
    """A rate that must reach a share of its rival's."""
    value, other = median(values), median(rival[1])
    ratio = round(value / other, 3)
    return Figure(
        name,
        round(value, 1),
        unit,
        rival[0],
        round(other, 1),
        ratio,
        f"ratio >= {least_ratio:g}",
        ratio >= least_ratio,
    )
