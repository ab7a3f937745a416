"""`jupyter ac stdio` as its users start it: a child process, lines in and lines out.

It shares no code with the product, so what it understands is what is on the wire.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.serve_process import plain_environment

ROOT = Path(__file__).parents[2]
LIMIT_S = 90.0
KEY = "sk-scripted-0123456789"
COMMAND = (sys.executable, "-m", "jupyter_ac.hosts.cli.main")

Json = dict[str, object]


def command_environment(home: Path, *, model: bool = False, **more: str) -> dict[str, str]:
    """The environment of a command of this checkout, with settings of its own.

    Args:
        home: where everything is kept that isn't the repository's.
        model: False: no model can be chosen, so that none is started.
        more: variables.
    """
    path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(ROOT))))
    environ = plain_environment(home, PYTHONPATH=path, **more)
    config = Path(environ["JUPYTER_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    if not model:
        limits = {"JupyterAC": {"denied_models": ["*"]}}
        (config / "jupyter_ac_config.json").write_text(json.dumps(limits))
    return environ


def run_command(
    *arguments: str,
    env: Mapping[str, str],
    cwd: Path,
    stdin: str = "",
    limit_s: float = 90.0,
) -> "subprocess.CompletedProcess[str]":
    """Run a command of `jupyter ac` to its end.

    Longer than elsewhere by default: a process that asks a model loads litellm anew.
    """
    return subprocess.run(
        [*COMMAND, *arguments],
        env=env,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
    )


def scripted_environment(home: Path, api_base: str) -> dict[str, str]:
    """The environment of a command for which a scripted model answers."""
    return command_environment(
        home,
        model=True,
        JUPYTER_AC_MODEL="openai/scripted",
        JUPYTER_AC_API_BASE=api_base,
        OPENAI_API_KEY=KEY,
    )


class Stdio:
    """One running host.

    Attributes:
        process: it.
        seen: all values that it wrote.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.seen: list[object] = []
        self._log = asyncio.create_task(self._read_log())

    def send(self, value: object) -> None:
        """Write a value on a line."""
        self.write(json.dumps(value).encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Write bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    async def value(self) -> object:
        """The next value; EOFError at the end."""
        assert self.process.stdout is not None
        async with asyncio.timeout(LIMIT_S):
            line = await self.process.stdout.readline()
        if not line:
            raise EOFError(await self.log())
        value: object = json.loads(line)  # nothing but frames may be there
        self.seen.append(value)
        return value

    async def until(self, is_it: Callable[[object], bool]) -> object:
        """The first value that is it, of those that came and those to come."""
        for value in self.seen:
            if is_it(value):
                return value
        while not is_it(value := await self.value()):
            pass
        return value

    async def answer(self, call_id: object) -> Json:
        """The answer to a call of a single connection."""
        found = await self.until(lambda value: isinstance(value, dict) and _answers(value, call_id))
        assert isinstance(found, dict)
        return found

    async def frame(self, link: str, is_it: Callable[[Json], bool]) -> Json:
        """The first frame of a link that is it."""
        found = await self.until(
            lambda value: (
                isinstance(value, list)
                and len(value) == 2
                and value[0] == link
                and isinstance(value[1], dict)
                and is_it(value[1])
            )
        )
        assert isinstance(found, list)
        frame: Json = found[1]
        return frame

    async def closed(self, link: str) -> tuple[object, str]:
        """Code and reason of the close of a link."""
        found = await self.until(
            lambda value: isinstance(value, list) and len(value) == 3 and value[0] == link
        )
        assert isinstance(found, list)
        assert found[1] is None
        return found[2]["close"]["code"], found[2]["close"]["reason"]

    async def end(self) -> int:
        """Close its input and wait for its end; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.ended()

    async def ended(self) -> int:
        """Read the rest and wait for its end; the exit code."""
        try:
            while True:
                await self.value()
        except EOFError:
            pass
        async with asyncio.timeout(LIMIT_S):
            return await self.process.wait()

    async def log(self) -> str:
        """What it wrote on standard error, at its end."""
        async with asyncio.timeout(LIMIT_S):
            return await asyncio.shield(self._log)

    async def _read_log(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()


def _answers(value: Json, call_id: object) -> bool:
    return "method" not in value and value.get("id") == call_id


@asynccontextmanager
async def stdio(
    *arguments: str, env: Mapping[str, str], cwd: Path | None = None
) -> AsyncIterator[Stdio]:
    """Run `jupyter ac stdio` with these arguments; it is gone afterwards."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        "stdio",
        *arguments,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env=env,
        cwd=cwd,
        limit=1 << 27,
    )
    running = Stdio(process)
    try:
        yield running
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
            await running.ended()
        await running.log()
