"""Starts a browser with a private profile, and talks to it over pipes that nobody else has."""

import asyncio
import contextlib
import fcntl
import logging
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jupyter_ac.browser.executables import find_browser
from jupyter_ac.browser.profiles import Profile
from jupyter_ac.browser.transports import PipeTransport, open_pipes
from jupyter_ac.errors import NotConnected
from jupyter_ac.workers.redaction import is_secret_name, redact

log = logging.getLogger(__name__)

_END_S: Final = 5.0
"""Time limit of each step of ending a browser, before the next step."""

_FIRST_FREE_FD: Final = 10
"""The pipes' ends for the browser lie above those that it is to have, 3 and 4."""

_MOVE_PIPES: Final = (
    "import os, sys; r, w, *command = sys.argv[1:]; os.dup2(int(r), 3); os.dup2(int(w), 4); "
    "os.close(int(r)); os.close(int(w)); os.execv(command[0], command)"
)
"""Run between this process and the browser, because only there may descriptors be moved."""

_FLAGS: Final = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
)

_FIRST_PAGE: Final = "about:blank"

_STATE: Final = "Local State"
_NO_PROMPTS: Final = '{"auth": {"schemes": "none"}}'
"""The preferences of a browser without a window: nobody would see its prompt for a password.

The page would wait for ever; so it gets the server's 401 instead."""

_MAX_TMPDIR: Final = 50
_MAX_PRINTED: Final = 4096
_MAX_LINE: Final = 300
_PRINTED: Final = "printed.txt"
"""In the profile: what the browser prints."""

_APPEND: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC


@dataclass(frozen=True)
class LaunchOptions:
    """How a browser is started.

    Attributes:
        headless: without a window; None: when there is no display.
        executable: path of the browser; None: the first that is found.
        flags: further command-line options.
    """

    headless: bool | None = None
    executable: str | None = None
    flags: tuple[str, ...] = ()


class LaunchedBrowser:
    """A browser process that belongs to this one; made by `launch`.

    It also ends when this process dies, because its pipes end then.

    Attributes:
        transport: talks to it.
        is_headless: whether it has no window.
    """

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        transport: PipeTransport,
        profile: Profile,
        *,
        is_headless: bool,
    ) -> None:
        self.transport = transport
        self.is_headless = is_headless
        self._process = process
        self._profile = profile
        self._ending: asyncio.Task[None] | None = None

    def last_line(self) -> str:
        """Return what the browser has printed last, such as why it can't start; "" if nothing."""
        try:
            with (self._profile.path / _PRINTED).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _MAX_PRINTED))
                printed = file.read().decode("utf-8", "replace")
        except OSError:
            return ""
        lines = [line.strip() for line in printed.split("\n") if line.strip()]
        return redact(lines[-1][:_MAX_LINE]) if lines else ""

    @property
    def pid(self) -> int:
        """The id of its first process, which is also that of its process group."""
        return self._process.pid

    @property
    def profile_path(self) -> str:
        """Its profile's folder."""
        return str(self._profile.path)

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.returncode is None

    async def aclose(self) -> None:
        """End the browser and remove its profile; bounded, and seen through when cancelled."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        await self.transport.aclose()  # it ends by itself when its pipes are closed
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal_group(number)
            if await self._has_ended():
                break
        if not await asyncio.to_thread(self._profile.remove):
            log.warning("the browser's profile %s can't be removed", self._profile.path)

    async def _has_ended(self) -> bool:
        exited = asyncio.ensure_future(self._process.wait())
        await asyncio.wait({exited}, timeout=_END_S)
        exited.cancel()
        return not self.is_running

    def _signal_group(self, number: signal.Signals) -> None:
        if self.is_running:  # else the group's number may be another's by now
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)


async def launch(
    options: LaunchOptions | None = None, environ: Mapping[str, str] = os.environ
) -> LaunchedBrowser:
    """Start a browser with a new profile; it shows an empty page.

    Args:
        options: how; None: the defaults.
        environ: of this process; without its secrets it is also the browser's.

    Raises:
        NotFound: there is no browser on this machine.
        NotConnected: it can't be started.
    """
    options = options or LaunchOptions()
    executable = options.executable
    if executable is None:
        executable = await asyncio.to_thread(find_browser, environ)
    is_headless = not _has_display(environ) if options.headless is None else options.headless
    starting = asyncio.create_task(_start(executable, options, environ, is_headless=is_headless))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait({starting})
        if not starting.cancelled() and starting.exception() is None:
            await starting.result().aclose()
        raise


async def _start(
    executable: str, options: LaunchOptions, environ: Mapping[str, str], *, is_headless: bool
) -> LaunchedBrowser:
    try:
        profile = await asyncio.to_thread(Profile.create)
        printed = await asyncio.to_thread(os.open, profile.path / _PRINTED, _APPEND, 0o600)
        if is_headless:
            await asyncio.to_thread((profile.path / _STATE).write_text, _NO_PROMPTS, "utf-8")
    except OSError as error:
        raise NotConnected(f"No folder for the browser's profile: {error.strerror}") from error
    ours_read, theirs_write = _pipe()
    theirs_read, ours_write = _pipe()
    command = [
        executable,
        *_FLAGS,
        f"--user-data-dir={profile.path}",
        *(["--headless=new"] if is_headless else []),
        # Chromium's sandbox refuses to run as root, which is how containers often run.
        *(["--no-sandbox"] if os.getuid() == 0 else []),
        *options.flags,
        _FIRST_PAGE,
    ]
    transport = await open_pipes(ours_read, ours_write)
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-S", "-c", _MOVE_PIPES, str(theirs_read), str(theirs_write)),
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=printed,
            # The lock too, so that nobody removes the profile before the browser has ended.
            pass_fds=(theirs_read, theirs_write, profile.lock_fd),
            process_group=0,
            env=_browser_environment(environ),
            cwd=profile.path,
        )
    except OSError as error:
        await transport.aclose()
        await asyncio.to_thread(profile.remove)
        raise NotConnected(f"The browser can't be started: {error.strerror}") from error
    finally:
        os.close(theirs_read)
        os.close(theirs_write)
        os.close(printed)
    return LaunchedBrowser(process, transport, profile, is_headless=is_headless)


def _pipe() -> tuple[int, int]:
    """Make a pipe whose ends the child can move to 3 and 4 without treading on each other."""
    ends = os.pipe()
    moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD) for end in ends)
    for end in ends:
        os.close(end)
    return moved[0], moved[1]


def _has_display(environ: Mapping[str, str]) -> bool:
    return sys.platform == "darwin" or bool(
        environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")
    )


def _browser_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Give an environment without keys and passwords, which no browser needs.

    A long temporary folder is left out: the browser makes a socket in it, whose path has a limit.
    """
    kept = {name: value for name, value in environ.items() if not is_secret_name(name)}
    if len(kept.get("TMPDIR", "")) > _MAX_TMPDIR:
        del kept["TMPDIR"]
    return kept
