"""Tables of pyarrow and polars."""

import sys
from decimal import Decimal

import pytest

from jupyter_ac.inspection.summaries.arrow_tables import arrow_summarizers, arrow_type
from tests.inspection.conftest import Describe

POLARS = """
import polars as pl
t = pl.DataFrame({
    "a": [1, 2], "s": ["x", None], "l": [[1], [2, 3]],
    "o": pl.Series([Tells(), Tells()], dtype=pl.Object),
    "r": [{"f": 1}, {"f": 2}],
})
lazy = t.lazy().select("a")
series = pl.Series("k", [1.5])
class Mine(pl.DataFrame): pass
mine = Mine({"a": [1]})
del Mine
"""
PYARROW = """
import pyarrow as pa
class MineType(pa.ExtensionType):
    def __init__(self): pa.ExtensionType.__init__(self, pa.int64(), "mine")
    def __arrow_ext_serialize__(self): return b""
    @classmethod
    def __arrow_ext_deserialize__(cls, storage, data): return cls()
    def __str__(self): RAN.append("str"); return "?"
    def __arrow_ext_scalar_class__(self): return MineScalar
class MineScalar(pa.ExtensionScalar):
    def as_py(self, **options): RAN.append("as_py"); return 7
kind = MineType()
own = pa.ExtensionArray.from_storage(kind, pa.array([1, 2]))
t = pa.table({
    "a": [1, 2], "s": ["x", None], "st": [{"x": 1}, {"x": 2}], "own": own,
    "d": pa.array(["u", "u"]).dictionary_encode(),
    "lo": pa.ListArray.from_arrays([0, 1, 2], own),
})
batch = pa.record_batch({"a": [1]})
chunked = pa.chunked_array([[1, 2], [3]])
empty = pa.chunked_array([], type=pa.int64())
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), "file.arrow")
with pa.ipc.new_file(path, t.select(["a"]).schema) as writer: writer.write(t.select(["a"]))
mapped = pa.ipc.open_file(pa.memory_map(path)).read_all()
column = mapped["a"]
"""
OVER_ARROW = """
import pandas as pd, pyarrow as pa
t = pd.DataFrame({
    "s": pd.array(["q", None], dtype="string[pyarrow]"),
    "n": pd.array([1, None], dtype=pd.ArrowDtype(pa.int64())),
})
"""


@pytest.mark.soak
def test_polars(describe: Describe) -> None:
    found = describe(POLARS)
    table = found["t"]
    assert (table["shape"], table["line"]) == ([2, 5], "2 rows x 5 columns")
    assert [column["dtype"] for column in table["columns"][:4]] == [
        *("Int64", "String", "List(Int64)", "Object")
    ]
    assert table["head"] == [["1", "x", "[1]", "", "{'f': 1}"], ["2", "", "[2, 3]", "", "{'f': 2}"]]
    assert "objects" in table["note"]
    assert "lazy" in found["lazy"]["line"]
    assert found["lazy"]["columns"] == []
    assert (found["series"]["dtype"], found["series"]["length"]) == ("Float64", 1)
    assert not found["mine"]["is_known"]


@pytest.mark.soak
def test_pyarrow(describe: Describe) -> None:
    found = describe(PYARROW)
    table = found["t"]
    assert table["shape"] == [2, 6]
    kinds = {column["name"]: column["dtype"] for column in table["columns"]}
    assert (kinds["a"], kinds["st"]) == ("int64", "struct<x: int64>")
    assert (kinds["own"], kinds["lo"]) == ("extension", "extension")
    assert table["head"][0] == ["1", "x", "{'x': 1}", "", "u", ""]
    assert "extension" in table["note"]
    assert found["batch"]["shape"] == [1, 1]
    assert found["chunked"]["facts"] == [["first values", "[1, 2, 3]"]]
    assert found["empty"]["facts"] == [["first values", "[]"]]
    for name in ("mapped", "column"):
        assert "mapped from a file" in found[name]["note"]
        assert (found[name]["head"], found[name]["facts"]) == ([], [])


@pytest.mark.soak
def test_pandas_over_pyarrow(describe: Describe) -> None:
    table = describe(OVER_ARROW)["t"]
    assert table["head"] == [["q", "1"], ["", ""]]
    assert [column["dtype"] for column in table["columns"]] == ["large_string", "int64"]


def test_what_is_not_loaded_is_not_known() -> None:
    assert "polars" not in sys.modules
    assert [cls for cls, _ in arrow_summarizers() if cls is not None] == []


def test_a_type_of_another_library_is_only_named() -> None:
    assert arrow_type(Decimal(1)) == "extension"
