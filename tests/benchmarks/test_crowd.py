"""The load of the soak, for a moment."""

import pytest

from benchmarks.crowd import crowd, figures


@pytest.mark.soak
def test_a_small_crowd_loses_nothing() -> None:
    report = crowd(2, 20, slice_s=1)
    assert report.lost == 0
    assert [load["closed"] for load in report.echo] == [0, 0]
    assert all(figure.value is not None for figure in figures(report, 2, 20))
