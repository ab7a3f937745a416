"""Files that crash or hang a parser process, as a fault in a grammar would."""

from pathlib import Path
from typing import Final

import pytest

KILLED: Final = "# this file kills its parser\n"
"""Content by which a parser is ended by SIGKILL."""

EXITING: Final = "# this file ends its parser\n"
"""Content by which a parser ends itself."""

SLOW: Final = "# this file takes too long\n"
"""Content by which a parser meets its limit of processor time."""

SILENT: Final = "# this file stops its parser\n"
"""Content at which a parser stands still, as on a machine that is too busy."""

_SITE: Final = f"""
import os, signal, sys

if sys.orig_argv[-1] == "parse":
    from jupyter_ac.index.indexing.file_reader import Reader

    read = Reader.read

    def deadly(self, path, limit):
        data = read(self, path, limit)
        if {KILLED.encode()!r} in data:
            os.kill(os.getpid(), signal.SIGKILL)
        if {EXITING.encode()!r} in data:
            os._exit(3)
        if {SLOW.encode()!r} in data:
            signal.raise_signal(signal.SIGVTALRM)
        if {SILENT.encode()!r} in data:
            os.kill(os.getpid(), signal.SIGSTOP)
        return data

    Reader.read = deadly
"""


def make_parsers_mortal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the parsers that are started from now on die of, or stop at, the contents above.

    Args:
        folder: an empty one, for what they load at their start.
        monkeypatch: of the test.
    """
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_SITE)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{Path(__file__).parents[2]}")
