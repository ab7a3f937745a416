"""A second process that changes a repository: `python -m tests.support.rival FOLDER NAME`.

Works until its standard input ends, and then prints the acknowledged changes, as JSON.
"""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.errors import Conflict, GitError
from jupyter_ac.git.files import file_hash, read_text
from jupyter_ac.git.repository import discover
from tests.support.changing import Service, service_of

CLIENTS = 4
WAIT_S = 90.0
"""Of each for the others: longer than a user's, whatever else the machine does."""
_READY = "ready"


@dataclass
class Acknowledged:
    """The acknowledged changes.

    Attributes:
        counted: the numbers that `counter` was raised to.
        commits: their hashes.
        staged: the content of this process's files when they were last staged.
        refused: error messages of refused changes.
    """

    counted: list[int] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    staged: dict[str, str] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


async def count(service: Service, acknowledged: Acknowledged) -> None:
    """Raise the number in `counter` by one, if nobody else does."""
    observed = await file_hash(service.repository, "counter")
    number = int(await read_text(service.repository, "counter")) + 1
    try:
        await service.writes.write_file("counter", f"{number}\n", observed)
    except Conflict:
        return
    acknowledged.counted.append(number)


async def move(service: Service, acknowledged: Acknowledged, name: str) -> None:
    """Move a file of one's own away with its folder, and back; put it back when that is refused."""
    root = service.repository.root
    try:
        await service.moves.rename_file(f"{name}/x", f"{name}/y")
        await service.moves.rename_directory(name, f"{name}-moved")
        await service.moves.rename_file(f"{name}-moved/y", f"{name}/x")
    except (Conflict, GitError) as error:
        acknowledged.refused.append(error.message)
        for place in (root / f"{name}-moved", root / name):
            shutil.rmtree(place, ignore_errors=True)
        await service.writes.write_file(f"{name}/x", "put back\n")


async def work(service: Service, acknowledged: Acknowledged, name: str, turn: int) -> None:
    """Write, stage and commit a file of one's own, and count."""
    await count(service, acknowledged)
    await service.writes.write_file(f"{name}/x", f"{turn}\n")
    if turn % 3:
        await move(service, acknowledged, name)
    await service.staging.stage_files([f"{name}/x"])
    acknowledged.staged[f"{name}/x"] = f"{turn}"
    try:
        acknowledged.commits.append((await service.staging.commit(f"{name} {turn}"))["sha"])
    except GitError as error:
        if "Nothing is staged" not in error.message:
            acknowledged.refused.append(error.message)


async def rival(root: Path, name: str) -> Acknowledged:
    """Have some clients work at once until standard input ends."""
    service = service_of(await discover(root), wait_s=WAIT_S)
    acknowledged = Acknowledged()
    end = asyncio.create_task(asyncio.to_thread(sys.stdin.read))

    async def client(number: int) -> None:
        turn = 0
        while not end.done():
            await work(service, acknowledged, f"{name}{number}", turn)
            turn += 1

    sys.stdout.write(f"{_READY}\n")
    sys.stdout.flush()
    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    return acknowledged


@contextmanager
def running_rival(root: Path, name: str) -> Iterator["subprocess.Popen[str]"]:
    """Start one; it is killed at the end if it still runs."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.rival", str(root), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == _READY
            yield process
        finally:
            process.kill()


def ended(process: "subprocess.Popen[str]") -> Acknowledged:
    """End the process, and return its acknowledged changes."""
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return Acknowledged(**json.loads(said))


if __name__ == "__main__":
    done = asyncio.run(rival(Path(sys.argv[1]), sys.argv[2]))
    sys.stdout.write(json.dumps(vars(done)))
