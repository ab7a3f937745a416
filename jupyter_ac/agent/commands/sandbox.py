"""The sandbox of commands: bubblewrap (`bwrap`), where a trial run of it works.

A command has no network unless it is made with one, sees no other process, and of the disk what
`mounts` says. It ends with
this process, and all that it has started ends with it: they have process numbers of their own.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.agent.commands.environment import absolute_entries
from jupyter_ac.agent.commands.mounts import Mounts, find_mounts
from jupyter_ac.errors import AcError, Unsupported
from jupyter_ac.git.configuration import read_configuration, settings_in
from jupyter_ac.git.configured_programs import HOOKS, hooks_folder, programs_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.terminal import terminal_text
from jupyter_ac.workers.redaction import redact

TRIAL_S: Final = 10.0
"""Seconds after which the trial run counts as failed."""

_ISOLATION: Final = (
    *("--unshare-all", "--die-with-parent", "--new-session", "--clearenv"),
    # Else who is root here would be it there, with all of its rights.
    *("--cap-drop", "ALL"),
)
_NO_NAMESPACES: Final = (
    *("namespace", "uid map", "uid_map", "setgroups", "permission", "not permitted"),
    *("operation not permitted", "pivot_root", "loopback"),
)
_MAX_REASON: Final = 200
_NAME_SERVERS: Final = "/etc/resolv.conf"
_TRIAL: Final = ("true",)


class Sandbox:
    """Puts the commands of one repository into a sandbox.

    Args:
        repository: whose files they may change.
        environ: of this process.
        read_only: files and folders of the repository that they may not change, beside the git
            directory, hooks, configured programs and Python environments.
        shown: files and folders elsewhere that they see, read-only.
        has_network: they reach the network, this machine's own servers included.
    """

    def __init__(
        self,
        repository: Repository,
        environ: Mapping[str, str] = os.environ,
        read_only: Sequence[Path] = (),
        shown: Sequence[Path] = (),
        *,
        has_network: bool = False,
    ) -> None:
        self._repository = repository
        self._environ = environ
        self._has_network = has_network
        self._read_only, self._shown = tuple(read_only), tuple(shown)
        self._trial: asyncio.Lock = asyncio.Lock()
        self._refusal: str | None = None

    async def refusal(self) -> str:
        """Return why there is no sandbox, as a sentence; "" where there is one.

        The first call makes a trial run, with the options of all others.
        """
        async with self._trial:
            if self._refusal is None:
                self._refusal = await self._find_refusal()
        return self._refusal

    async def mounts(self) -> Mounts:
        """Look what a command sees at this moment.

        Raises:
            Unsupported: as `find_mounts`.
            GitError: git's configuration can't be read.
        """
        read_only = (*self._read_only, *await self._configured())
        return await asyncio.to_thread(
            find_mounts, self._repository, self._environ, read_only, self._shown
        )

    async def command_line(
        self, mounts: Mounts, argv: Sequence[str], variables: Mapping[str, str]
    ) -> list[str]:
        """Return the command line that runs a command in the sandbox.

        Args:
            mounts: what it sees.
            argv: its arguments, the program first.
            variables: its whole environment.

        Raises:
            Unsupported: there is no sandbox; the message says why.
        """
        refusal = await self.refusal()
        program = self._program()
        if refusal or program is None:
            raise Unsupported(refusal or _missing())
        return [program, *self._options(mounts, variables), "--", *argv]

    def _options(self, mounts: Mounts, variables: Mapping[str, str]) -> list[str]:
        return bwrap_arguments(mounts, variables, has_network=self._has_network)

    async def _configured(self) -> list[Path]:
        """Return the files that git runs because of its configuration, and the hooks' folder."""
        root = self._repository.root
        settings = settings_in(self._repository, await read_configuration(self._repository))
        programs = await asyncio.to_thread(programs_in, self._repository, settings)
        return [
            Path(hooks_folder(self._repository, settings)),
            *(
                root / path
                for program in programs
                for path in program.files
                if program.kind == HOOKS or not path.endswith("/")
            ),
        ]

    async def _find_refusal(self) -> str:
        if sys.platform != "linux":
            return "Commands run in a sandbox on Linux only."
        program = self._program()
        if program is None:
            return _missing()
        try:
            mounts = await self.mounts()
        except AcError as error:
            return error.message
        variables = {"PATH": self._environ.get("PATH", os.defpath)}
        tried = [program, *self._options(mounts, variables), "--", *_TRIAL]
        return await asyncio.to_thread(_try, tried)

    def _program(self) -> str | None:
        """Find bwrap, but not in the repository."""
        entries = [
            entry
            for entry in absolute_entries(self._environ.get("PATH", os.defpath))
            if not Path(os.path.realpath(entry)).is_relative_to(self._repository.root)
        ]
        return shutil.which("bwrap", path=os.pathsep.join(entries)) if entries else None


def bwrap_arguments(
    mounts: Mounts, variables: Mapping[str, str], *, has_network: bool = False
) -> list[str]:
    """Return bwrap's options, which it applies in their order.

    Args:
        mounts: what the command sees.
        variables: its whole environment; its home folder is set here.
        has_network: it reaches the network.
    """
    network = _network() if has_network else ()
    return [*_ISOLATION, *network, *_disk(mounts), *_environment(mounts, variables)]


def _network() -> Iterator[str]:
    """Yield the options that share the network, and show where names are looked up."""
    yield "--share-net"
    # Often a link into `/run`, which is empty there.
    names = os.path.realpath(_NAME_SERVERS)
    if os.access(names, os.R_OK):
        yield from ("--ro-bind", names, _NAME_SERVERS)


def _disk(mounts: Mounts) -> Iterator[str]:
    for path, target in mounts.links.items():
        yield from ("--symlink", target, str(path))
    for path in mounts.system:
        yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc", "--dev", "/dev")
    for path in mounts.kernel_settings:
        yield from ("--ro-bind", str(path), str(path))
    for path in mounts.kernel_memory:
        yield from ("--ro-bind", os.devnull, str(path))
    for path in mounts.empty:
        yield from ("--tmpfs", str(path))
    for path in mounts.programs:
        yield from ("--ro-bind", str(path), str(path))
    yield from ("--bind", str(mounts.root), str(mounts.root))
    for path in mounts.protected:
        yield from ("--ro-bind", str(path), str(path))
    for path in mounts.hidden:
        yield from ("--tmpfs", str(path))
    yield from ("--chdir", str(mounts.root))


def _environment(mounts: Mounts, variables: Mapping[str, str]) -> Iterator[str]:
    for name, value in {**variables, "HOME": str(mounts.home)}.items():
        yield from ("--setenv", name, value)


def _try(tried: Sequence[str]) -> str:
    """Run bwrap once; returns why it doesn't work, as a sentence."""
    try:
        done = subprocess.run(
            tried,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={},
            timeout=TRIAL_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"A trial run of `bwrap` didn't end within {TRIAL_S:g} s, so there is no sandbox."
    except OSError as error:
        return f"`bwrap` can't be started: {error.strerror}. Install bubblewrap again."
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = redact(terminal_text(lines[-1] if lines else f"exit status {done.returncode}"))
    said = said.removeprefix("bwrap: ")[:_MAX_REASON]
    if any(word in said.lower() for word in _NO_NAMESPACES):
        return (
            "This system or container doesn't allow the namespaces that a sandbox needs "
            f"(bwrap: {said}); allow unprivileged user namespaces."
        )
    return f"A trial run of `bwrap` has failed, so there is no sandbox (bwrap: {said})."


def _missing() -> str:
    return (
        "Commands can't run in a sandbox: install bubblewrap (`apt-get install bubblewrap`) and "
        "restart."
    )
