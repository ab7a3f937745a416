"""The last inputs."""

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.inspection.history import MOST_INPUTS, SOURCE_CHARS, last_inputs


def test_the_last_ones_that_are_not_empty() -> None:
    found = last_inputs(["", "a", "", "b", "c"], 2)
    assert [(row["number"], row["source"]) for row in found] == [(3, "b"), (4, "c")]


def test_long_ones_are_cut() -> None:
    (row,) = last_inputs(["", "x" * (SOURCE_CHARS + 1)], 5)
    assert (len(row["source"]), row["is_cut"]) == (SOURCE_CHARS, True)


def test_what_is_no_history_is_empty() -> None:
    assert last_inputs(None, 5) == []
    assert last_inputs([1, None], 5) == []


@pytest.mark.parametrize("count", [0, -1, MOST_INPUTS + 1])
def test_a_count_out_of_range_is_refused(count: int) -> None:
    with pytest.raises(InvalidParams, match="n must be from 1"):
        last_inputs([], count)
