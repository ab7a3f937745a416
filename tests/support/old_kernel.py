"""An environment with ipykernel 6, for compatibility tests: `running_kernel(python=…)`."""

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
    venv = tmp_path_factory.mktemp("old") / "venv"
    uv = Path(sys.executable).with_name("uv")
    python = venv / "bin" / "python"
    packages = ("-r", ROOT / "pyproject.toml", "ipykernel<7")
    for command in (
        (uv, "venv", "--quiet", "--python", sys.executable, venv),
        (uv, "pip", "install", "--quiet", "--python", python, *packages),
    ):
        words = [str(word) for word in command]
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=LIMIT_S, check=False, cwd=ROOT
        )
        assert done.returncode == 0, done.stderr
    return python
