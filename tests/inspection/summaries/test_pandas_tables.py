"""pandas' tables: schema and head, and nothing of what the user put into them."""

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from pandas.api.extensions import ExtensionArray, ExtensionDtype

from jupyter_ac.inspection.summaries.pandas_tables import index_length
from jupyter_ac.inspection.summaries.summary import COLUMNS, HEAD_ROWS, MAPPED
from jupyter_ac.inspection.variables import VariableDescription, describe_variable
from tests.inspection.hostile import RAN, hostile_class, hostile_values, make, nothing_may_run


def described(value: object) -> VariableDescription:
    return describe_variable({"x": value}, "x", None)


def dtypes(value: object) -> dict[str, str]:
    return {column["name"]: column["dtype"] for column in described(value)["columns"]}


class OwnDtype(ExtensionDtype):
    name = "own"
    type = object

    @classmethod
    def construct_array_type(cls) -> object:
        return OwnArray


class OwnArray(ExtensionArray):
    """An array class of the user's: pandas asks it for everything."""

    def __init__(self, values: list[object]) -> None:
        self.values = values

    @classmethod
    def _from_sequence(cls, scalars: object, **_options: object) -> "OwnArray":
        assert isinstance(scalars, list)
        return cls(scalars)

    @property
    def dtype(self) -> ExtensionDtype:
        RAN.append("dtype")
        return OwnDtype()

    @property
    def nbytes(self) -> int:
        RAN.append("nbytes")
        return 0

    def __len__(self) -> int:
        RAN.append("__len__")
        return len(self.values)

    def __getitem__(self, item: object) -> object:
        RAN.append("__getitem__")
        return OwnArray(self.values)

    def copy(self) -> "OwnArray":
        return OwnArray(list(self.values))


class OwnZone(dt.tzinfo):
    def utcoffset(self, _moment: dt.datetime | None) -> dt.timedelta:
        RAN.append("utcoffset")
        return dt.timedelta(hours=1)

    def dst(self, _moment: dt.datetime | None) -> dt.timedelta:
        return dt.timedelta()

    def tzname(self, _moment: dt.datetime | None) -> str:
        RAN.append("tzname")
        return "own"


def test_schema_and_head() -> None:
    table = pd.DataFrame(
        {
            "number": [1, 2],
            "text": ["x", None],
            "when": pd.to_datetime(["2020-01-02", None]),
            "zoned": pd.to_datetime(["2020-01-02"] * 2).tz_localize(ZoneInfo("Europe/Berlin")),
            "kind": pd.Categorical(["u", None]),
            "maybe": pd.array([1, None], dtype="Int64"),
            "span": pd.arrays.IntervalArray.from_breaks([0, 1, 2]),
            "month": pd.period_range("2020-01", periods=2, freq="M"),
            "logical": [True, False],
            "delay": pd.to_timedelta(["1 day", "2 days"]),
        }
    )
    found = described(table)
    assert (found["type"].rpartition(".")[2], found["shape"]) == ("DataFrame", [2, 10])
    assert found["line"] == "2 rows x 10 columns"
    assert [column["name"] for column in found["columns"]] == list(table.columns)
    kinds = {column["name"]: column["dtype"] for column in found["columns"]}
    assert kinds["number"] == "int64"
    assert kinds["zoned"].endswith("UTC, for Europe/Berlin")
    assert (kinds["kind"], kinds["maybe"], kinds["span"]) == ("category", "Int64", "interval")
    first, second = found["head"]
    assert [first[0], first[4], first[5], first[8]] == ["1", "u", "1", "True"]
    assert first[2].startswith("2020-01-02T00:00:00")
    assert first[3].startswith("2020-01-01T23:00:00")
    assert [second[2], second[4], second[5]] == ["NaT", "", ""]
    assert "number (int64)" in found["text"]


def test_columns_of_one_block_are_told_apart() -> None:
    table = pd.DataFrame({"a": [1, 2], "b": [3.5, 4.5], "c": [5, 6]})
    assert described(table)["head"] == [["1", "3.5", "5"], ["2", "4.5", "6"]]


def test_wide_and_long_tables_are_cut() -> None:
    found = described(pd.DataFrame(np.zeros((1000, 500))))
    assert (len(found["columns"]), found["columns_left_out"]) == (COLUMNS, 500 - COLUMNS)
    assert len(found["head"]) == HEAD_ROWS
    assert found["columns"][0] == {"name": "0", "dtype": "float64"}


def test_a_table_of_many_blocks() -> None:
    table = pd.concat([pd.DataFrame({f"c{at}": [at, at]}) for at in range(1000)], axis=1)
    assert len(table._mgr.blocks) == 1000
    found = described(table)
    assert (found["shape"], found["size_bytes"]) == ([2, 1000], 1000 * 16)
    assert found["head"] == [[str(at) for at in range(COLUMNS)]] * 2


def test_labels_of_several_levels() -> None:
    columns = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])
    found = described(pd.DataFrame(np.zeros((1, 2)), columns=columns))
    assert [column["name"] for column in found["columns"]] == ["('a', 1)", "('b', 2)"]
    assert index_length(columns) == 2


def test_series_and_indexes() -> None:
    found = described(pd.Series([1.0, np.nan], name="s"))
    assert (found["shape"], found["dtype"]) == ([2], "float64")
    assert found["columns"] == [{"name": "s", "dtype": "float64"}]
    assert ["range", "1.0 to 1.0"] in found["facts"]
    assert ["NaN", "1"] in found["facts"]
    index = described(pd.Index(["a", "b"]))
    assert index["facts"] == [["first labels", "a, b"]]
    assert described(pd.RangeIndex(5))["length"] == 5
    assert described(pd.date_range("2020", periods=3))["length"] == 3


def test_empty_tables() -> None:
    assert described(pd.DataFrame())["shape"] == [0, 0]
    assert described(pd.DataFrame({"a": []}))["head"] == []
    assert described(pd.Series([], dtype="float64"))["length"] == 0


def test_nothing_of_objects_in_columns_and_labels_runs() -> None:
    values = [value for name, value in hostile_values() if name != "proxy"]
    cells = np.full((len(values), 2), 0, dtype=object)
    table = pd.DataFrame(cells, columns=["objects", "numbers"])
    (held,) = table._mgr.arrays  # pandas would look at what is assigned
    for at, value in enumerate(values):
        held[0, at] = value
    RAN.clear()
    with nothing_may_run():
        found = described(table)
        series = described(table["objects"])
    assert [row[1] for row in found["head"]] == ["0"] * HEAD_ROWS
    assert found["head"][0][0] == "<Plain>"
    assert len(series["head"]) == HEAD_ROWS


def test_nothing_of_array_classes_of_the_users_runs() -> None:
    table = pd.DataFrame({"own": OwnArray([1, 2]), "plain": [3, 4]})
    over = pd.Index(OwnArray([1, 2]))
    series = pd.Series(OwnArray([1, 2]))
    with nothing_may_run():
        found = described(table)
        index, own = described(over), described(series)
    assert {column["name"]: column["dtype"] for column in found["columns"]} == {
        "own": "",
        "plain": "int64",
    }
    assert found["head"] == [["", "3"], ["", "4"]]
    assert "unknown array classes" in found["note"]
    assert index["length"] is None
    assert own["shape"] is None


def test_nothing_of_time_zones_of_the_users_runs() -> None:
    moments = pd.DatetimeIndex(["2020-01-02"]).tz_localize(OwnZone())
    table = pd.DataFrame({"when": moments})
    stamp = pd.Timestamp("2020-01-02", tz=OwnZone())
    with nothing_may_run():
        found = described(table)
        listed = described([stamp])
    assert found["columns"][0]["dtype"].endswith("UTC, for a time zone")
    assert listed["line"] == "['…']"


def test_subclasses_and_forged_tables_are_not_read() -> None:
    class Mine(pd.DataFrame):
        pass

    assert not described(Mine({"a": [1]}))["is_known"]
    forged = pd.DataFrame({"a": [1]})
    object.__setattr__(forged, "_mgr", make(hostile_class("BlockManager")))
    with nothing_may_run():
        found = described(forged)
    assert "can't be read" in found["line"]


def test_tables_over_mapped_files_have_no_values(tmp_path: Path) -> None:
    mapped = np.memmap(tmp_path / "file", dtype="f8", mode="w+", shape=(100, 2))
    table = pd.DataFrame(np.asarray(mapped), copy=False)
    found = described(table)
    assert (found["note"], found["head"]) == (MAPPED, [])
    assert described(table[0])["note"] == MAPPED


@pytest.mark.parametrize("missing", [pd.NA, pd.NaT])
def test_missing_values_in_containers(missing: object) -> None:
    assert described([missing])["line"] == "[None]"
    assert described([pd.Timedelta("1 day")])["line"] == "['1 days 00:00:00']"
