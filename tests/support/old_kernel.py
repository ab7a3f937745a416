"""Environments with other packages than this one: `running_kernel(python=…)`."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT_S = 300


@pytest.fixture(scope="session")
def old_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with our dependencies and the last ipykernel before 7.

    The checkout itself comes by PYTHONPATH.
    """
    return made_environment(tmp_path_factory.mktemp("old"), "ipykernel<7")


@pytest.fixture(scope="session")
def extras_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with papermill and matplotlib, for the soak."""
    folder = tmp_path_factory.mktemp("extras")
    return made_environment(folder, "papermill==2.7.0", "matplotlib==3.11.2")


def made_environment(folder: Path, *packages: str) -> Path:
    """Make an environment with our dependencies and these packages; returns its interpreter."""
    uv, venv = Path(sys.executable).with_name("uv"), folder / "venv"
    python = venv / "bin" / "python"
    for command in (
        (uv, "venv", "--quiet", "--python", sys.executable, venv),
        (
            *(uv, "pip", "install", "--quiet", "--python", python, "-r", ROOT / "pyproject.toml"),
            *packages,
        ),
    ):
        words = [str(word) for word in command]
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=LIMIT_S, check=False, cwd=ROOT
        )
        assert done.returncode == 0, done.stderr
    return python
