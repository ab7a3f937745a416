"""Describes values of real libraries in an environment of their own, for the soak."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_ac.inspection.variables import VariableDescription

ROOT = Path(__file__).parents[2]
LIMIT_S = 600
_PROGRAM = """
import json, sys
RAN = []
class Tells:
    def __repr__(self): RAN.append("repr"); return "?"
    def __str__(self): RAN.append("str"); return "?"
    def __len__(self): RAN.append("len"); return 1
    def __getattr__(self, name):
        RAN.append(name)
        raise AttributeError(name)
namespace = {{"RAN": RAN, "Tells": Tells}}
exec({code!r}, namespace)
del RAN[:]
before = set(sys.modules)
from jupyter_ac.inspection.variables import describe_variable, list_variables
listed = list_variables(namespace)["variables"]
found = {{row["name"]: describe_variable(namespace, row["name"], None) for row in listed}}
assert RAN == [], RAN
foreign = [name for name in set(sys.modules) - before if name.split(".")[0] in {libraries!r}]
print(json.dumps([found, foreign]))
"""
_MODULES = {"numpy", "pandas", "polars", "pyarrow", "xarray", "dask", "matplotlib", "sklearn"}

Describe = Callable[[str], dict[str, VariableDescription]]


@pytest.fixture
def describe(library_python: Path) -> Describe:
    """Run code there, and return the descriptions of its variables.

    `Tells` is a class in it whose instances tell when one of their methods has run; then it fails.
    It fails as well if describing has imported one of the libraries.
    """

    def run(code: str) -> dict[str, VariableDescription]:
        done = subprocess.run(
            [library_python, "-W", "error", "-c", _PROGRAM.format(code=code, libraries=_MODULES)],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, VariableDescription]
        found, foreign = json.loads(done.stdout.splitlines()[-1])
        assert foreign == []
        return found

    return run
