"""A plugin in a child process: its pipes, its error output, its end."""

import asyncio
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from jupyter_ac.agent.commands.environment import MARK, absolute_entries
from jupyter_ac.agent.commands.process_group import KILL_WAIT_S, end_group, has_ended, made_whole
from jupyter_ac.agent.commands.resource_limits import limit_memory
from jupyter_ac.errors import AcError, ConnectionClosed, NotReady
from jupyter_ac.hosts.panels.last_lines import LastLines
from jupyter_ac.hosts.panels.plugin_calls import PluginMethods
from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.hosts.panels.plugin_peer import PluginRights, PluginWire, call_plugin, plugin_peer
from jupyter_ac.hosts.panels.plugin_transport import MAX_FRAME_BYTES, Pace
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.panel_source import PluginHost
from jupyter_ac.store.shield import run_to_completion
from jupyter_ac.workers.launch import python_path, working_directory
from jupyter_ac.workers.pipes import PipeTransport

GOODBYE_S: Final = 0.5
"""For `destroy`, and then for the end of the process at the end of its input."""

_GONE: Final = 1006
"""Close code of a pipe that the other side has closed."""

_LOG_READ: Final = 16 * 1024
_KEPT: Final = ("HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
_PYTHON: Final = ("VIRTUAL_ENV", "CONDA_PREFIX", "JUPYTER_AC_CONFIG_DIR", "JUPYTER_AC_CACHE_DIR")
_FOLDERS: Final = f"/usr/bin{os.pathsep}/bin"


def plugin_environment(environ: Mapping[str, str], mark: str) -> dict[str, str]:
    """Return the environment of a plugin: no variable of this process that may hold a key.

    Args:
        environ: of this process.
        mark: by which its processes are found.
    """
    found = {name: environ[name] for name in (*_KEPT, *_PYTHON) if name in environ}
    found["PATH"] = os.pathsep.join(absolute_entries(environ.get("PATH", os.defpath)))
    found["PYTHONPATH"] = os.pathsep.join(python_path(environ.get("PYTHONPATH", "")))
    return {**found, "PYTHONUNBUFFERED": "1", MARK: mark}


class PluginProcess:
    """A running plugin's process; a `PluginLink`.

    Args:
        process: of it.
        command: that has started it.
        mark: in the environment of all that it starts.
        host: is told what it sends.
        rights: of the plugin.
    """

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        command: PluginCommand,
        mark: str,
        host: PluginHost,
        rights: PluginRights,
    ) -> None:
        if process.stdout is None or process.stdin is None:
            raise NotReady(f"the panel {command.name} has no pipes")
        self._process = process
        self._command = command
        self._mark = mark
        self._host = host
        self._lines = LastLines()
        methods = PluginMethods(self._described)
        methods.host = host
        pipes = PipeTransport(process.stdout, process.stdin)
        self._peer, self._table = plugin_peer(
            pipes,
            methods,
            rights,
            self._lines.add_line,
            self._kill,
            PluginWire(command.protocol),
        )
        loop = asyncio.get_running_loop()
        self._log = loop.create_task(self._drain_log(), name=f"panel {command.name}: log")
        self._life = loop.create_task(self._live(), name=f"panel {command.name}")
        self._ending: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, command: PluginCommand, host: PluginHost, rights: PluginRights
    ) -> "PluginProcess":
        """Start the process.

        Raises:
            NotReady: the system doesn't start it.
        """
        mark, pipe = secrets.token_hex(8), asyncio.subprocess.PIPE
        variables = plugin_environment(os.environ, mark)
        argv = _tethered([_program(command, variables), *command.argv[1:]])
        creating = asyncio.create_subprocess_exec(
            *(part.encode("utf-8", "surrogateescape") for part in argv),
            # Not in the repository, whose files a program could load.
            cwd=working_directory(),
            env=variables,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
            limit=MAX_FRAME_BYTES,
        )
        try:
            process = await made_whole(creating, partial(end_group, mark=mark))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise NotReady(
                f"The panel {command.name} can't be started: {command.argv[0]}: {reason}."
            ) from error
        limit_memory(process.pid)
        return cls(process, command, mark, host, rights)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method of the plugin.

        Raises:
            ConnectionClosed: it has ended; its host was told before.
            AcError: it refused the call, or didn't answer.
        """
        try:
            return await call_plugin(self._peer, method, *args)
        except ConnectionClosed:
            await asyncio.wait({self._life})
            raise

    async def end(self) -> None:
        """End the process and all that it has started; takes some seconds at most."""
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        with suppress(AcError):
            await self._peer.call("destroy", timeout_s=GOODBYE_S)
        await self._peer.close()
        await has_ended(self._process, GOODBYE_S)
        await self._end_all()
        tasks = {self._life, self._log}
        await asyncio.wait(tasks, timeout=KILL_WAIT_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Whatever still has its pipes open is not waited for any longer.
        await has_ended(self._process, KILL_WAIT_S)

    async def _live(self) -> None:
        """Serve the pipe to its end, then see the process off and tell the host."""
        await self._peer.run()
        if self._ending is not None:
            return
        await has_ended(self._process, GOODBYE_S)
        code = self._process.returncode
        await run_to_completion(self._end_all())
        await asyncio.wait({self._log}, timeout=KILL_WAIT_S)
        self._host.ended(self._obituary(code))

    async def _end_all(self) -> None:
        """End the process and what it has started, and read what they have left in the pipe."""
        await end_group(self._process, self._mark)
        output = self._process.stdout
        with suppress(TimeoutError, ValueError, RuntimeError):  # somebody else reads it
            async with asyncio.timeout(KILL_WAIT_S):
                # Its transport stays open until all is read.
                while output is not None and await output.read(_LOG_READ):
                    pass

    def _kill(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    def _obituary(self, code: int | None) -> ErrorReport:
        ended = self._peer.ended
        if ended is not None and ended.close_code != _GONE:
            how = f"was ended: {ended.message}"
        elif code is None:
            how = "was ended: it closed its output"
        elif code < 0:
            how = f"was ended by {_signal_name(-code)}"
        else:
            how = f"ended with exit status {code}"
        report = ErrorReport(message=f"The process of {self._command.name} {how}.")
        if text := self._lines.text:
            report["stack"] = text
        return report

    def _described(self, title: str, calls: frozenset[str]) -> None:
        self._host.described(title, self._table.grant(calls))

    async def _drain_log(self) -> None:
        stream = self._process.stderr
        pace = Pace(asyncio.get_running_loop().time)
        while stream is not None and (data := await stream.read(_LOG_READ)):
            self._lines.add(data)
            await asyncio.sleep(pace.count(len(data)))


def _program(command: PluginCommand, variables: Mapping[str, str]) -> str:
    """Return the path of a command's program.

    Raises:
        NotReady: there is none.
    """
    name = command.argv[0]
    is_path = os.sep in name and not Path(name).is_absolute()
    found = None if is_path else shutil.which(name, path=variables.get("PATH"))
    if found is None:
        raise NotReady(
            f"The panel {command.name} can't be started: there is no program {name}; write its "
            "absolute path, or the name of one on PATH."
        )
    return found


def _tethered(argv: Sequence[str]) -> list[str]:
    """Return a command line whose process the system ends with this one, where it can."""
    program = shutil.which("setpriv", path=_FOLDERS) if sys.platform == "linux" else None
    return list(argv) if program is None else [program, "--pdeathsig", "KILL", "--", *argv]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
