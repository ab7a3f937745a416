"""Runs commands in a repository: in the sandbox or, once the user has allowed that, beside it."""

import asyncio
import errno
import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from jupyter_ac.agent.commands.environment import MARK, command_environment
from jupyter_ac.agent.commands.output import CommandOutput
from jupyter_ac.agent.commands.process_group import ProcessGroup
from jupyter_ac.agent.commands.resource_limits import limited
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.errors import AccessDenied, AcError, InvalidParams, NotFound, Unsupported
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.shield import run_to_completion

MAX_LIMIT_S: Final = 4 * 3600.0
"""The longest time limit that can be given."""

MAX_OUTPUT_BYTES: Final = 64 * 1024 * 1024
"""A command that prints more is stopped."""

NO_VARIABLES: Final[Mapping[str, str]] = {}

Ended: TypeAlias = Literal["exited", "timed_out", "stopped", "too_long"]


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """What has become of a command.

    Attributes:
        exit_code: its exit status, 128 + n if signal n has ended it; None if it was ended here.
        output: both outputs in their order, without colours; of a long one the beginning and the
            end, with a line between them that says so. Secrets in it are not masked.
        left_out: bytes between them.
        duration_ms: how long it ran.
        ended: by itself, at the time limit, by request, or because it printed too much.
        is_sandboxed: it ran in the sandbox.
    """

    exit_code: int | None
    output: str
    left_out: int
    duration_ms: int
    ended: Ended
    is_sandboxed: bool


class CommandRunner:
    """Runs the commands of one repository, in its top folder.

    Args:
        root: the top folder.
        sandbox: of this repository.
        environ: of this process; a command gets a part of it (`command_environment`).
    """

    def __init__(
        self, root: Path, sandbox: Sandbox, environ: Mapping[str, str] = os.environ
    ) -> None:
        self.sandbox = sandbox
        self._root = root
        self._environ = environ

    async def run(
        self,
        argv: Sequence[str],
        *,
        sandboxed: bool,
        limit_s: float,
        on_output: Callable[[str], None] | None = None,
        further: Mapping[str, str] = NO_VARIABLES,
    ) -> CommandOutcome:
        """Run a command to its end; no shell, standard input is empty.

        All that it has started ends with it. At the time limit, at `MAX_OUTPUT_BYTES` of output and
        when the caller is cancelled it is ended within a second: by SIGTERM, then by SIGKILL.

        Args:
            argv: the arguments, the program first, as of `split_command`.
            sandboxed: whether it runs in the sandbox; it never runs beside it instead.
            limit_s: seconds that it may take.
            on_output: gets its output as text as soon as it is there; returns at once.
            further: variables of its environment, beside those of `command_environment`.

        Raises:
            Unsupported: there is no sandbox, or it doesn't show the program.
            NotFound: there is no such program.
            AccessDenied: the file isn't a program, or may not be started.
            InvalidParams: no arguments, a time limit that isn't one, or a NUL character.
            GitError: git's configuration, which names what is protected, can't be read.
            Busy: the system has no more processes or memory.
        """
        _require_valid(argv, limit_s)
        output = CommandOutput(MAX_OUTPUT_BYTES, on_output)
        line, variables = await self.prepare(argv, sandboxed=sandboxed, further=further)
        begun = time.monotonic()
        group = await self._start(argv[0], line, variables, output)
        try:
            ended = await group.wait(limit_s)
        finally:
            await run_to_completion(group.end())
        return CommandOutcome(
            exit_code=group.exit_code if ended == "exited" else None,
            output=output.text(),
            left_out=output.left_out,
            duration_ms=round((time.monotonic() - begun) * 1000),
            ended=ended,
            is_sandboxed=sandboxed,
        )

    async def prepare(
        self,
        argv: Sequence[str],
        *,
        sandboxed: bool,
        further: Mapping[str, str] = NO_VARIABLES,
    ) -> tuple[Sequence[str], dict[str, str]]:
        """Return the command line that starts a command, and its environment.

        Args:
            argv: the arguments, the program first.
            sandboxed: whether it runs in the sandbox, whose options end with the first `--`.
            further: variables of its environment.

        Raises:
            Unsupported: there is no sandbox, or it doesn't show the program.
            NotFound: there is no such program.
            AccessDenied: the file isn't a program.
            GitError: git's configuration, which names what is protected, can't be read.
        """
        folders = [str(Path(sys.executable).parent)]
        variables = command_environment(self._environ, folders, is_sandboxed=sandboxed)
        variables |= further
        program = await asyncio.to_thread(self._found, argv[0], variables["PATH"])
        if not sandboxed:
            return argv, variables
        if refusal := await self.sandbox.refusal():
            raise Unsupported(refusal)
        mounts = await self.sandbox.mounts()
        if not mounts.shows(program):
            raise Unsupported(
                f"The sandbox doesn't show {argv[0]!r}, which is in a folder of the user's; run it "
                "outside of the sandbox, or install it for all users."
            )
        bounded = limited(argv, mounts.shows)
        return await self.sandbox.command_line(mounts, bounded, variables), variables

    def _found(self, program: str, search_path: str) -> Path:
        """Return a program's file, links resolved."""
        is_path = os.sep in program
        place = self._root / program
        found = shutil.which(place if is_path else program, path=search_path)
        if found is not None:
            return Path(os.path.realpath(found))
        if is_path and place.exists():
            raise AccessDenied(f"{program!r} may not be executed; name its interpreter before it.")
        where = "" if is_path else " on PATH"
        raise NotFound(f"There is no program {program!r}{where}; install it, or use another one.")

    async def _start(
        self,
        program: str,
        line: Sequence[str],
        variables: Mapping[str, str],
        output: CommandOutput,
    ) -> ProcessGroup:
        marked = {**variables, MARK: secrets.token_hex(16)}
        try:
            return await ProcessGroup.start(line, self._root, marked, output.add)
        except OSError as error:
            raise _explained(error, program) from error
        except ValueError as error:  # a NUL or a lone surrogate
            raise InvalidParams("An argument contains a character that none may.") from error


def _require_valid(argv: Sequence[str], limit_s: float) -> None:
    if not argv or not argv[0]:
        raise InvalidParams("The command is empty; name a program.")
    if not 0 < limit_s <= MAX_LIMIT_S:
        raise InvalidParams(f"The time limit must be between 0 and {MAX_LIMIT_S:g} seconds.")
    if any("\0" in argument for argument in argv):
        raise InvalidParams("An argument contains a NUL character; leave it out.")


def _explained(error: OSError, program: str) -> AcError:
    if error.errno == errno.ENOEXEC:
        return AccessDenied(f"{program!r} isn't a program: it has no line such as `#!/bin/sh`.")
    return explained_os_error(error, repr(program))
