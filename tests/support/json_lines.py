"""A process under control: commands as JSON lines in, answers and events as JSON lines out.

An answer has the `id` of its command, and `value` or `error`; any other line is an event.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Final

WAIT_S: Final = 90.0
_LINE_LIMIT: Final = 64 * 1024 * 1024

Event = dict[str, object]


class CommandError(Exception):
    """What a command failed with there."""

    def __init__(self, error: object) -> None:
        super().__init__(error if isinstance(error, str) else repr(error))
        self.error = error


class LineProcess:
    """A running process.

    Args:
        process: its pipes are open.
        on_event: callback for each event.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, on_event: Callable[[Event], None]
    ) -> None:
        self._process = process
        self._on_event = on_event
        self._ids = itertools.count(1)
        self._answers: dict[object, asyncio.Future[object]] = {}
        self._reader = asyncio.create_task(self._read())

    async def command(self, members: Mapping[str, object]) -> object:
        """Send a command and wait for its answer; `CommandError` when it is an error."""
        number = next(self._ids)
        future = asyncio.get_running_loop().create_future()
        self._answers[number] = future
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": number, **members}).encode() + b"\n")
        async with asyncio.timeout(WAIT_S):
            return await future

    async def aclose(self, *, kill: bool = False) -> None:
        """End the process by the end of its input, or at once."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if kill and self._process.returncode is None:
            self._process.kill()
        try:
            async with asyncio.timeout(WAIT_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._reader

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            if "id" not in message:
                self._on_event(message)
                continue
            future = self._answers.pop(message["id"], None)
            if future is None or future.done():
                continue
            if "error" in message:
                future.set_exception(CommandError(message["error"]))
            else:
                future.set_result(message["value"])


async def start(
    program: str, *arguments: str, cwd: str | None = None
) -> asyncio.subprocess.Process:
    """Start a program with the pipes that are needed."""
    return await asyncio.create_subprocess_exec(
        program,
        *arguments,
        cwd=cwd,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE_LIMIT,
    )
