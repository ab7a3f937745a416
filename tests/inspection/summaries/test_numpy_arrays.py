"""numpy's arrays, mapped ones among them."""

import math
import mmap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.inspection.summaries import numpy_arrays
from jupyter_ac.inspection.summaries.numpy_arrays import (
    MOST_VALUES,
    array_facts,
    dtype_text,
    first_values,
    is_array,
    is_mapped,
)
from jupyter_ac.inspection.summaries.summary import MAPPED
from jupyter_ac.inspection.value_text import LINE_CHARS
from jupyter_ac.inspection.variables import VariableDescription, describe_variable
from tests.inspection.hostile import RAN, hostile_values, nothing_may_run

MANY_BYTES = 8 << 30


def described(value: object) -> VariableDescription:
    return describe_variable({"x": value}, "x", None)


def _pair(fact: list[str]) -> tuple[str, str]:
    label, text = fact
    return label, text


def facts(value: object) -> dict[str, str]:
    return dict(map(_pair, described(value)["facts"]))


def test_shape_type_range_and_missing_values() -> None:
    found = described(np.array([[1.5, np.nan], [-2, 4]]))
    assert (found["type"], found["shape"], found["dtype"]) == ("numpy.ndarray", [2, 2], "float64")
    assert (found["length"], found["size_bytes"]) == (2, 32)
    assert dict(map(_pair, found["facts"])) == {
        "first values": "[1.5, nan, -2.0, 4.0]",
        "NaN": "1",
        "range": "-2.0 to 4.0",
    }


@given(st.lists(st.floats(allow_nan=True, width=32), max_size=50))
def test_the_range_is_that_of_the_values(values: list[float]) -> None:
    found = dict(array_facts(np.array(values, dtype=np.float64)))
    there = [value for value in values if not math.isnan(value)]
    assert found["NaN"] == str(len(values) - len(there))
    if there:
        low, high = map(float, found["range"].split(" to "))
        assert (low, high) == (min(there), max(there))
    else:
        assert "range" not in found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([True, False]), {"range": "False to True", "first values": "[True, False]"}),
        (np.array([1 + 2j]), {"NaN": "0", "first values": "[(1+2j)]"}),
        (np.array(["a", "b"]), {"first values": "['a', 'b']"}),
        (np.array("2020-01-02", dtype="M8[D]"), {"first values": "['2020-01-02']"}),
        (np.zeros((0, 3)), {"NaN": "0", "first values": "[]"}),
        (np.array(5), {"range": "5 to 5", "first values": "[5]"}),
        (np.array([object()]), {}),
        (np.zeros(2, dtype=[("a", "i4")]), {}),
    ],
)
def test_kinds_of_elements(value: object, expected: dict[str, str]) -> None:
    assert facts(value) == expected


def test_the_range_of_many_values_is_that_of_the_first() -> None:
    found = facts(np.arange(MOST_VALUES + 5))
    assert found["range"] == f"0 to {MOST_VALUES - 1}"
    assert found["counted"] == "the first 1,000,000 of 1,000,005 values"


def test_a_file_of_8_gb_that_is_mapped_is_not_read(tmp_path: Path) -> None:
    mapped = np.memmap(tmp_path / "big", dtype="u1", mode="w+", shape=(MANY_BYTES,))
    views = {"itself": mapped, "array": np.asarray(mapped), "part": np.asarray(mapped)[5:10]}
    for view in views.values():
        found = described(view)
        assert (found["note"], found["facts"]) == (MAPPED, [])
        assert found["size_bytes"] == view.nbytes
    assert described(mapped)["type"] == "numpy.memmap"
    assert (tmp_path / "big").stat().st_blocks * 512 < MANY_BYTES // 1000


def test_memory_that_is_mapped_elsewhere_is_noticed() -> None:
    with mmap.mmap(-1, 4096) as memory:
        array = np.frombuffer(memory, dtype="u1")
        assert is_mapped(array)
        assert described(array)["facts"] == []
        through_view = np.frombuffer(memoryview(memory), dtype="u1")
        assert is_mapped(through_view)
        del array, through_view
    assert not is_mapped(np.frombuffer(b"abc", dtype="u1"))


class Owner:
    """Memory that numpy does not own."""

    def __init__(self, held: np.ndarray) -> None:
        self.held = held
        self.__array_interface__ = dict(held.__array_interface__)


def test_memory_of_a_strange_owner_is_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapped = np.memmap(tmp_path / "file", dtype="i8", mode="w+", shape=(2,))
    assert described(np.asarray(Owner(mapped)))["note"] == MAPPED
    array = np.asarray(Owner(np.arange(2)))
    assert facts(array) == {"first values": "[0, 1]", "range": "0 to 1"}
    monkeypatch.setattr(numpy_arrays, "is_file_mapped", lambda _address: None)
    assert facts(array) == {"first values": "[0, 1]"}


def test_subclasses_are_unknown() -> None:
    class Mine(np.ndarray):
        pass

    found = described(np.zeros(3).view(Mine))
    assert (found["is_known"], found["shape"], found["line"]) == (False, None, "")
    assert not is_array(np.zeros(3).view(Mine))


def test_nothing_of_objects_in_arrays_runs() -> None:
    values = [value for _, value in hostile_values()]
    array = np.empty(len(values), dtype=object)
    for at, value in enumerate(values):
        array[at] = value
    with nothing_may_run():
        found = described(array)
    assert "objects" in found["note"]


def test_what_stands_for_missing_texts_is_not_asked() -> None:
    class Missing:
        def __repr__(self) -> str:
            RAN.append("__repr__")
            return "missing"

    array = np.array(["a"], dtype=np.dtypes.StringDType(na_object=Missing()))
    with nothing_may_run():
        found = described(array)
    assert (found["dtype"], found["line"]) == ("StringDType", "StringDType 1")


def test_scalars_and_masks() -> None:
    assert described(np.float32(1.5))["line"] == "1.5"
    assert described([np.int8(3), np.datetime64("2020")])["line"] == "[3, '2020']"
    masked = described(np.ma.masked_array([1, 2], mask=[0, 1]))
    assert (masked["shape"], masked["facts"]) == ([2], [])


def test_first_values_are_builtin() -> None:
    assert first_values(np.arange(5), 2) == [0, 1]


def test_long_names_of_types_are_cut() -> None:
    many = np.zeros(3, dtype=[(f"f{at}", "i1") for at in range(30)])
    assert dtype_text(many.dtype).endswith(", f19, …)")
    assert len(described(many)["dtype"]) == LINE_CHARS
