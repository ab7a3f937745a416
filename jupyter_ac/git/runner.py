"""Runs the git program; all of its processes are started here.

Sets a fixed environment, disables the user's formats and the repository's programs, and starts git
in its own process group, which is killed at a timeout. Knows no subcommand's output. Invariant:
whatever a repository's configuration says, a command started here runs no program but git and
prompts for nothing. A read command opens no network connection and takes no optional lock; a
command that changes the repository runs the filters that the user trusts (`program_policy`), and
only a commit that the user asked for runs hooks (`Level`).
"""

import asyncio
import errno
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from jupyter_ac.errors import AccessDenied, GitError, InvalidParams, TimedOut, TooLarge
from jupyter_ac.git.environment import Level, environment, git_program
from jupyter_ac.git.pipe_reader import PipeReader
from jupyter_ac.git.plain_files import find_blocking_pipe, require_regular
from jupyter_ac.git.stderr import complaint, failure
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.shield import run_to_completion

MAX_OUTPUT_BYTES: Final = 256 * 1024 * 1024
"""More than the listing of two million files; a command that writes more is stopped."""

_MAX_STDERR_BYTES: Final = 64 * 1024
_PATIENCE_S: Final = 1.0
_KILL_WAIT_S: Final = 5.0
# Set before git runs: a limit set on a running process doesn't apply to memory it already has. A
# lower limit that is already set stays.
_WITH_LIMIT: Final = ("/bin/sh", "-c", 'ulimit -d "$0" 2>/dev/null; exec "$@"')
_ENDINGS: Final = {False: (signal.SIGTERM, signal.SIGKILL), True: (signal.SIGKILL,)}


@dataclass(frozen=True, slots=True)
class GitOutput:
    """The result of a finished command.

    Attributes:
        data: standard output, byte for byte.
        exit_code: the command's exit status; meaningless if `truncated`.
        truncated: True if the output exceeded the limit and the command was stopped.
        complaint: git's error message on one line, without absolute paths.
    """

    data: bytes
    exit_code: int
    truncated: bool
    complaint: str


@dataclass(frozen=True, slots=True)
class GitOptions:
    """How to run one command; the defaults suit a short read.

    Attributes:
        stdin: bytes for standard input; None closes it.
        timeout_s: seconds after which the command and its children are killed.
        max_bytes: bytes of output after which the command is stopped.
        config: further configuration entries, overriding the repository's and the user's.
        entries: further ones, for keys with several values.
        variables: further environment variables.
        ceiling: see `environment`.
        level: what git may start; a command that does more than read is terminated with SIGTERM
            first, so that git removes its locks.
        on_data: gets each chunk of the output, which is not buffered then; the command is stopped
            when it returns False.
        max_memory: limit for the process's own memory in bytes, if the system supports it; None for
            no limit.
        bytewise: True makes each byte a character, which is faster for plain ASCII.
    """

    stdin: bytes | None = None
    timeout_s: float = 30.0
    max_bytes: int = MAX_OUTPUT_BYTES
    config: Mapping[str, str] = field(default_factory=dict)
    entries: Sequence[tuple[str, str]] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    ceiling: bool = True
    level: Level = Level.READING
    on_data: Callable[[bytes], bool] | None = None
    max_memory: int | None = None
    bytewise: bool = False


DEFAULTS: Final = GitOptions()


async def run_git(
    repository_root: Path,
    *args: str,
    stdin: bytes | None = None,
    ok: Container[int] = (0,),
    timeout_s: float = 30.0,
) -> bytes:
    """Run a git command in a repository and return its standard output.

    Args:
        repository_root: the working tree's top; git's current directory.
        args: subcommand and arguments; names that aren't UTF-8 as lone surrogates.
        stdin: bytes for standard input; None closes it.
        ok: exit codes that count as success.
        timeout_s: seconds after which the command and its children are killed.

    Raises:
        GitError: git is missing or ended with another exit code.
        TimedOut: it took too long.
        TooLarge: it wrote more than `MAX_OUTPUT_BYTES`, or the disk is full.
    """
    options = GitOptions(stdin=stdin, timeout_s=timeout_s, max_bytes=MAX_OUTPUT_BYTES)
    output = await read_git(repository_root, args, options)
    if output.truncated:
        raise TooLarge(
            f"`git {args[0]}` wrote more than {MAX_OUTPUT_BYTES >> 20} MiB and was stopped."
        )
    if output.exit_code not in ok:
        raise failure(args[0], output.complaint)
    return output.data


async def read_git(
    directory: Path, args: Sequence[str], options: GitOptions = DEFAULTS
) -> GitOutput:
    """Run a git command and return its output, whatever its exit code.

    Raises:
        GitError: git is not installed, the directory doesn't exist, or one of git's files is a
            pipe.
        Busy: the system has no more descriptors, processes or memory.
        TimedOut: it took longer than `options.timeout_s`.
    """
    call = await asyncio.to_thread(_prepare, directory, args, options)
    readers = PipeReader(options.max_bytes, options.on_data), PipeReader(_MAX_STDERR_BYTES)
    try:
        process = await _start(call, options, readers)
        exit_code = await _run(process, directory, args, options, readers[0])
        data, stderr = (reader.finish() for reader in readers)
    except BaseException as error:
        for reader in readers:
            reader.close()
        if isinstance(error, OSError):  # no descriptors, no memory, no process
            raise explained_os_error(error, "git") from error
        raise
    return GitOutput(data, exit_code, readers[0].truncated, complaint(stderr, directory))


@dataclass(frozen=True, slots=True)
class _Call:
    """The arguments for starting a process."""

    directory: Path
    arguments: Sequence[str]
    variables: Mapping[str, str]


def _prepare(directory: Path, args: Sequence[str], options: GitOptions) -> _Call:
    """Check git's files and the folders of programs; blocks on the disk."""
    require_regular(directory)
    variables = environment(
        directory,
        (*options.config.items(), *options.entries),
        ceiling=options.ceiling,
        level=options.level,
        bytewise=options.bytewise,
    )
    program = git_program(directory, variables, options.level)
    command = (program, "--no-pager", "--literal-pathspecs", *args)
    if options.max_memory is not None and sys.platform == "linux":
        command = (*_WITH_LIMIT, str(options.max_memory // 1024), *command)
    return _Call(directory, command, variables | dict(options.variables))


async def _run(
    process: asyncio.subprocess.Process,
    directory: Path,
    args: Sequence[str],
    options: GitOptions,
    output: PipeReader,
) -> int:
    """Wait for a command's end and return its exit code."""
    output.call_at_limit(lambda: _kill(process))
    try:
        async with asyncio.timeout(options.timeout_s):
            return await _wait(process, directory)
    except TimeoutError:
        raise TimedOut(
            f"`git {args[0]}` took longer than {options.timeout_s:g} s and was stopped."
        ) from None
    finally:
        await _end(process, options)


async def _wait(process: asyncio.subprocess.Process, directory: Path) -> int:
    """Return a command's exit code; if it takes long, check whether it waits for a pipe."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE_S):
            return await process.wait()
    pipe = await asyncio.to_thread(find_blocking_pipe, directory)
    if pipe:
        raise GitError(
            f"{pipe} is a pipe and not a regular file, so git waits for it. Remove it, or restore "
            "the original file."
        )
    return await process.wait()


@contextmanager
def _input(data: bytes | None) -> Iterator[int]:
    """Provide a command's whole standard input as a file before it starts.

    With a pipe, git would treat a part of the input as complete if this process is killed.
    """
    if data is None:
        yield asyncio.subprocess.DEVNULL
        return
    with _spooled(data) as file:
        yield file.fileno()


def _spooled(data: bytes) -> IO[bytes]:
    try:
        with ExitStack() as stack:
            file = stack.enter_context(tempfile.TemporaryFile())
            file.write(data)
            file.seek(0)
            stack.pop_all()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise GitError(
            f"git's input can't be written: {reason}. Free space in {tempfile.gettempdir()}."
        ) from error
    return file


async def _start(
    call: _Call, options: GitOptions, readers: Sequence[PipeReader]
) -> asyncio.subprocess.Process:
    with ExitStack() as stack:
        stdin = stack.enter_context(_input(options.stdin))
        writers: list[int] = []
        for reader in readers:
            writers.append(await reader.open())
            stack.callback(os.close, writers[-1])
        return await _spawn(call, options, (stdin, *writers))


async def _spawn(
    call: _Call, options: GitOptions, descriptors: Sequence[int]
) -> asyncio.subprocess.Process:
    stdin, stdout, stderr = descriptors
    directory = call.directory
    try:
        encoded = [part.encode("utf-8", "surrogateescape") for part in call.arguments]
        creating = asyncio.create_subprocess_exec(
            *encoded,
            cwd=directory,
            env=call.variables,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        return await _created(asyncio.ensure_future(creating), options)
    except FileNotFoundError as error:
        if str(error.filename) == str(directory):
            raise GitError(
                f"The folder {directory.name!r} was removed; open another one."
            ) from None
        raise GitError("git is not installed, or not on PATH; install git and restart.") from None
    except NotADirectoryError as error:
        raise GitError(f"The folder {directory.name!r} was removed; open another one.") from error
    except OSError as error:
        if isinstance(error, PermissionError) and str(error.filename) == str(directory):
            raise AccessDenied(
                f"You may not enter the folder {directory.name!r}; change its permissions, or "
                "open another one."
            ) from error
        if error.errno != errno.ENOEXEC:
            raise
        raise GitError("git could not be started: the `git` on PATH is not a program.") from error
    except ValueError as error:  # a NUL or a lone surrogate in an argument
        raise InvalidParams("An argument contains a character that no name may.") from error


async def _created(
    creating: "asyncio.Future[asyncio.subprocess.Process]", options: GitOptions
) -> asyncio.subprocess.Process:
    """Return the process; if cancelled meanwhile, asyncio itself would lose its exit code."""
    try:
        return await run_to_completion(creating)
    except asyncio.CancelledError:
        if creating.exception() is None:
            await _end(creating.result(), options)
        raise


def _kill(process: asyncio.subprocess.Process, kind: signal.Signals = signal.SIGKILL) -> None:
    """Signal the whole process group; idempotent."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, kind)


async def _end(process: asyncio.subprocess.Process, options: GitOptions) -> None:
    """End the process and reap it.

    Continues when cancelled (which a timeout of a parallel command does); takes no longer than
    twice `_KILL_WAIT_S`.
    """
    cancelled: asyncio.CancelledError | None = None
    for kind in _ENDINGS[options.level is Level.READING]:
        if process.returncode is None:
            _kill(process, kind)
            cancelled = await _wait_for_end(process) or cancelled
    if cancelled is not None:
        raise cancelled


async def _wait_for_end(process: asyncio.subprocess.Process) -> asyncio.CancelledError | None:
    """Wait a limited time for the end; returns the cancellation that arrived meanwhile."""
    deadline = time.monotonic() + _KILL_WAIT_S
    cancelled: asyncio.CancelledError | None = None
    ending = asyncio.ensure_future(process.wait())
    while not ending.done() and (left_s := deadline - time.monotonic()) > 0:
        try:
            await asyncio.wait({ending}, timeout=left_s)
        except asyncio.CancelledError as error:
            cancelled = error
    ending.cancel()
    return cancelled
