"""An environment with the libraries whose values are summarised, for the soak."""

import subprocess
import sys
from pathlib import Path

import pytest

LIMIT_S = 600
LIBRARIES = (
    *("numpy==2.4.6", "pandas==3.1.1", "polars==2.1.0", "pyarrow==26.0.1", "xarray==2026.9.0"),
    *("dask==2026.8.0", "matplotlib==3.11.2", "scikit-learn==1.9.1"),
)


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
