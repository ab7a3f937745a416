"""The one door to the git program.

Owns how git is started: a fixed environment, the user's formats and the repository's programs
switched off, a process group of its own that is ended at a timeout. Knows no subcommand's output.
The invariant: whatever a repository's configuration says, a command started here runs no program
but git, opens no network connection, asks nothing and writes no lock that it can do without; only
one that the user asked for (`acting`) runs the hooks and filters that git itself would run.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, TimedOut, TooLarge
from jupyter_ac.git.complaints import complaint
from jupyter_ac.git.environment import environment

MAX_OUTPUT_BYTES: Final = 256 * 1024 * 1024
"""More than the listing of two million files; beyond it a command is stopped."""

_MAX_STDERR_BYTES: Final = 64 * 1024
_CHUNK_BYTES: Final = 256 * 1024
_KILL_WAIT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Output:
    """What a finished command wrote.

    Attributes:
        data: standard output, byte for byte.
        exit_code: the command's exit status; meaningless when `truncated`.
        truncated: True when the output passed the limit and the command was stopped.
        complaint: git's own words of failure on one line, without absolute paths.
    """

    data: bytes
    exit_code: int
    truncated: bool
    complaint: str


@dataclass(frozen=True, slots=True)
class Options:
    """How one command runs; the defaults suit a short read.

    Attributes:
        stdin: bytes for standard input; None closes it.
        timeout_s: seconds after which the command and its children are killed.
        max_bytes: bytes of output after which the command is stopped.
        config: further configuration entries, over the repository's and the user's.
        ceiling: True keeps git from looking for a repository above the directory.
        acting: True for what the user does with the repository: with hooks, filters and what a
            partial clone lacks, and ended so that git takes its locks away.
    """

    stdin: bytes | None = None
    timeout_s: float = 30.0
    max_bytes: int = MAX_OUTPUT_BYTES
    config: Mapping[str, str] = field(default_factory=dict)
    ceiling: bool = True
    acting: bool = False


DEFAULTS: Final = Options()


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
        ok: exit codes that are no failure.
        timeout_s: seconds after which the command and its children are killed.

    Raises:
        GitError: git is missing or ended with another exit code.
        TimedOut: it took too long.
        TooLarge: it wrote more than `MAX_OUTPUT_BYTES`.
    """
    options = Options(stdin=stdin, timeout_s=timeout_s, max_bytes=MAX_OUTPUT_BYTES)
    output = await read_git(repository_root, args, options)
    if output.truncated:
        raise TooLarge(
            f"`git {args[0]}` wrote more than {MAX_OUTPUT_BYTES >> 20} MiB and was stopped."
        )
    if output.exit_code not in ok:
        raise GitError(f"`git {args[0]}` failed: {output.complaint}")
    return output.data


async def read_git(directory: Path, args: Sequence[str], options: Options = DEFAULTS) -> Output:
    """Run a git command and return what it wrote, however it ended.

    Raises:
        GitError: git is not installed, or the directory is gone.
        TimedOut: it took longer than `options.timeout_s`.
    """
    process = await _start(directory, args, options)
    try:
        async with asyncio.timeout(options.timeout_s):
            data, stderr, truncated = await _talk(process, options)
            await process.wait()
    except TimeoutError:
        raise TimedOut(
            f"`git {args[0]}` took longer than {options.timeout_s:g} s and was stopped."
        ) from None
    finally:
        await _end(process, options)
    return Output(data, process.returncode or 0, truncated, complaint(stderr, directory))


async def _start(
    directory: Path, args: Sequence[str], options: Options
) -> asyncio.subprocess.Process:
    command = ["git", "--no-pager", "--literal-pathspecs", *args]
    try:
        encoded = [part.encode("utf-8", "surrogateescape") for part in command]
        return await asyncio.create_subprocess_exec(
            *encoded,
            cwd=directory,
            env=environment(
                directory, options.config, ceiling=options.ceiling, acting=options.acting
            ),
            stdin=asyncio.subprocess.DEVNULL if options.stdin is None else asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        if str(error.filename) == str(directory):
            raise GitError(f"The folder {directory.name!r} is gone; open another one.") from None
        raise GitError("git is not installed, or not on PATH; install git and restart.") from None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise GitError(f"git could not be started in {directory.name!r}: {reason}.") from error
    except ValueError as error:  # a NUL or a lone surrogate in an argument
        raise InvalidParams("An argument holds a character that no name can hold.") from error


async def _talk(process: asyncio.subprocess.Process, options: Options) -> tuple[bytes, bytes, bool]:
    """Feed standard input and read both outputs at once, each up to its limit."""
    async with asyncio.TaskGroup() as tasks:
        if options.stdin is not None:
            tasks.create_task(_feed(process, options.stdin))
        errors = tasks.create_task(_read(process.stderr, _MAX_STDERR_BYTES))
        output = tasks.create_task(
            _read(process.stdout, options.max_bytes, when_full=lambda: _kill(process))
        )
    return output.result()[0], errors.result()[0], output.result()[1]


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    if process.stdin is None:
        return
    # git may end before it has read everything; its exit code says why.
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
        await process.stdin.wait_closed()


async def _read(
    stream: asyncio.StreamReader | None, limit: int, when_full: Callable[[], None] | None = None
) -> tuple[bytes, bool]:
    """Return up to `limit` bytes and whether there were more.

    Reads to the end in any case: the process doesn't count as ended while a pipe holds data.
    """
    chunks: list[bytes] = []
    room = limit
    truncated = False
    while stream is not None and (chunk := await stream.read(_CHUNK_BYTES)):
        if room > 0:
            chunks.append(chunk[:room])
        if len(chunk) > room and not truncated:
            truncated = True
            if when_full is not None:
                when_full()
        room = max(0, room - len(chunk))
    return b"".join(chunks), truncated


def _kill(process: asyncio.subprocess.Process, kind: signal.Signals = signal.SIGKILL) -> None:
    """End the whole process group; a group that is gone already is fine."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, kind)


async def _end(process: asyncio.subprocess.Process, options: Options) -> None:
    """Make sure that the process is gone, reaped and its pipes closed.

    Goes on when cancelled, which a timeout of a command beside this one does; it takes no longer
    than twice `_KILL_WAIT_S`.
    """
    streams = (process.stdout, process.stderr)
    if process.returncode is not None and all(one is None or one.at_eof() for one in streams):
        return
    draining = asyncio.ensure_future(process.communicate())
    cancelled: asyncio.CancelledError | None = None
    for kind in (signal.SIGTERM, signal.SIGKILL) if options.acting else (signal.SIGKILL,):
        _kill(process, kind)
        cancelled = await _drained(draining) or cancelled
    if not draining.cancel():
        draining.exception()
    if cancelled is not None:
        raise cancelled


async def _drained(
    draining: "asyncio.Future[tuple[bytes, bytes]]",
) -> asyncio.CancelledError | None:
    """Wait for the end, for a while; returns the cancellation that came meanwhile."""
    deadline = time.monotonic() + _KILL_WAIT_S
    cancelled: asyncio.CancelledError | None = None
    while not draining.done() and (left_s := deadline - time.monotonic()) > 0:
        try:
            await asyncio.wait({draining}, timeout=left_s)
        except asyncio.CancelledError as error:
            cancelled = error
    return cancelled
