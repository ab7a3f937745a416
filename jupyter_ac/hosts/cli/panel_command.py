"""`jupyter ac panel`: shows a panel of a Python file or of an installed package.

Over its standard streams or a WebSocket its host is a server of jupyter_ac, or any other program
that speaks the protocol (docs/panels.md). On a terminal it starts a server of its own. What only
some of these need is imported by them: a panel's process starts often.
"""

import asyncio
import importlib
import logging
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, cast

from jupyter_ac.errors import AccessDenied, ConnectionClosed, NotConnected, NotFound, NotReady
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.signals import until_signal
from jupyter_ac.hosts.panels.hosted_plugin import HostedPlugin, described
from jupyter_ac.hosts.panels.installed_panels import load_installed
from jupyter_ac.hosts.panels.panel_file import PanelFile
from jupyter_ac.hosts.panels.panel_reloading import PanelReloading
from jupyter_ac.hosts.panels.plugin_command import PluginCommand, file_command
from jupyter_ac.hosts.panels.plugin_stdio import StdioPipe, end_with_host
from jupyter_ac.hosts.panels.server_address import door_address
from jupyter_ac.panels.kkrpc_transport import KkrpcTransport
from jupyter_ac.panels.plugin import Plugin
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.settings.panels import KKRPC
from jupyter_ac.transports.streams import open_streams
from jupyter_ac.workers.pipes import claim_pipes

AGAIN_S: Final = 1.0
"""After which a lost connection is tried again."""


def run(options: Namespace) -> int:
    """Show the panel until its host goes, or until interrupted.

    Raises:
        WrongUsage: the options don't go together.
        AcError: there is no such panel, or the server refuses it.
    """
    if bool(options.file) == bool(options.entry_point):
        raise WrongUsage("name a FILE.py or an --entry-point, and not both.")
    if options.connect and options.stdio:
        raise WrongUsage("--connect and --stdio exclude each other.")
    if options.connect:
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        return asyncio.run(until_signal(_connect(_shown(options), options)))
    if options.stdio or options.entry_point or not sys.stdin.isatty():
        return _run_stdio(options)
    if options.kkrpc:
        raise WrongUsage("--kkrpc goes with --stdio or --connect.")
    if options.no_token:
        raise WrongUsage("a panel is shown to who has the token only: leave out --no-token.")
    serving = cast("_Serving", importlib.import_module("jupyter_ac.hosts.cli.serve"))
    return serving.serve_with(options, file_command(_existing(options.file)))


def _existing(file: Path) -> Path:
    """Return the absolute path of a file; one that can't be loaded now may be mended later.

    Raises:
        NotFound: there is no such file.
    """
    if not file.is_file():
        raise NotFound(f"There is no file {str(file)!r}.")
    return file.absolute()


class _Serving(Protocol):
    """The command `serve`."""

    def serve_with(self, options: Namespace, *panels: PluginCommand) -> int:
        """Serve with further panels."""


class _Dialling(Protocol):
    """The module that connects to a server."""

    FINAL_CODES: frozenset[int]

    def open_socket(self, url: str) -> AbstractAsyncContextManager[Transport]:
        """Connect to a server."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is shown.

    Attributes:
        plugin: returns the present version; None: it can't be loaded.
        description: what the host is told of it.
        reloading: loads it anew; None: it is never changed.
    """

    plugin: Callable[[], Plugin | None]
    description: Mapping[str, object]
    reloading: PanelReloading | None = None


def _run_stdio(options: Namespace) -> int:
    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise NotReady("Standard input, output and error must all be open.")
    read_fd, write_fd = claim_pipes()
    end_with_host(read_fd)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)

    async def work() -> int:
        shown = _shown(options)
        pipe = StdioPipe(await open_streams(read_fd, write_fd))
        try:
            transport = KkrpcTransport(pipe.transport) if options.kkrpc else pipe.transport
            await _host(shown, transport)
        finally:
            await pipe.aclose()
        return exit_codes.DONE

    return asyncio.run(until_signal(work()))


def _shown(options: Namespace) -> _Shown:
    """Load the panel; a file that can't be loaded now may be mended later."""
    if options.entry_point:
        plugin = load_installed(options.entry_point)
        return _Shown(lambda: plugin, described(plugin))
    path = _existing(options.file)
    reloading = PanelReloading(PanelFile(path))
    reloading.load()
    stem = {"name": path.stem, "title": path.stem, "calls": []}
    loaded = reloading.plugin
    description = stem if loaded is None else described(loaded)
    return _Shown(lambda: reloading.plugin, description, reloading)


async def _host(shown: _Shown, transport: Transport) -> ConnectionClosed | None:
    """Show the panel to the host of a connection until that ends; returns why it ended."""
    hosted = HostedPlugin(transport, shown.plugin(), shown.description)
    if shown.reloading is None:
        return await hosted.run()
    following = asyncio.create_task(shown.reloading.follow(), name="panel file")
    try:
        async with shown.reloading.shown_by(hosted):
            return await hosted.run()
    finally:
        following.cancel()
        await asyncio.wait({following})


async def _connect(shown: _Shown, options: Namespace) -> int:
    """Show the panel to a server, again when the connection was lost.

    Raises:
        AccessDenied: the server refuses it.
    """
    dialling = cast("_Dialling", importlib.import_module("jupyter_ac.hosts.panels.plugin_socket"))
    is_repo_named = options.repo != Path()
    query = {
        "name": str(shown.description["name"]),
        "title": str(shown.description["title"]),
        "repo": str(options.repo.absolute()) if is_repo_named else "",
        "protocol": KKRPC if options.kkrpc else "",
    }
    address, is_told = door_address(options.connect, query), False
    while True:
        try:
            async with dialling.open_socket(address) as socket:
                print("The panel is connected.", file=sys.stderr)
                is_told = False
                transport = KkrpcTransport(socket, is_socket=True) if options.kkrpc else socket
                ended = await _host(shown, transport)
        except NotConnected as error:
            ended = ConnectionClosed(error.message)
        if ended is not None and ended.close_code in dialling.FINAL_CODES:
            raise AccessDenied(ended.message)
        if not is_told:
            is_told = True
            said = "" if ended is None else ended.message
            print(f"{said} Trying again every second (Ctrl-C ends it).".lstrip(), file=sys.stderr)
        await asyncio.sleep(AGAIN_S)
