"""Edits by a process that is killed: `python -m tests.support.doomed_edits FOLDER`.

Reads one command a line: `apply` or `undo`, the name of a batch, and the step before which it dies,
-1 for none. A child that is forked for it carries it out; its process id is written when it begins,
and `done` or `killed` when it is gone.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from tests.meta.sources import ROOT
from tests.support.doomed import Doom, count_steps
from tests.support.edited import apply_options, delete, edit, editing, rename
from tests.support.repositories import RepositoryFolder

FILES: dict[str, str | bytes] = {
    "a.py": "one\ntwo\n",
    "b.py": b"x\r\ny",
    "sub/c.py": "c\n",
    "old.py": "o\n",
    "gone.py": "g\n",
    "other.py": "left alone\n",
}

_UNHARMED = -1


def blocks() -> list[EditBlock]:
    """Return blocks that do everything that blocks can do to `FILES`."""
    return [
        edit("a.py", "one", "1"),
        edit("b.py", "y", "z"),
        edit("new/deep/n.py", "", "n"),
        rename("old.py", "moved/new.py"),
        edit("sub/c.py", "c", "d"),
        delete("gone.py"),
        edit("a.py", "two", "2"),
    ]


class DoomedEditor:
    """Whoever edits and is killed meanwhile; each method tells whether it came to its end."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def whole(self, what: str, batch: str) -> float:
        """Have something done; returns the seconds that it took."""
        begun = time.monotonic()
        self._begin(what, batch, _UNHARMED)
        assert self._answer() == "done"
        return time.monotonic() - begun

    def until_step(self, what: str, batch: str, last: int) -> bool:
        """Have it killed before a step."""
        self._begin(what, batch, last)
        return self._answer() == "done"

    def for_seconds(self, what: str, batch: str, after_s: float) -> bool:
        """Kill it from outside after a while."""
        pid = self._begin(what, batch, _UNHARMED)
        time.sleep(after_s)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return self._answer() == "done"

    def _begin(self, what: str, batch: str, last: int) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{what} {batch} {last}\n")
        self._process.stdin.flush()
        return int(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def doomed_editor(root: Path) -> Iterator[DoomedEditor]:
    """Start one for a repository."""
    command = [sys.executable, "-m", "tests.support.doomed_edits", str(root)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield DoomedEditor(process)
        finally:
            process.kill()


async def carry_out(folder: RepositoryFolder, what: str, batch: str, last: int) -> None:
    async with editing(folder) as work:
        await work.applier.undoing.differing(batch)  # opens the history
        if last != _UNHARMED:
            count_steps(Doom(last))
        if what == "apply":
            await work.applier.apply(blocks(), apply_options(None), batch)
        else:
            await work.applier.undoing.undo(batch)


def in_a_child(folder: RepositoryFolder, what: str, batch: str, last: int) -> str:
    child = os.fork()
    if child == 0:
        try:
            _say(str(os.getpid()))
            asyncio.run(carry_out(folder, what, batch, last))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return "killed" if os.WIFSIGNALED(status) else "done"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _say("ready")
    for command_line in sys.stdin:
        asked, name, step = command_line.split()
        _say(in_a_child(RepositoryFolder(Path(sys.argv[1])), asked, name, int(step)))
