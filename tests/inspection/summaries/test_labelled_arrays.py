"""xarray and dask: nothing lazy is evaluated."""

import sys

import pytest

from jupyter_ac.inspection.summaries.labelled_arrays import labelled_summarizers
from tests.inspection.conftest import Describe

CODE = """
import numpy as np, xarray as xr, dask, dask.array as da, dask.dataframe as dd, pandas as pd
import tempfile, os
def evaluated(block):
    RAN.append("evaluated")
    return block
data = xr.Dataset(
    {"t": (("x", "y"), np.array([[1.0, np.nan, 3], [4, 5, 6]]))},
    coords={"x": [1, 2]}, attrs={"k": 1},
)
array = data["t"]
chunked = da.zeros((10, 10), chunks=5).map_blocks(evaluated, dtype=float)
lazy = xr.DataArray(chunked, dims=("x", "y"), name="q")
frame = dd.from_pandas(pd.DataFrame({"a": [1]}), npartitions=1)
frame = frame.map_partitions(evaluated, meta={"a": int})
delayed = dask.delayed(evaluated)(1)
file = np.memmap(os.path.join(tempfile.mkdtemp(), "f"), "f8", "w+", shape=(4, 2))
mapped = xr.DataArray(np.asarray(file), dims=("x", "y"))
strange = xr.DataArray(np.array([Tells()], dtype=object), dims="x", attrs={"a": Tells()})
"""


@pytest.mark.soak
def test_values_only_of_what_is_in_memory(describe: Describe) -> None:
    found = describe(CODE)
    assert found["data"]["line"] == "2 variables over {'x': 2, 'y': 3}"
    assert found["data"]["facts"] == [
        ["variables", "'t' float64 (x: 2, y: 3); 'x' (x: 2)"],
        ["attributes", "{'k': 1}"],
    ]
    array = found["array"]
    assert (array["shape"], array["dtype"]) == ([2, 3], "float64")
    assert ["range", "1.0 to 6.0"] in array["facts"]
    assert ["NaN", "1"] in array["facts"]
    assert (found["lazy"]["shape"], found["chunked"]["shape"]) == ([10, 10], [10, 10])
    for name in ("lazy", "chunked"):
        assert "lazy" in found[name]["note"]
        assert "range" not in {label for label, _ in found[name]["facts"]}
    for name in ("frame", "delayed"):
        assert "lazy" in found[name]["line"], name
    assert "mapped from a file" in found["mapped"]["note"]
    assert found["strange"]["shape"] == [1]


def test_what_is_not_loaded_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] in {"dask", "xarray"}:
            monkeypatch.delitem(sys.modules, name)
    assert [cls for cls, _ in labelled_summarizers() if cls is not None] == []
