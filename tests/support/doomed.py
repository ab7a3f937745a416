"""A process that is killed in the middle of a change: `python -m tests.support.doomed FOLDER`.

Reads one change a line, as JSON: the method, its arguments, and the step before which it dies. Each
is made by a child that is forked for it. Says whether the child came to its end.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from jupyter_ac.git.repository import Repository, discover
from tests.support.changing import service_of

STEPS = (
    "open",
    "write",
    "fchmod",
    "fsync",
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
)

_LOCKING = (".lock", ".held", "/locks", "/jupyter_ac")
"""The ends of paths whose changes don't count."""


class Doom:
    """Counts the steps of a change and ends the process before one of them."""

    def __init__(self, last: int) -> None:
        self.left = last

    def step(self) -> None:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1

    def before(self, function: Callable[..., object]) -> Callable[..., object]:
        def counted(*args: object, **kwargs: object) -> object:
            if not str(args[0]).endswith(_LOCKING):
                self.step()
            return function(*args, **kwargs)

        return counted


async def change(repository: Repository, what: str, arguments: list[object], last: int) -> None:
    service = service_of(repository)
    parts = (service.writes, service.staging, service.moves, service.review)
    (method,) = (getattr(part, what) for part in parts if hasattr(part, what))
    count_steps(Doom(last))
    await method(*arguments)


def count_steps(doom: Doom) -> None:
    """Have every step of this process counted from here on."""
    for name in STEPS:
        setattr(os, name, doom.before(getattr(os, name)))
    start: Callable[..., Awaitable[object]] = asyncio.create_subprocess_exec

    async def counted_start(*args: object, **options: object) -> object:
        doom.step()  # before git, and right after it has begun
        process = await start(*args, **options)
        doom.step()
        return process

    vars(asyncio)["create_subprocess_exec"] = counted_start


def in_a_child(repository: Repository, what: str, arguments: list[object], last: int) -> bool:
    """Have a child make the change; returns whether it came to its end."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            asyncio.run(change(repository, what, arguments, last))
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert status in {0, signal.SIGKILL}, f"{what} failed"
    return status == 0


class Doomed:
    """Whoever makes changes and is killed meanwhile."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def change(self, last: int, what: str, *arguments: object) -> bool:
        """Make a change, killed before step number `last`; returns whether it was completed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, arguments, last]) + "\n")
        self._process.stdin.flush()
        return bool(json.loads(self._process.stdout.readline()))


@contextmanager
def doomed(root: Path) -> Iterator[Doomed]:
    """Start one for a repository."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.doomed", str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Doomed(process)
        finally:
            process.kill()


if __name__ == "__main__":
    found = asyncio.run(discover(Path(sys.argv[1])))
    for line in sys.stdin:
        sys.stdout.write(json.dumps(in_a_child(found, *json.loads(line))) + "\n")
        sys.stdout.flush()
