"""Runs commands that change the repository, one at a time, with retries on git's locks.

git's own `index.lock` makes a second command fail. Here a command waits: for this program's other
commands with a lock on the whole repository, for other git processes with retries. A stale lock is
never removed; the error contains its age and its path.
"""

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from jupyter_ac.errors import Busy, GitError
from jupyter_ac.git.environment import Level
from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.program_policy import ProgramPolicy, program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from jupyter_ac.git.stderr import SILENCE, failure
from jupyter_ac.git.writing import ALL_FILES
from jupyter_ac.store.locks import NamedLocks
from jupyter_ac.store.shield import run_to_completion

_HEAD_BYTES: Final = 8192
_BRANCH: Final = re.compile(r"ref: (refs/heads/[^\n]+)\n?")


def before_head(repository: Repository) -> str | None:
    """Return the name of a lock that keeps HEAD from moving; None if there is none.

    git takes it last: a command that moves HEAD would have changed the index and files by then.
    """
    locks = (repository.git_dir / "index.lock", *_head_locks(repository))
    return next((lock.name for lock in locks if lock.exists()), None)


def described(repository: Repository, name: str) -> str:
    """Return a description of a lock with advice, as sentences."""
    found = _found(repository, name)
    if found is None:
        return f"Other git processes hold {name} again and again; try again when they have ended."
    lock, age = found
    git_dir = repository.common_dir
    shown = lock.relative_to(git_dir.parent) if lock.is_relative_to(git_dir) else lock.name
    return (
        f"Another git process has held {name} for {age:.0f} s. Wait for it to end; if no git "
        f"is running, remove {shown}."
    )


def age_s(repository: Repository, name: str) -> float:
    """Return the age of a lock in seconds; 0 if it no longer exists."""
    found = _found(repository, name)
    return 0.0 if found is None else found[1]


def _found(repository: Repository, name: str) -> tuple[Path, float] | None:
    """Return the path and the age of a lock with this name."""
    for lock in _places(repository, name):
        age = _age_s(lock)
        if age is not None:
            return lock, age
    return None


def _head_locks(repository: Repository) -> Iterator[Path]:
    yield repository.git_dir / "HEAD.lock"
    try:
        head = _BRANCH.fullmatch(
            read_regular(repository.git_dir / "HEAD", _HEAD_BYTES).decode(
                "utf-8", "surrogateescape"
            )
        )
    except OSError:
        return
    if head is not None:
        yield repository.common_dir / f"{head[1]}.lock"


def _places(repository: Repository, name: str) -> Iterator[Path]:
    yield repository.git_dir / name
    yield repository.common_dir / name
    yield from (lock for lock in _head_locks(repository) if lock.name == name)
    yield from _below(repository.common_dir / "refs", name)


def _below(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files of a name in and below a folder, however deep; links aren't followed."""
    folders = [str(folder)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name == name:
                    yield Path(entry.path)


def _age_s(lock: Path) -> float | None:
    try:
        return max(0.0, time.time() - lock.stat().st_mtime)
    except OSError:
        return None


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
