"""Child processes of a benchmark: each says `READY …` when it listens, and ends with the block."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from jupyter_ac.models.choice import PROVIDER_KEYS

ROOT: Final = Path(__file__).parents[2]
END_S: Final = 15.0


def environment(further: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a child: no model, no Jupyter of this machine, compiled modules kept.

    Without compiled modules a start would measure the compiler, which no installed package sees.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in PROVIDER_KEYS and not name.startswith("JUPYTER")
    }
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept | dict(further or {})


@contextmanager
def module(
    name: str, *arguments: str, env: Mapping[str, str] | None = None
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run a module of ours until the block ends.

    Gives:
        the process and what it printed behind `READY`.
    """
    with subprocess.Popen(
        [sys.executable, "-m", name, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(env),
    ) as process:
        try:
            yield process, _ready(process)
        finally:
            end(process)


def end(process: "subprocess.Popen[str]") -> None:
    """End a process, at worst by force."""
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _ready(process: "subprocess.Popen[str]") -> str:
    """Pass over what a process prints before it is ready."""
    for line in process.stdout or ():
        if line.startswith("READY"):
            return line.removeprefix("READY").strip()
    raise RuntimeError(f"{process.args!r} ended before it was ready")
