"""Runs a program that checks code: the code on its input, its output bounded, a time limit.

The programs get no variables and the root of the file system as their folder, so that neither the
environment nor a file of the repository configures them.
"""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final

from jupyter_ac.errors import TimedOut, TooLarge, Unsupported
from jupyter_ac.git.pipe_reader import PipeReader
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.shield import run_to_completion

MAX_OUTPUT_BYTES: Final = 8 << 20
"""Of the program's output; a check that prints more is given up."""

_MAX_STDERR_BYTES: Final = 64 << 10
_END_WAIT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class CheckerOutput:
    """What a program printed.

    Attributes:
        exit_code: its status; negative: the signal that ended it.
        stdout: as text.
        stderr: as text, without what is beyond 64 kB.
    """

    exit_code: int
    stdout: str
    stderr: str


def find_program(name: str, root: Path, environ: Mapping[str, str]) -> str | None:
    """Find a program beside the Python interpreter, or on PATH outside the repository.

    Args:
        name: of the program.
        root: top of the working tree, whose programs aren't run.
        environ: of this process.
    """
    inside = os.path.realpath(root)
    entries = [
        entry
        for entry in environ.get("PATH", os.defpath).split(os.pathsep)
        if entry.startswith(os.sep) and not Path(os.path.realpath(entry)).is_relative_to(inside)
    ]
    # The interpreter's folder may lie in the repository: what runs this program is trusted.
    beside = str(Path(sys.executable).parent)
    return shutil.which(name, path=os.pathsep.join([beside, *entries]))


async def run_checker(argv: Sequence[str], code: str, limit_s: float) -> CheckerOutput:
    """Run a program with the code on its standard input.

    Args:
        argv: the program's path, and its arguments.
        code: lone surrogates become replacement characters.
        limit_s: seconds after which it is killed.

    Raises:
        TimedOut: it took longer.
        TooLarge: it printed more than 8 MiB.
        Unsupported: it can't be started.
    """
    name = Path(argv[0]).name
    readers = PipeReader(MAX_OUTPUT_BYTES), PipeReader(_MAX_STDERR_BYTES)
    try:
        with await asyncio.to_thread(_spooled, code) as source:
            process = await _start(argv, source, readers)
            readers[0].call_at_limit(partial(_kill, process))
            exit_code = await _wait(process, name, limit_s)
        stdout, stderr = (reader.finish().decode("utf-8", "replace") for reader in readers)
    except (FileNotFoundError, PermissionError) as error:
        raise Unsupported(f"{name} can't be started: {error.strerror}.") from error
    except OSError as error:
        raise explained_os_error(error, name) from error
    finally:
        for reader in readers:
            reader.close()
    if readers[0].truncated:
        raise TooLarge(f"{name} found more than can be read; check a smaller piece of code.")
    return CheckerOutput(exit_code, stdout, stderr)


def _spooled(code: str) -> IO[bytes]:
    with ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile())
        file.write(code.encode("utf-8", "replace"))
        file.seek(0)
        stack.pop_all()
        return file


async def _start(
    argv: Sequence[str], source: IO[bytes], readers: Sequence[PipeReader]
) -> asyncio.subprocess.Process:
    with ExitStack() as stack:
        writers: list[int] = []
        for reader in readers:
            writers.append(await reader.open())
            stack.callback(os.close, writers[-1])
        return await _created(
            asyncio.create_subprocess_exec(
                *argv,
                cwd=os.sep,
                env={},
                stdin=source.fileno(),
                stdout=writers[0],
                stderr=writers[1],
                start_new_session=True,
            )
        )


async def _created(
    creating: Coroutine[object, object, asyncio.subprocess.Process],
) -> asyncio.subprocess.Process:
    """Return the process; cancelled meanwhile, asyncio itself would leave it running."""
    task = asyncio.ensure_future(creating)
    try:
        return await run_to_completion(task)
    except asyncio.CancelledError:
        if not task.cancelled() and task.exception() is None:
            await run_to_completion(_end(task.result()))
        raise


async def _wait(process: asyncio.subprocess.Process, name: str, limit_s: float) -> int:
    try:
        async with asyncio.timeout(limit_s):
            return await process.wait()
    except TimeoutError:
        raise TimedOut(
            f"{name} took longer than {limit_s:g} s and was stopped; check a smaller piece of code."
        ) from None
    finally:
        await run_to_completion(_end(process))


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        _kill(process)
        waiting = asyncio.ensure_future(process.wait())
        await asyncio.wait({waiting}, timeout=_END_WAIT_S)
        waiting.cancel()


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
