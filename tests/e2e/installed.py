"""The wheel, installed as a user would: a fresh environment, no node within reach."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What the product may call besides its own environment; node is left out on purpose.
PROGRAMS = ("git", "sh", "bash", "env", "uname", "ps", "rg")


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the built wheel and JupyterLab in it.

    Attributes:
        venv: its folder.
        path: where programs are found.
        variables: further ones of each process.
    """

    venv: Path
    path: str
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    def environment(self, home: Path, **extra: str) -> dict[str, str]:
        """The variables of a process that knows nothing of the machine around it."""
        kept = {key: os.environ[key] for key in ("LANG", "LC_ALL", "TZ") if key in os.environ}
        return {
            **kept,
            "PATH": self.path,
            "HOME": str(home),
            "IPYTHONDIR": str(home / "ipython"),
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
            "JUPYTER_PLATFORM_DIRS": "1",
            **self.variables,
            **extra,
        }


def build_wheel(folder: Path) -> Path:
    """Build the wheel from the assets that stand there."""
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT])
    (wheel,) = folder.glob("jupyter_ac-*.whl")
    return wheel


def install(folder: Path, wheel: Path, *more: str) -> Installed:
    """Install the wheel, and what else is required, into a new environment."""
    venv = folder / "venv"
    uv = Path(sys.executable).with_name("uv")
    run([uv, "venv", "--quiet", "--python", sys.executable, venv])
    # Not compiled: most of it no test imports, and what one does is compiled then, once.
    options = ("--quiet", "--python", venv / "bin/python")
    run([uv, "pip", "install", *options, f"{wheel}[lab]", *more])
    return Installed(venv, f"{venv / 'bin'}:{programs(folder / 'programs')}")


def programs(folder: Path) -> Path:
    folder.mkdir()
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(found)
    return folder


def run(command: list[object]) -> None:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
