"""A running command: its process group, its output, and its end."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeVar

from jupyter_ac.agent.commands.environment import MARK
from jupyter_ac.agent.commands.leftovers import end_marked
from jupyter_ac.agent.commands.resource_limits import limit_memory
from jupyter_ac.git.pipe_reader import PipeReader
from jupyter_ac.store.shield import run_to_completion

T = TypeVar("T")

GRACE_S: Final = 0.7
"""Seconds between SIGTERM and SIGKILL: Stop ends everything within one."""

KILL_WAIT_S: Final = 5.0
"""Seconds that the system may take to end a killed process."""

_SIGNALLED: Final = 128
"""What a shell adds to the number of the signal that has ended a process."""


class ProcessGroup:
    """The processes of one command, in a session of their own, each with bounded memory.

    Args:
        process: the first; its number is the group's.
        reader: of its output.
        mark: in the environment of all of them.
    """

    def __init__(self, process: asyncio.subprocess.Process, reader: PipeReader, mark: str) -> None:
        self._process = process
        self._reader = reader
        self._mark = mark
        limit_memory(process.pid)
        self._is_full = asyncio.Event()
        reader.call_at_limit(self._is_full.set)

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        on_data: Callable[[bytes], bool],
    ) -> "ProcessGroup":
        """Start a command; standard input is empty, both outputs are one.

        Args:
            argv: the arguments, the program first.
            folder: its working directory.
            variables: its whole environment, with a mark (`MARK`) of its own.
            on_data: gets each piece of output; False: no more is wanted.

        Raises:
            OSError: the system doesn't start it.
            ValueError: an argument contains a character that none may.
        """
        reader = PipeReader(0, on_data)
        writer = await reader.open()
        try:
            creating = asyncio.create_subprocess_exec(
                *(part.encode("utf-8", "surrogateescape") for part in argv),
                cwd=folder,
                env=variables,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writer,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )

            async def end(process: asyncio.subprocess.Process) -> None:
                await cls(process, reader, variables[MARK]).end()

            return cls(await made_whole(creating, end), reader, variables[MARK])
        except BaseException:
            reader.close()
            raise
        finally:
            os.close(writer)

    @property
    def exit_code(self) -> int | None:
        """The exit status, 128 + n after signal n; None: it runs."""
        code = self._process.returncode
        return code if code is None or code >= 0 else _SIGNALLED - code

    async def wait(self, limit_s: float) -> Literal["exited", "timed_out", "too_long"]:
        """Wait until the command has ended, its time is over, or its output is too long."""
        exited = asyncio.ensure_future(self._process.wait())
        full = asyncio.ensure_future(self._is_full.wait())
        try:
            done, _ = await asyncio.wait(
                {exited, full}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            exited.cancel()
            full.cancel()
        if full in done:
            return "too_long"
        return "exited" if exited in done else "timed_out"

    async def end(self) -> None:
        """End all processes that are left, and read what they have printed.

        To be shielded from cancellation (`run_to_completion`); takes a second, if the system ends
        killed processes at once.
        """
        await end_group(self._process, self._mark)
        await has_ended(self._process, KILL_WAIT_S)
        self._reader.finish()
        self._reader.close()


async def made_whole(
    creating: Coroutine[object, object, T], end: Callable[[T], Awaitable[None]]
) -> T:
    """Wait for a process; cancelled meanwhile, it is ended, where asyncio would leave it running.

    Args:
        creating: makes the process.
        end: ends it.
    """
    task = asyncio.ensure_future(creating)
    try:
        return await run_to_completion(task)
    except asyncio.CancelledError:
        if task.done() and not task.cancelled() and task.exception() is None:
            await run_to_completion(end(task.result()))
        raise


async def end_group(process: asyncio.subprocess.Process, mark: str) -> None:
    """End a process that leads a session, and all that it has started; takes a second at most.

    Args:
        process: the first; its number is the group's.
        mark: in the environment of all of them (`MARK`).
    """
    if process.returncode is None:
        _signal(process, signal.SIGTERM)
        await has_ended(process, GRACE_S)
    # Also when the first has ended: the group has its number as long as one is left.
    _signal(process, signal.SIGKILL)
    await asyncio.to_thread(end_marked, mark)


async def has_ended(process: asyncio.subprocess.Process, limit_s: float) -> None:
    """Wait until a process has ended and its pipes are closed, for a while."""
    exited = asyncio.ensure_future(process.wait())
    await asyncio.wait({exited}, timeout=limit_s)
    exited.cancel()


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
