"""Small charts of elements: columns over days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from jupyter_ac.builtin_panels.looks import COLORS, SMALL, SURFACE, Tone
from jupyter_ac.panels import html
from jupyter_ac.panels.elements import Element

MAX_COLUMNS: Final = 91
"""Above that many days, a column is a week."""

HEIGHT_PX: Final = 56

_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chart.

    Attributes:
        label: the day, or the first day of the week.
        value: from 0.
    """

    label: str
    value: float


def columns_by_day(values: Mapping[str, float], days: int, today: date) -> list[Column]:
    """Return a column for each of the last days, or for each week if they are many.

    Args:
        values: by day, ISO 8601; days without one are 0, and those outside are left out.
        days: how many, today included.
        today: the last one.
    """
    step = 1 if days <= MAX_COLUMNS else _WEEK
    # The last column ends today.
    first = today - timedelta(days=step * -(-days // step) - 1)
    columns = []
    for at in range(0, (today - first).days + 1, step):
        begin = first + timedelta(days=at)
        within = [(begin + timedelta(days=more)).isoformat() for more in range(step)]
        columns.append(Column(begin.isoformat(), sum(values.get(day, 0.0) for day in within)))
    return columns


def column_chart(
    columns: Sequence[Column], label: str, unit: str, tone: Tone = "accent"
) -> Element:
    """Return a chart of columns, with the days of its ends below.

    Args:
        columns: oldest first.
        label: says for screen readers what it shows, with its numbers.
        unit: a format of a value for the title of a column, such as `{:,.0f} commits`.
        tone: of the columns.
    """
    most = max((column.value for column in columns), default=0.0) or 1.0
    plot = {
        "display": "flex",
        "alignItems": "flex-end",
        "gap": 1,
        "height": HEIGHT_PX,
        "background": SURFACE,
        "borderRadius": 4,
        "padding": "4px 4px 0",
        "minWidth": 0,
    }
    drawn = [_drawn(column, most, unit, tone) for column in columns]
    ends = [columns[0].label, columns[-1].label] if columns else []
    return html.div(
        {"style": {"minWidth": 0}},
        html.div({"role": "img", "aria-label": label, "style": plot}, drawn),
        html.div(
            {"aria-hidden": True, "style": {**SMALL, **_ENDS}}, [html.span(day) for day in ends]
        ),
    )


_ENDS: Final = {"display": "flex", "justifyContent": "space-between", "fontSize": 11}


def _drawn(column: Column, most: float, unit: str, tone: Tone) -> Element:
    # What isn't nothing is seen.
    height = max(2.0, 100 * column.value / most) if column.value else 0.0
    return html.div(
        {
            "title": f"{column.label}: {unit.format(column.value)}",
            "key": column.label,
            "style": {"flex": 1, "minWidth": 0, "alignSelf": "stretch", **_COLUMN},
        },
        html.div(
            {
                "style": {
                    "height": f"{height:.1f}%",
                    "background": COLORS[tone],
                    "borderRadius": "2px 2px 0 0",
                }
            }
        ),
    )


_COLUMN: Final = {"display": "flex", "flexDirection": "column", "justifyContent": "flex-end"}
