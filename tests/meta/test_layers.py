"""The layers of docs/architecture.md hold."""

import subprocess
import sys
from pathlib import Path

from tests.meta.sources import ROOT


def test_import_linter_keeps_every_contract() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout
