"""Runs commands that change the repository, one at a time, with retries on git's locks.

git's own `index.lock` makes a second command fail. Here a command waits: for this program's other
commands with a lock on the whole repository, for other git processes with retries. A stale lock is
never removed; the error contains its age.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from jupyter_ac.errors import Busy, GitError
from jupyter_ac.git.environment import Level
from jupyter_ac.git.file_locks import ALL_FILES
from jupyter_ac.git.git_locks import age_s, before_head, described
from jupyter_ac.git.program_policy import ProgramPolicy, program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from jupyter_ac.git.stderr import SILENCE, failure
from jupyter_ac.store.exclusive import NamedLocks
from jupyter_ac.store.shield import run_to_completion

T = TypeVar("T")

TIMEOUT_S: Final = 60.0
HOOKS_S: Final = 600.0
"""For commands whose hooks may run the user's linters and tests."""

LOCK_WAIT_S: Final = 5.0
"""Time to wait for a lock of another git process."""

OLD_LOCK_WAIT_S: Final = 1.0
"""Time to wait for a lock that is already older than that: it is stale or long-lived."""

_PAUSE_S: Final = 0.1
_REFUSAL: Final = "The repository can't be changed"
_HEAD_MOVERS: Final = frozenset({"commit", "reset", "switch", "checkout", "stash", "update-ref"})
_CONVERTERS: Final = frozenset(
    {"add", "checkout", "checkout-index", "hash-object", "stash", "switch", "update-index"}
)
"""They read or write file contents through filters; other commands at most compare."""

_FILTER_FAILED: Final = ": clean filter '"
_LOCKED: Final = re.compile(
    r"Unable to create '?(?:.*/)?([\w.-]+\.lock)'?: File exists"
    r"|cannot lock ref '([^\s:]+)': is at [0-9a-f]+ but expected"  # the ref was moved meanwhile
)


class Git:
    """Runs git in one working tree; the holder has exclusive access to the repository.

    Of the repository's programs only those run that the user has allowed, in their state at the
    first command; hooks run only for a commit.

    Args:
        repository: the repository.
        index: another index file; None for git's own.
    """

    def __init__(self, repository: Repository, index: Path | None = None) -> None:
        self.repository = repository
        self.index = index
        self._policy: ProgramPolicy | None = None

    def on_index(self, index: Path) -> "Git":
        """Return a `Git` for the same working tree with another index."""
        return Git(self.repository, index)

    async def policy(self) -> ProgramPolicy:
        """Return the policy for programs; cached.

        Raises:
            GitError: git's configuration can't be read.
        """
        if self._policy is None:
            self._policy = await program_policy(self.repository)
        return self._policy

    async def run(
        self,
        *args: str,
        stdin: bytes | None = None,
        ok: Collection[int] = (0,),
        timeout_s: float = TIMEOUT_S,
        level: Level = Level.CHANGING,
        strict: bool = False,
    ) -> GitOutput:
        """Run a command.

        Args:
            args: subcommand and arguments.
            stdin: bytes for standard input; None closes it.
            ok: exit codes that count as success.
            timeout_s: seconds after which the command and its children are killed.
            level: what git may start.
            strict: git fails for a file whose filter may not run, even if it only compares.

        Raises:
            GitError: git failed; the message is git's own.
            Busy: another git process held a lock the whole time.
            TimedOut: it took too long.
        """
        policy = await self.policy()
        is_strict = strict or _converts(_command(args), args)
        options = GitOptions(
            stdin=stdin,
            timeout_s=timeout_s,
            level=level,
            config=policy.changing(level, strict=is_strict),
            entries=policy.credentials(),
            variables=index_variables(self.index),
        )
        try:
            return await self._run(args, options, ok)
        except GitError as error:
            if not (is_strict and _is_about_another(error.message, stdin)):
                raise
        # When git writes the index it also compares files that were staged within its last second.
        loose = replace(options, config=policy.changing(level, strict=False))
        return await self._run(args, loose, ok)

    async def _run(
        self, args: Sequence[str], options: GitOptions, ok: Collection[int]
    ) -> GitOutput:
        begun = time.monotonic()
        command = _command(args)
        while True:
            lock = None
            if command in _HEAD_MOVERS:
                lock = await asyncio.to_thread(before_head, self.repository)
            if lock is None:
                output = await read_git(self.repository.root, args, options)
                if output.exit_code in ok:
                    return output
                locked = _LOCKED.search(output.complaint)
                if locked is None:
                    raise failure(command, _reason(output))
                lock = locked[1] or locked[2]
            waited_s = time.monotonic() - begun
            if await asyncio.to_thread(_is_enough, self.repository, lock, waited_s):
                raise Busy(await asyncio.to_thread(described, self.repository, lock))
            await asyncio.sleep(_PAUSE_S)


class RepositoryWriter:
    """Serializes changes of the repository. Belongs to one event loop.

    Args:
        repository: the repository.
        exclusive: its locks.
    """

    def __init__(self, repository: Repository, exclusive: NamedLocks) -> None:
        self._repository = repository
        self._exclusive = exclusive

    async def change(self, work: Callable[[Git], Awaitable[T]]) -> T:
        """Run something with exclusive access to the repository, and return its result.

        Once started it completes even if the caller is cancelled: a half-done change would be
        worse.

        Raises:
            Busy: others held the lock the whole time.
            Exception: whatever `work` raises.
        """
        async with self._exclusive.hold("git", _REFUSAL):
            return await run_to_completion(work(Git(self._repository)))

    async def change_files(self, work: Callable[[Git], Awaitable[T]]) -> T:
        """Do the same as `change`, and also lock all files: for work that replaces or moves them.

        A write between git's check of a file and its replacement would be lost.

        Raises:
            Busy: others held a lock the whole time.
            Exception: whatever `work` raises.
        """
        async with self._exclusive.hold_all(ALL_FILES, _REFUSAL):
            return await self.change(work)


def index_variables(index: Path | None) -> Mapping[str, str]:
    """Return the environment variables that select the index file; empty for git's own."""
    return {} if index is None else {"GIT_INDEX_FILE": str(index)}


def _is_enough(repository: Repository, lock: str, waited_s: float) -> bool:
    """Return whether to stop waiting for a lock."""
    if waited_s > LOCK_WAIT_S:
        return True
    return waited_s > OLD_LOCK_WAIT_S and age_s(repository, lock) > LOCK_WAIT_S


def _converts(command: str, args: Sequence[str]) -> bool:
    return command in _CONVERTERS or (command == "reset" and "--hard" in args)


def _is_about_another(complaint: str, stdin: bytes | None) -> bool:
    """Return whether git failed for the filter of a file that was not among its input."""
    about, failed, _ = complaint.rpartition(_FILTER_FAILED)
    path = about.partition("failed: ")[2].encode("utf-8", "surrogateescape")
    return failed != "" and path not in (stdin or b"").replace(b"\n", b"\0").split(b"\0")


def _command(args: Sequence[str]) -> str:
    """Return the subcommand, after git's own options."""
    return _command(args[2:]) if args[0] == "-c" else args[0]


def _reason(output: GitOutput) -> str:
    """Return why a command failed; some commands write the reason to standard output."""
    lines = output.data.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines and output.complaint == SILENCE else output.complaint
