"""The process of an agent: its process group, its messages line by line, and its end."""

import asyncio
import json
import os
import secrets
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.agent.commands.environment import MARK
from jupyter_ac.agent.commands.process_group import (
    GRACE_S,
    KILL_WAIT_S,
    end_group,
    has_ended,
    made_whole,
)
from jupyter_ac.agent.commands.resource_limits import limit_memory
from jupyter_ac.errors import InvalidParams
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.terminal import terminal_text
from jupyter_ac.workers.redaction import redact_with

MAX_LINE_BYTES: Final = 8 * 1024 * 1024
MAX_SAID_BYTES: Final = 256 * 1024 * 1024
"""An agent that writes more in one attempt is ended."""

_COMPLAINT_LINES: Final = 3
_COMPLAINT_CHARS: Final = 300
_CHUNK: Final = 65_536

_Started: TypeAlias = tuple[asyncio.SubprocessTransport, SubprocessStreamProtocol]


@dataclass(frozen=True, slots=True)
class AgentCommand:
    """What starts an agent.

    Attributes:
        line: program and arguments; in the sandbox its options end with the first `--`.
        variables: its environment, without the following.
        private: variables that may hold keys; in the sandbox they are not on the command line,
            which everybody on the machine can read.
        argv: program and arguments of the agent itself.
        is_sandboxed: the line starts the sandbox.
    """

    line: Sequence[str]
    variables: Mapping[str, str]
    private: Mapping[str, str] = field(repr=False)
    argv: Sequence[str]
    is_sandboxed: bool


class AgentProcess:
    """A running agent, as a transport of the SDK: messages in, messages out.

    Args:
        transport: of the process.
        protocol: its streams.
        mark: in the environment of all that it starts.
        hidden: values that are not shown in what it complains of.

    Attributes:
        fault: why it isn't listened to any more, half a sentence; "" while it is.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: SubprocessStreamProtocol,
        mark: str,
        hidden: Sequence[str],
    ) -> None:
        self._transport = transport
        self._process = Process(transport, protocol, asyncio.get_running_loop())
        self._mark, self._hidden = mark, hidden
        limit_memory(self._process.pid)
        self._complaint: deque[str] = deque(maxlen=_COMPLAINT_LINES)
        self._said = 0
        self._sending = asyncio.Lock()
        self._complaining = asyncio.create_task(self._read_complaint(), name="agent stderr")
        self.fault = ""

    @classmethod
    async def start(cls, command: AgentCommand, folder: Path) -> "AgentProcess":
        """Start an agent.

        Raises:
            AcError: the system doesn't start it.
        """
        mark = secrets.token_hex(16)
        variables = {**command.variables, MARK: mark}
        if not command.is_sandboxed:
            variables |= command.private
        try:
            with _private_options(command) as (line, descriptors):
                loop = asyncio.get_running_loop()
                creating = loop.subprocess_exec(
                    lambda: SubprocessStreamProtocol(limit=MAX_LINE_BYTES, loop=loop),
                    *(part.encode("utf-8", "surrogateescape") for part in line),
                    cwd=folder,
                    env=variables,
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=PIPE,
                    start_new_session=True,
                    pass_fds=descriptors,
                )
                hidden = [*command.private.values()]

                async def end(started: _Started) -> None:
                    await cls(*started, mark, hidden).end()

                return cls(*await made_whole(creating, end), mark, hidden)
        except OSError as error:
            raise explained_os_error(error, repr(command.argv[0])) from error
        except ValueError as error:  # a NUL or a lone surrogate
            raise InvalidParams("An argument contains a character that none may.") from error

    @property
    def complaint(self) -> str:
        """What became of it, as half a sentence: its exit status and the end of its errors."""
        code = self._process.returncode
        status = "it has closed its output" if code is None else f"exit status {code}"
        said = redact_with(terminal_text(" ".join(self._complaint)), self._hidden)
        return f"{status}: {said[-_COMPLAINT_CHARS:]}" if said else status

    async def receive(self) -> dict[str, object] | None:
        """Return the agent's next message; None at the end, and when it has written too much.

        What is no JSON object is left out: some agents write notices between messages.
        """
        reader = self._process.stdout
        while reader is not None and not self.fault:
            try:
                line = await reader.readline()
            except ValueError:
                self.fault = f"has written a line of more than {MAX_LINE_BYTES >> 20} MiB"
                return None
            self._said += len(line)
            if self._said > MAX_SAID_BYTES:
                self.fault = f"has written more than {MAX_SAID_BYTES >> 20} MiB"
                return None
            if not line:
                await self._noticed_end()
                return None
            message = _message(line)
            if message is not None:
                return message
        return None

    async def send(self, message: Mapping[str, object]) -> None:
        """Send a message.

        Raises:
            ConnectionError: the agent has ended.
        """
        writer = self._process.stdin
        if writer is None:
            raise ConnectionResetError
        async with self._sending:
            writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            await writer.drain()

    async def close(self) -> None:
        """Do nothing: `end` ends it."""

    async def end(self) -> None:
        """End the agent and all that it has started; takes a second at most.

        To be shielded from cancellation (`run_to_completion`).
        """
        await end_group(self._process, self._mark)
        # What nobody has read would keep its pipe open, and this waiting.
        self._transport.close()
        await has_ended(self._process, KILL_WAIT_S)
        self._complaining.cancel()
        await asyncio.wait({self._complaining})

    async def _noticed_end(self) -> None:
        """Wait a moment for the exit status and the last words, for `complaint`."""
        await has_ended(self._process, GRACE_S)
        await asyncio.wait({self._complaining}, timeout=GRACE_S)

    async def _read_complaint(self) -> None:
        reader = self._process.stderr
        rest = b""
        while reader is not None and (data := await reader.read(_CHUNK)):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-_COMPLAINT_CHARS:]
            for line in lines:
                self._add_complaint(line)
        self._add_complaint(rest)

    def _add_complaint(self, line: bytes) -> None:
        text = line[-_COMPLAINT_CHARS:].decode("utf-8", "replace").strip()
        if text:
            self._complaint.append(text)


@contextmanager
def _private_options(command: AgentCommand) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Give the private variables to the sandbox by a file without a name."""
    line = list(command.line)
    if not (command.is_sandboxed and command.private):
        yield line, ()
        return
    variables = command.private.items()
    options = [part for name, value in variables for part in ("--setenv", name, value)]
    descriptor = os.memfd_create("options", 0)
    try:
        os.write(descriptor, b"".join(os.fsencode(part) + b"\0" for part in options))
        os.lseek(descriptor, 0, os.SEEK_SET)
        at = line.index("--")
        yield [*line[:at], "--args", str(descriptor), *line[at:]], (descriptor,)
    finally:
        os.close(descriptor)


def _message(line: bytes) -> dict[str, object] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
