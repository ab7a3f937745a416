"""Commands that change the repository, as the user's own git would run them, one after another.

git's own `index.lock` makes a second command fail; here it waits: for others of ours by a lock on
the whole repository, for a git in a terminal by trying again. A lock that was left behind is never
removed; the error names its age.
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
from jupyter_ac.git.file_locks import EVERY_FILE
from jupyter_ac.git.git_locks import age_s, before_head, described
from jupyter_ac.git.program_policy import ProgramPolicy, program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from jupyter_ac.git.stderr import SILENCE, failure
from jupyter_ac.store.exclusive import Exclusive
from jupyter_ac.store.shield import to_end

T = TypeVar("T")

TIMEOUT_S: Final = 60.0
HOOKS_S: Final = 600.0
"""For commands whose hooks may run the user's linters and tests."""

LOCK_WAIT_S: Final = 5.0
"""How long a lock of another git is waited for."""

OLD_LOCK_WAIT_S: Final = 1.0
"""How long one that has been there for longer than that: it was left behind, or stays."""

_PAUSE_S: Final = 0.1
_REFUSAL: Final = "The repository can't be changed"
_HEAD_MOVERS: Final = frozenset({"commit", "reset", "switch", "checkout", "stash", "update-ref"})
_CONVERTERS: Final = frozenset(
    {"add", "checkout", "checkout-index", "hash-object", "stash", "switch", "update-index"}
)
"""They take the content of files, or make files; others compare at most."""

_FILTER_FAILED: Final = ": clean filter '"
_LOCKED: Final = re.compile(
    r"Unable to create '?(?:.*/)?([\w.-]+\.lock)'?: File exists"
    r"|cannot lock ref '([^\s:]+)': is at [0-9a-f]+ but expected"  # it has moved since git began
)


class Git:
    """Runs git in one working tree; whoever holds it is alone with the repository.

    Of the repository's programs only those run that the user has allowed, as they were at the
    first command; hooks run at a commit alone.

    Args:
        repository: which one.
        index: the file that git takes for its index; None for its own.
    """

    def __init__(self, repository: Repository, index: Path | None = None) -> None:
        self.repository = repository
        self.index = index
        self._policy: ProgramPolicy | None = None

    def on_index(self, index: Path) -> "Git":
        """Return what runs git in the same working tree on another index."""
        return Git(self.repository, index)

    async def policy(self) -> ProgramPolicy:
        """Return which programs may run.

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
        """Run a command to its end.

        Args:
            args: subcommand and arguments.
            stdin: bytes for standard input; None closes it.
            ok: exit codes that are no failure.
            timeout_s: seconds after which the command and its children are ended.
            level: what git may start.
            strict: git fails at a file whose filter may not run, also where it only compares.

        Raises:
            GitError: git failed; the message is its own.
            Busy: another git held a lock all the time.
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
        # Whenever git writes the index it compares also files that were staged in its last second.
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


class Changer:
    """Does things to the repository, one at a time. Belongs to one event loop.

    Args:
        repository: what is changed.
        exclusive: the repository's locks.
    """

    def __init__(self, repository: Repository, exclusive: Exclusive) -> None:
        self._repository = repository
        self._exclusive = exclusive

    async def change(self, work: Callable[[Git], Awaitable[T]]) -> T:
        """Do something alone and return what it gives.

        What has begun goes on to its end when the caller is cancelled: half of it would be worse.

        Raises:
            Busy: others were at it all the time.
            Exception: what `work` raises.
        """
        async with self._exclusive.alone("git", _REFUSAL):
            return await to_end(work(Git(self._repository)))

    async def change_files(self, work: Callable[[Git], Awaitable[T]]) -> T:
        """Do something that has git replace or move files, alone with all of them as well.

        Between git's look at a file and its replacement nobody may write it: that would be lost.

        Raises:
            Busy: others were at it all the time.
            Exception: what `work` raises.
        """
        async with self._exclusive.alone_with_all(EVERY_FILE, _REFUSAL):
            return await self.change(work)


def index_variables(index: Path | None) -> Mapping[str, str]:
    """Return the variables under which git takes a file for its index; None for its own."""
    return {} if index is None else {"GIT_INDEX_FILE": str(index)}


def _is_enough(repository: Repository, lock: str, waited_s: float) -> bool:
    """Tell whether to wait for a lock no longer."""
    if waited_s > LOCK_WAIT_S:
        return True
    return waited_s > OLD_LOCK_WAIT_S and age_s(repository, lock) > LOCK_WAIT_S


def _converts(command: str, args: Sequence[str]) -> bool:
    return command in _CONVERTERS or (command == "reset" and "--hard" in args)


def _is_about_another(complaint: str, stdin: bytes | None) -> bool:
    """Tell whether git failed at a file for its filter that is none of those that it was given."""
    about, failed, _ = complaint.rpartition(_FILTER_FAILED)
    path = about.partition("failed: ")[2].encode("utf-8", "surrogateescape")
    return failed != "" and path not in (stdin or b"").replace(b"\n", b"\0").split(b"\0")


def _command(args: Sequence[str]) -> str:
    """Return the subcommand, which options of git itself may stand before."""
    return _command(args[2:]) if args[0] == "-c" else args[0]


def _reason(output: GitOutput) -> str:
    """Return why a command failed; some say it where their result would stand."""
    said = output.data.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said and output.complaint == SILENCE else output.complaint
