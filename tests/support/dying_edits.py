"""A turn with edits in a process that is killed: `python -m tests.support.dying_edits FOLDER`.

Reads one turn a line, as JSON: its number, and after how many seconds the process that makes it is
killed from outside. Each is made by a child that is forked for it. Says whether it came to its end.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.chat.edited import edit, editing_again
from tests.support.repositories import RepositoryFolder

FILES: Final = tuple(f"file{number}.txt" for number in range(4))
BEFORE: Final = "top\nanchor\nbottom\n"
PACE_S: Final = 0.0005


def after(number: int) -> str:
    """What a turn makes of each file."""
    return f"top\nanchor\nadded {number}\nbottom\n"


def created(number: int) -> str:
    """The name of the file that a turn makes."""
    return f"new{number}.txt"


def answers(number: int) -> tuple[str, str]:
    """The turn's first answer, of which one block fails, and the answer to the second request."""
    added = [edit(name, "anchor\n", f"anchor\nadded {number}\n") for name in FILES]
    missed = edit(FILES[-1], "no such line\n", f"anchor\nadded {number}\n")
    first = [*added[:-1], edit(created(number), "", f"made {number}\n"), missed]
    return "Like so:\n\n" + "\n".join(first), "Sorry:\n\n" + added[-1]


async def take_turn(folder: Path, number: int) -> None:
    made = RepositoryFolder(folder / "repo")
    async with editing_again(made, folder) as world:
        world.model.pace_s = PACE_S
        conversation = await world.conversation(*FILES)
        await world.ask(conversation, *answers(number), number=number)


def run_and_kill(folder: Path, number: int, after_s: float) -> bool:
    """Make the turn in a child and kill it; say whether it had ended by itself."""
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(take_turn(folder, number))
        finally:
            os._exit(0)
    end = time.monotonic() + after_s
    while time.monotonic() < end:
        ended, _ = os.waitpid(child, os.WNOHANG)
        if ended:
            return True
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return not os.WIFSIGNALED(status)


def main() -> None:
    folder = Path(sys.argv[1])
    for line in sys.stdin:
        number, after_s = json.loads(line)
        sys.stdout.write(json.dumps(run_and_kill(folder, number, after_s)) + "\n")
        sys.stdout.flush()


class Killer:
    """The process that makes turns and kills them."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def turn(self, number: int, after_s: float) -> bool:
        """Make a turn, kill it; say whether it had come to its end before."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([number, after_s]), file=self._process.stdin, flush=True)
        return bool(json.loads(self._process.stdout.readline()))


@contextmanager
def killer(folder: Path) -> Iterator[Killer]:
    """Run it over a folder with `repo` in it."""
    command = [sys.executable, "-m", "tests.support.dying_edits", str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Killer(process)
        assert process.stdin is not None
        process.stdin.close()


def moments(count: int, longest_s: float) -> list[float]:
    """Random moments, spread over the time that a turn takes, in any order."""
    chance = random.Random(f"{time.time_ns()}")
    found = [longest_s * (at + chance.random()) / count for at in range(count)]
    chance.shuffle(found)
    return found


if __name__ == "__main__":
    main()
