"""A running child process: its peer, its log, its exit."""

import asyncio
import contextlib
import logging
import os
import signal
import time
from asyncio.subprocess import Process
from collections import deque
from collections.abc import Coroutine, Mapping
from typing import Final

from jupyter_ac.errors import NotReady
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.terminal import terminal_text
from jupyter_ac.workers import launch
from jupyter_ac.workers.pipes import LINE_LIMIT, PipeTransport
from jupyter_ac.workers.redaction import redact

_logger = logging.getLogger(__name__)

_END_S: Final = 2.0
"""Time limit of each step of ending the child, before the next step."""

_LOG_READ: Final = 64 * 1024

_LAST_LINES: Final = 20

_CLOSING_TURNS: Final = 3
"""Of the loop, within which closed pipes are forgotten."""


class Child:
    """One child process and its life cycle.

    Attributes:
        peer: talks to it.
        started_at: monotonic seconds.
        last_lines: the end of its error output, without secrets.
    """

    def __init__(self, kind: str, process: asyncio.subprocess.Process, peer: Peer) -> None:
        self.peer = peer
        self.started_at = time.monotonic()
        self.last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._kind = kind
        self._process = process
        loop = asyncio.get_running_loop()
        self._log = loop.create_task(self._drain_log(), name=f"{kind} worker: log")
        self._life = loop.create_task(self._run_peer(), name=f"{kind} worker: peer")

    @classmethod
    async def launch(
        cls, kind: str, env: Mapping[str, str], methods: Mapping[str, Method]
    ) -> "Child":
        """Start a child of this kind.

        Args:
            kind: of worker.
            env: variables on top of this process's environment.
            methods: what the child may call here.

        Raises:
            NotReady: the operating system doesn't start it.
        """
        pipe = asyncio.subprocess.PIPE
        try:
            process = await _created(
                asyncio.create_subprocess_exec(
                    *launch.command(kind),
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    cwd=launch.working_directory(),
                    env=launch.environment(os.environ, env),
                    limit=LINE_LIMIT,
                )
            )
        except OSError as error:
            raise NotReady(f"the {kind} worker can't be started: {error.strerror}") from error
        if process.stdout is None or process.stdin is None:
            raise NotReady(f"the {kind} worker has no pipes")
        transport = PipeTransport(process.stdout, process.stdin)
        return cls(kind, process, Peer(transport, methods, profile=JSONRPC2))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the child can be called."""
        return self._process.returncode is None and not self.peer.closed

    async def obituary(self) -> str:
        """Describe how the child ended, after a short wait for its exit status."""
        await self._has_ended()
        code = self._process.returncode
        if code is None:
            return "closed its pipes"
        if code < 0:
            return f"was ended by {_signal_name(-code)}"
        return f"ended with exit status {code}"

    async def end(self) -> None:
        """End the child: end of file, then SIGTERM, then SIGKILL; at most six seconds."""
        await self.peer.close()
        for harder in (signal.SIGTERM, signal.SIGKILL, None):
            if await self._has_ended():
                break
            if harder is not None:
                self._signal(harder)
        tasks = {self._life, self._log}
        await asyncio.wait(tasks, timeout=_END_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _close_pipes(self._process)

    async def _run_peer(self) -> None:
        await self.peer.run()
        if not await self._has_ended():
            # It closed its pipes and stays: nobody can reach it any more.
            self._signal(signal.SIGKILL)
            await self._process.wait()

    async def _has_ended(self) -> bool:
        """Wait a moment for the exit.

        Not with `asyncio.timeout`: before Python 3.11.3 it doesn't work in a cancelled task.
        """
        exited = asyncio.ensure_future(self._process.wait())
        await asyncio.wait({exited}, timeout=_END_S)
        exited.cancel()
        return self._process.returncode is not None

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended.

        `Process.kill` would ask for the exit status itself, and take it from who waits for it.
        """
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    async def _drain_log(self) -> None:
        stream = self._process.stderr
        while stream is not None and (data := await stream.read(_LOG_READ)):
            for line in data.decode("utf-8", "replace").splitlines():
                redacted = redact(terminal_text(line))
                self.last_lines.append(redacted)
                _logger.debug("%s worker: %s", self._kind, redacted)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


async def _created(creating: Coroutine[object, object, Process]) -> Process:
    """Return the process; cancelled in the middle, asyncio itself would leave it half made."""
    task = asyncio.ensure_future(creating)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        ending = asyncio.ensure_future(_unmade(task))
        while not ending.done():  # also when it is cancelled once more
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({ending})
        raise


async def _unmade(creating: "asyncio.Task[Process]") -> None:
    """End a process as soon as there is one."""
    await asyncio.wait({creating})
    if creating.exception() is None:
        with contextlib.suppress(ProcessLookupError):
            creating.result().kill()
        await creating.result().wait()
        await _close_pipes(creating.result())


async def _close_pipes(process: Process) -> None:
    """Close the pipes of an ended process, which others may have inherited and keep open."""
    transport: object = vars(process).get("_transport")  # asyncio has no public name for it
    if isinstance(transport, asyncio.SubprocessTransport):
        transport.close()
    for _ in range(_CLOSING_TURNS):
        await asyncio.sleep(0)
