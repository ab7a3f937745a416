"""Search for inputs by coverage: `python -m tests.fuzz.guided NAME [SECONDS]`.

Needs `pip install atheris`, which not every machine can install. What is new is kept under
`.cache/fuzz/NAME/`, what fails beside it; move it into `corpus/`, and every run tries it.
"""

import asyncio
import logging
import sys
from importlib import import_module
from pathlib import Path

from tests.fuzz.corpus import FOLDER

KEPT = Path(__file__).parents[2] / ".cache" / "fuzz"


def main(name: str, seconds: str = "60") -> None:
    """Search for a while, with one target.

    Args:
        name: of the target.
        seconds: for how long.
    """
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["jupyter_ac"]):
        targets = import_module("tests.fuzz.targets")
    logging.disable(logging.ERROR)
    check = targets.check_of(name, asyncio.new_event_loop())
    found = KEPT / name.replace(" ", "-")
    found.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={KEPT}/failed-", "-max_len=65536"]
    kept = FOLDER / targets.TARGETS[name]
    atheris.Setup([sys.argv[0], *options, str(found), str(kept)], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
