"""An environment with the libraries whose values are summarised, for the soak."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from jupyter_ac.inspection.variables import VariableDescription

ROOT = Path(__file__).parents[2]
LIMIT_S = 600
LIBRARIES = (
    *("numpy==2.4.6", "pandas==3.1.1", "polars==2.1.0", "pyarrow==26.0.1", "xarray==2026.9.0"),
    *("dask==2026.8.0", "matplotlib==3.11.2", "scikit-learn==1.9.1"),
)
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
_MODULES = {
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "xarray",
    "dask",
    "matplotlib",
    "sklearn",
    "torch",
}

Describe = Callable[[str], dict[str, VariableDescription]]


@pytest.fixture(scope="session")
def library_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with these libraries: 690 MB."""
    venv = tmp_path_factory.mktemp("libraries") / "venv"
    uv, python = Path(sys.executable).with_name("uv"), venv / "bin" / "python"
    for command in (
        (uv, "venv", "--quiet", "--python", sys.executable, venv),
        (uv, "pip", "install", "--quiet", "--python", python, *LIBRARIES),
    ):
        subprocess.run([str(word) for word in command], check=True, timeout=LIMIT_S)
    return python


@pytest.fixture
def describe(library_python: Path) -> Describe:
    """Run code there, and return the descriptions of its variables.

    `Tells` is a class in it whose instances tell when one of their methods has run; then it fails.
    It fails as well if describing has imported one of the libraries.
    """
    variables = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    return lambda code: _described(code, (library_python, "-W", "error"), variables)


@pytest.fixture(scope="session")
def debian_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Debian's torch and what it needs, unpacked and not installed: 630 MB.

    To download them takes Debian and root, as to install Chromium for the browser tests.
    """
    folder = tmp_path_factory.mktemp("torch")
    install = ("apt-get", "install", "--no-install-recommends", "--yes", "python3-torch")
    _output(*install, "--download-only")
    lines = _output(*install, "--simulate").splitlines()
    cache = _output("apt-config", "shell", "D", "Dir::Cache::archives/d").split("'")[1]
    for name in [line.split()[1] for line in lines if line.startswith("Inst ")]:
        (*_, package) = sorted(Path(cache).glob(f"{name}_*.deb"))
        _output("dpkg-deb", "--extract", str(package), str(folder))
    return folder


@pytest.fixture
def describe_torch(debian_packages: Path) -> Describe:
    """Run code with Debian's Python and torch; else as `describe`."""
    libraries = {str(file.parent) for file in debian_packages.rglob("lib*.so.*")}
    modules = debian_packages / "usr/lib/python3/dist-packages"
    variables = {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{modules}",
        "LD_LIBRARY_PATH": os.pathsep.join(sorted(libraries)),
    }
    return lambda code: _described(code, ("/usr/bin/python3",), variables)


def _output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _described(
    code: str, python: Sequence[str | Path], variables: Mapping[str, str]
) -> dict[str, VariableDescription]:
    done = subprocess.run(
        [*python, "-c", _PROGRAM.format(code=code, libraries=_MODULES)],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        env=os.environ | variables,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, VariableDescription]
    found, foreign = json.loads(done.stdout.splitlines()[-1])
    assert foreign == []
    return found
