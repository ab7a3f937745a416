from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.builtin_panels.charts import (
    MAX_COLUMNS,
    Column,
    column_chart,
    columns_by_day,
)
from jupyter_ac.panels import component
from tests.panels.shown import shown

TODAY = date(2026, 3, 31)


@given(st.integers(1, 365), st.dictionaries(st.integers(0, 400), st.integers(1, 9), max_size=30))
def test_each_day_within_the_time_is_in_one_column(days: int, ago: dict[int, int]) -> None:
    values = {(TODAY - timedelta(days=at)).isoformat(): float(n) for at, n in ago.items()}
    columns = columns_by_day(values, days, TODAY)
    assert len(columns) == (days if days <= MAX_COLUMNS else -(-days // 7))
    first = date.fromisoformat(columns[0].label)
    assert sum(column.value for column in columns) == sum(
        n for at, n in ago.items() if TODAY - timedelta(days=at) >= first
    )
    assert first <= TODAY - timedelta(days=days - 1)


def test_the_last_column_ends_today() -> None:
    assert columns_by_day({}, 7, TODAY)[-1] == Column("2026-03-31", 0.0)
    assert columns_by_day({"2026-03-31": 2.0}, 365, TODAY)[-1] == Column("2026-03-25", 2.0)


@pytest.mark.parametrize("columns", [[], [Column("2026-03-31", 0.0)]])
async def test_a_chart_of_nothing_is_shown(columns: list[Column]) -> None:
    @component
    def app() -> object:
        return column_chart(columns, "nothing", "{:,.0f} commits")

    async with shown(app) as panel:
        assert panel.host.errors == []
        assert panel.host.find(lambda node: node["props"].get("role") == "img")


async def test_a_chart_says_its_numbers() -> None:
    @component
    def app() -> object:
        columns = [Column("2026-03-30", 1.0), Column("2026-03-31", 1000.0)]
        return column_chart(columns, "1,001 commits", "{:,.0f} commits")

    async with shown(app) as panel:
        drawn = panel.host.find(lambda node: node["props"].get("role") == "img")
        assert drawn["props"]["aria-label"] == "1,001 commits"
        titles = [child["props"]["title"] for child in drawn["children"] if isinstance(child, dict)]
        assert titles == ["2026-03-30: 1 commits", "2026-03-31: 1,000 commits"]
        assert "2026-03-30" in panel.host.text()
