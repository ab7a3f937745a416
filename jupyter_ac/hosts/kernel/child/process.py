"""The child process: its start, its line-based pipes, its log, its exit."""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Self

from jupyter_ac.errors import NotReady
from jupyter_ac.terminal import terminal_text
from jupyter_ac.transports.lines import LineSplitter, LineWriter, Oversize
from jupyter_ac.transports.streams import Streams, open_streams
from jupyter_ac.workers import launch
from jupyter_ac.workers.redaction import redact

logger = logging.getLogger(__name__)

_END_S: Final = 2.0
"""How long each way of ending it may take before the next one."""

_POLL_S: Final = 0.02
_LOG_READ: Final = 64 * 1024
_LAST_LINES: Final = 20


def command(folder: Path, model: str = "") -> list[str]:
    """Give the command line of a host for a folder.

    Args:
        folder: in the repository.
        model: for all questions; "" for the user's choice.
    """
    host = [sys.executable, "-P", "-m", "jupyter_ac.hosts.cli.main", "stdio", "--links"]
    chosen = [f"--model={model}"] if model else []
    return [*host, f"--repo={folder}", *chosen]


def environment() -> dict[str, str]:
    """Give its environment: the kernel's as it is now, without what leads to a user's modules."""
    return launch.environment(os.environ, {})


class HostProcess:
    """One child process from its start to its end. Belongs to the loop that started it.

    Attributes:
        fds: this process's ends of its pipes.
        writer: for its lines.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", streams: Streams) -> None:
        self.fds: tuple[int, ...] = ()
        self.writer = LineWriter(streams.writer)
        self._process = process
        self._streams = streams
        self._last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._log: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, arguments: Sequence[str], environ: Mapping[str, str]) -> Self:
        """Start it, in a session of its own: an interrupt of the kernel is none of the child's.

        Raises:
            NotReady: the operating system doesn't start it.
        """
        process, (output, intake, log) = _popen(arguments, environ)
        try:
            self = cls(process, await open_streams(output, intake))
        except BaseException:
            process.kill()
            process.wait()
            raise
        self.fds = (output, intake, log)
        self._log = asyncio.create_task(self._drain_log(log), name="kernel's child: log")
        return self

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def lines(self, max_bytes: int) -> AsyncIterator[bytes | Oversize]:
        """Read its lines, up to the end of its output.

        Args:
            max_bytes: a longer line is reported, and left out.
        """
        return self._streams.lines(LineSplitter(max_bytes))

    async def end(self) -> str:
        """End it: end of file, then SIGTERM, then SIGKILL; at most twelve seconds.

        Returns:
            How it ended: the signal that did it, the last line of its log, or its exit status.
        """
        await self.writer.aclose()
        for harder in (self._process.terminate, self._process.kill, None):
            if await self._has_ended(_END_S):
                break
            if harder is not None:
                with contextlib.suppress(ProcessLookupError):
                    harder()
        if self._log is not None:
            await asyncio.wait({self._log}, timeout=_END_S)
            self._log.cancel()
        self._streams.close_input()
        status = self._process.returncode
        if status is not None and status < 0:
            return f"jupyter ac stdio was ended by {_signal_name(-status)}"
        if self._last_lines:
            return self._last_lines[-1]
        return f"jupyter ac stdio ended with exit status {status}"

    async def _has_ended(self, within_s: float) -> bool:
        until = time.monotonic() + within_s
        while self._process.poll() is None:
            if time.monotonic() > until:
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def _drain_log(self, fd: int) -> None:
        stream = asyncio.StreamReader()
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(fd, "rb", buffering=0)
        )
        try:
            while data := await stream.read(_LOG_READ):
                for line in data.decode("utf-8", "replace").splitlines():
                    if redacted := terminal_text(redact(line)).strip():
                        self._last_lines.append(redacted)
                        logger.debug("jupyter ac stdio: %s", redacted)
        finally:
            pipe.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"


def _popen(
    arguments: Sequence[str], environ: Mapping[str, str]
) -> tuple["subprocess.Popen[bytes]", list[int]]:
    """Start it without asyncio, whose own way depends on a policy that a user may have set.

    Returns:
        The process, and descriptors that are now the caller's: its output, its input, its log.
    """
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            arguments,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=launch.working_directory(),
            env=environ,
            start_new_session=True,
        )
    except OSError as error:
        raise NotReady(f"jupyter ac stdio can't be started: {error.strerror}") from error
    fds = []
    for stream in filter(None, (process.stdout, process.stdin, process.stderr)):
        fds.append(os.dup(stream.fileno()))
        stream.close()
    return process, fds
