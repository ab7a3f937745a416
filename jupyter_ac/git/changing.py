"""Commands that change the repository, as the user's own git would run them, one after another.

git's own `index.lock` makes a second command fail; here it waits: for others of ours by a lock on
the whole repository, for a git in a terminal by trying again. A lock that was left behind is never
removed; the error names its age.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Final, TypeVar

from jupyter_ac.errors import Busy, GitError
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import Options, Output, read_git
from jupyter_ac.store.exclusive import Exclusive
from jupyter_ac.store.to_end import to_end

T = TypeVar("T")

TIMEOUT_S: Final = 60.0
HOOKS_S: Final = 600.0
"""For commands whose hooks may run the user's linters and tests."""

LOCK_WAIT_S: Final = 5.0
"""How long a lock of another git is waited for."""

_PAUSE_S: Final = 0.1
_LOCKED: Final = re.compile(r"Unable to create '?(?:.*/)?([\w.-]+\.lock)'?: File exists")


class Git:
    """Runs git in one working tree; whoever holds it is alone with the repository."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository

    async def run(
        self,
        *args: str,
        stdin: bytes | None = None,
        ok: Collection[int] = (0,),
        timeout_s: float = TIMEOUT_S,
    ) -> Output:
        """Run a command to its end.

        Args:
            args: subcommand and arguments.
            stdin: bytes for standard input; None closes it.
            ok: exit codes that are no failure.
            timeout_s: seconds after which the command and its children are ended.

        Raises:
            GitError: git failed; the message is its own.
            Busy: another git held a lock all the time.
            TimedOut: it took too long.
        """
        options = Options(stdin=stdin, timeout_s=timeout_s, acting=True)
        deadline = time.monotonic() + LOCK_WAIT_S
        while True:
            output = await read_git(self.repository.root, args, options)
            if output.exit_code in ok:
                return output
            locked = _LOCKED.search(output.complaint)
            if locked is None:
                raise GitError(f"`git {args[0]}` failed: {_reason(output)}")
            if time.monotonic() > deadline:
                raise Busy(await asyncio.to_thread(self._who_locks, locked[1]))
            await asyncio.sleep(_PAUSE_S)

    def _who_locks(self, name: str) -> str:
        for folder in (self.repository.git_dir, self.repository.common_dir):
            age = _age_s(folder / name)
            if age is not None:
                return (
                    f"Another git has held {name} for {age:.0f} s. Wait for it to end; if no git "
                    f"is running, remove {folder.name}/{name}."
                )
        return f"Another git holds {name} again and again; try again when it is done."


class Changer:
    """Does things to the repository, one at a time. Belongs to one event loop.

    Args:
        repository: what is changed.
        exclusive: the repository's locks.
    """

    def __init__(self, repository: Repository, exclusive: Exclusive) -> None:
        self._git = Git(repository)
        self._exclusive = exclusive

    async def change(self, work: Callable[[Git], Awaitable[T]]) -> T:
        """Do something alone and return what it gives.

        What has begun goes on to its end when the caller is cancelled: half of it would be worse.

        Raises:
            Busy: others were at it all the time.
            Exception: what `work` raises.
        """
        async with self._exclusive.alone("git", "The repository can't be changed"):
            return await to_end(work(self._git))


def _reason(output: Output) -> str:
    """Return why a command failed; some say it where their result would stand."""
    said = output.data.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said and output.complaint == "it gave no reason" else output.complaint


def _age_s(lock: Path) -> float | None:
    try:
        return max(0.0, time.time() - lock.stat().st_mtime)
    except OSError:
        return None
