"""Commands that run in the background: a server, a watcher, a long build."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal

from jupyter_ac.agent.commands.command import MAX_LIMIT_S, CommandOutcome, CommandRunner
from jupyter_ac.errors import AcError, Busy, NotFound
from jupyter_ac.ids import RequestId

MAX_RUNNING: Final = 8
MAX_ENDED: Final = 24
"""Commands that have ended and can still be read; older ones are forgotten."""

MAX_UNREAD_CHARS: Final = 40_000

State = Literal["running", "exited", "timed_out", "stopped", "too_long", "failed"]


@dataclass(frozen=True, slots=True)
class BackgroundOutput:
    """What a background command has printed since the last look, and its state.

    Attributes:
        text: the new output, of a long one the end.
        left_out: characters before it that are lost.
        state: `running`, or how it has ended; `failed`: it couldn't be started.
        exit_code: its exit status; None while it runs, and if it was ended here.
        error: why it couldn't be started.
    """

    text: str
    left_out: int
    state: State
    exit_code: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class BackgroundCommand:
    """A background command in a list.

    Attributes:
        command_id: names it.
        argv: its arguments.
        state: as in `BackgroundOutput`.
        running_s: seconds since its start; until its end, if it has ended.
        is_sandboxed: it runs in the sandbox.
    """

    command_id: str
    argv: tuple[str, ...]
    state: State
    running_s: float
    is_sandboxed: bool


class _Running:
    """One command, with the output that nobody has read yet."""

    def __init__(self, argv: Sequence[str], run: RequestId, *, is_sandboxed: bool) -> None:
        self.argv, self.run_id = tuple(argv), run
        self.is_sandboxed = is_sandboxed
        self.state: State = "running"
        self.exit_code: int | None = None
        self.error = ""
        self.task: asyncio.Task[None] | None = None
        self._begun = time.monotonic()
        self._ended: float | None = None
        self._unread = ""
        self._left_out = 0

    @property
    def running_s(self) -> float:
        return (self._ended or time.monotonic()) - self._begun

    def add(self, text: str) -> None:
        unread = self._unread + text
        self._left_out += max(0, len(unread) - MAX_UNREAD_CHARS)
        self._unread = unread[-MAX_UNREAD_CHARS:]

    def take(self) -> BackgroundOutput:
        text, left_out = self._unread, self._left_out
        self._unread, self._left_out = "", 0
        return BackgroundOutput(text, left_out, self.state, self.exit_code, self.error)

    async def run(self, runner: CommandRunner, limit_s: float) -> None:
        try:
            outcome = await runner.run(
                self.argv, sandboxed=self.is_sandboxed, limit_s=limit_s, on_output=self.add
            )
        except asyncio.CancelledError:
            self.state = "stopped"
            raise
        except AcError as error:
            self.state, self.error = "failed", error.message
        else:
            self._finish(outcome)
        finally:
            self._ended = time.monotonic()

    def _finish(self, outcome: CommandOutcome) -> None:
        self.state, self.exit_code = outcome.ended, outcome.exit_code

    async def stop(self) -> None:
        task = self.task
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        if self.state == "running":  # cancelled before it had begun
            self.state = "stopped"


class BackgroundCommands:
    """The background commands of a workspace; all of them end with it.

    Args:
        runner: runs them.
    """

    def __init__(self, runner: CommandRunner) -> None:
        self._runner = runner
        self._commands: dict[str, _Running] = {}
        self._numbers = count(1)
        self._is_closed = False

    def start(
        self,
        argv: Sequence[str],
        run: RequestId,
        *,
        sandboxed: bool,
        limit_s: float = MAX_LIMIT_S,
    ) -> str:
        """Start a command and return its id, by which its output is read.

        Whether it could be started is in its state.

        Args:
            argv: the arguments, the program first.
            run: the request of the run that starts it; `end_run` ends it.
            sandboxed: whether it runs in the sandbox.
            limit_s: seconds after which it is ended.

        Raises:
            Busy: too many are running, or the workspace is being closed.
        """
        if self._is_closed:
            raise Busy("The workspace is being closed; no command is started any more.")
        if sum(one.state == "running" for one in self._commands.values()) >= MAX_RUNNING:
            raise Busy(f"{MAX_RUNNING} background commands are running; stop one of them first.")
        command_id = f"b{next(self._numbers)}"
        command = _Running(argv, run, is_sandboxed=sandboxed)
        command.task = asyncio.create_task(
            command.run(self._runner, limit_s), name=f"background command {command_id}"
        )
        self._commands[command_id] = command
        self._forget()
        return command_id

    def read(self, command_id: str) -> BackgroundOutput:
        """Return what a command has printed since the last call, and its state.

        Raises:
            NotFound: there is no such command.
        """
        return self._command(command_id).take()

    async def stop(self, command_id: str) -> BackgroundOutput:
        """End a command within a second, unless it has ended; returns as `read`.

        Raises:
            NotFound: there is no such command.
        """
        command = self._command(command_id)
        await command.stop()
        return command.take()

    def is_running(self, run: RequestId) -> bool:
        """Return whether a command of a run is running."""
        return any(one.run_id == run and one.state == "running" for one in self._commands.values())

    async def end_run(self, run: RequestId) -> None:
        """End the commands that a run has started, within a second."""
        own = (one for one in self._commands.values() if one.run_id == run)
        await asyncio.gather(*(one.stop() for one in own if one.state == "running"))

    def list(self) -> tuple[BackgroundCommand, ...]:
        """Return the running commands and the last that have ended, in the order of their start."""
        return tuple(
            BackgroundCommand(name, one.argv, one.state, one.running_s, one.is_sandboxed)
            for name, one in self._commands.items()
        )

    async def aclose(self) -> None:
        """End all of them, within a second; none can be started any more."""
        self._is_closed = True
        await asyncio.gather(*(one.stop() for one in self._commands.values()))

    def _command(self, command_id: str) -> _Running:
        command = self._commands.get(command_id)
        if command is None:
            known = ", ".join(self._commands) or "none"
            raise NotFound(
                f"There is no background command {command_id[:40]!r}; there are: {known}."
            )
        return command

    def _forget(self) -> None:
        ended = [name for name, one in self._commands.items() if one.state != "running"]
        for name in ended[: max(0, len(ended) - MAX_ENDED)]:
            del self._commands[name]
