"""The life cycle of the stand-alone host."""

import asyncio
import errno
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tornado.httpserver import HTTPServer
from tornado.routing import Rule
from tornado.web import Application

from jupyter_ac.errors import AccessDenied, AcError, AlreadyExists, NotFound, NotReady
from jupyter_ac.git.repository import Repository, discover, open_plain_folder
from jupyter_ac.hosts.assembly import HostOptions, local_host
from jupyter_ac.hosts.assets import NOT_BUILT, STATIC_DIR
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.edge.event_stream import EVENTS_PATH
from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.hosts.panels.server_address import DOOR as PANEL_DOOR
from jupyter_ac.hosts.sockets.acceptor import Acceptor, PendingConnections
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits, connection_limits
from jupyter_ac.hosts.sockets.files import NAME
from jupyter_ac.hosts.sockets.handler import read_buffer
from jupyter_ac.hosts.standalone.base_handler import UnknownHandler, log_request
from jupyter_ac.hosts.standalone.local_events import LocalEventsHandler
from jupyter_ac.hosts.standalone.local_panel import LocalPanelHandler
from jupyter_ac.hosts.standalone.local_post import LocalPostHandler
from jupyter_ac.hosts.standalone.pages import (
    PAGE,
    AccessHandler,
    FileHandler,
    LocalMetricsHandler,
    PageHandler,
    StandaloneHealthHandler,
    page_exists,
)
from jupyter_ac.hosts.standalone.socket import LocalSocketHandler, Served, WantsSocket
from jupyter_ac.hosts.standalone.token import TokenFile, new_token
from jupyter_ac.rpc.call_metrics import CallMetrics


def make_application(served: Served, static_dir: Path) -> Application:
    """Create the tornado application with all handlers.

    Args:
        served: what the sockets lead to.
        static_dir: the folder with the front end's files.
    """
    at_files = {"path": str(static_dir)}
    return Application(
        [
            Rule(WantsSocket(), LocalSocketHandler, {"served": served}),
            (r"/()", PageHandler, {**at_files, "default_filename": PAGE}),
            (f"/{EVENTS_PATH}", LocalEventsHandler, {"served": served}),
            (r"/rpc", LocalPostHandler, {"served": served}),
            (f"/{PANEL_DOOR}", LocalPanelHandler, {"served": served}),
            (r"/health", StandaloneHealthHandler),
            (r"/metrics", LocalMetricsHandler, {"token": served.token, "metrics": served.metrics}),
            (r"/access", AccessHandler, {"token": served.token}),
            (rf"/static/{NAME}", FileHandler, at_files),
        ],
        default_handler_class=UnknownHandler,
        log_function=log_request,
    )


HOST: Final = "127.0.0.1"
DEFAULT_MESSAGE_MB: Final = 64
BACKLOG: Final = 4096
"""Connections that wait to be accepted; the system may have a lower limit. Those that find no place
are reset, or let wait ever longer, by the system."""

BODY_BYTES: Final = 1 << 16
"""Of a plain request, none of which has a body to speak of; frames have a limit of their own."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The command-line options of the server.

    Attributes:
        folder: in the repository to serve.
        port: 0 for any free one.
        asks_token: False lets in every program and every user of the machine.
        model: stronger than environment and settings; None when it wasn't given.
        limits: on connections; None: what the process's descriptors allow.
        panels: are listed with the user's own.
        opens_plain_folder: a folder that is in no repository is served, too.
    """

    folder: Path
    port: int
    asks_token: bool = True
    model: str | None = None
    limits: ConnectionLimits | None = None
    panels: tuple[PluginCommand, ...] = ()
    opens_plain_folder: bool = False


@dataclass(frozen=True, slots=True)
class Address:
    """The address on which the server listens.

    Attributes:
        port: on 127.0.0.1.
        token: "" when none is asked for.
        panel: id of the panel that the page shows first; "" for none.
    """

    port: int
    token: str
    panel: str = ""

    @property
    def socket(self) -> str:
        """The WebSocket's address."""
        return f"ws://{HOST}:{self.port}/{_query(token=self.token)}"

    @property
    def page(self) -> str:
        """The page's address."""
        return f"http://{HOST}:{self.port}/{_query(token=self.token, panel=self.panel)}"


def _query(**given: str) -> str:
    named = {name: value for name, value in given.items() if value}
    return f"?{urlencode(named)}" if named else ""


@asynccontextmanager
async def listening(options: ServeOptions, static_dir: Path = STATIC_DIR) -> AsyncIterator[Address]:
    """Serve the repository as long as the block runs; all children end with it.

    Raises:
        NotFound: there is no repository, or the front end has not been built.
        AlreadyExists: another program has the port.
        AcError: the administrator's settings are broken, or the workspace can't be opened.
    """
    if not page_exists(static_dir):
        raise NotFound(NOT_BUILT)
    repository = await _find(options.folder, opens_plain_folder=options.opens_plain_folder)
    async with AsyncExitStack() as closing:
        listener = closing.enter_context(_bind(options.port))
        port = int(listener.getsockname()[1])
        local = await closing.enter_async_context(
            local_host(os.environ, HostOptions(options.model, panels=options.panels))
        )
        megabytes = local.admin.max_message_mb or DEFAULT_MESSAGE_MB
        # Nobody but its user ends this server: nothing is reported.
        limits = options.limits or connection_limits()
        connections = Connections(local.registry, megabytes << 20, limits=limits)
        closing.push_async_callback(connections.aclose)
        # A user that stays: the workspace is open however long nobody is connected.
        await closing.enter_async_context(local.registry.use(repository))
        token = closing.enter_context(_token(options))
        metrics = local.resources.guards.metrics or CallMetrics()
        served = Served(connections, repository, local.identity, token, metrics)
        closing.enter_context(_answering(served, static_dir, listener, limits))
        yield Address(port, token)


async def _find(folder: Path, *, opens_plain_folder: bool) -> Repository:
    try:
        return await discover(folder)
    except NotFound as error:
        if not await asyncio.to_thread(folder.is_dir):
            raise
        if opens_plain_folder:
            return await open_plain_folder(await asyncio.to_thread(folder.resolve))
        raise NotFound(
            f"{error} Create a repository with `git init`, or name one: --repo DIR. Without "
            "git: --no-git."
        ) from error


def _bind(port: int) -> socket.socket:
    """Take the port, so that a second server on it fails before anything else is started."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # Takes the port of a server that has just ended, never that of one that listens.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.settimeout(0)
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _explain(port, error) from error
    return listener


def _explain(port: int, error: OSError) -> AcError:
    match error.errno:
        case errno.EADDRINUSE:
            return AlreadyExists(
                f"Port {port} is taken by another program: end it, or choose another port with "
                "--server-port (0 takes any free one)."
            )
        case errno.EACCES:
            return AccessDenied(
                f"Port {port} may not be used by this user; take one above 1023: --server-port."
            )
        case _:
            return NotReady(f"Port {port} can't be used: {error.strerror}.")


@contextmanager
def _token(options: ServeOptions) -> Iterator[str]:
    """Give the port's token; a server that took any free port is not found again anyway."""
    if not options.asks_token or not options.port:
        yield new_token() if options.asks_token else ""
        return
    token_file = TokenFile(options.port)
    token = token_file.read(time.time()) or new_token()
    token_file.write(token)
    try:
        yield token
    finally:
        token_file.write(token)


@contextmanager
def _answering(
    served: Served, static_dir: Path, listener: socket.socket, limits: ConnectionLimits
) -> Iterator[None]:
    """Answer requests until the block is left; the open sockets are closed by the host."""
    pending = PendingConnections(limits)
    server = HTTPServer(
        make_application(replace(served, admit=pending.admit), static_dir),
        max_body_size=BODY_BYTES,
        max_buffer_size=read_buffer(served.connections.max_message_bytes),
        idle_connection_timeout=limits.handshake_s,
        body_timeout=limits.handshake_s,
    )
    acceptor = Acceptor(listener, server, pending)
    acceptor.start()
    try:
        yield
    finally:
        acceptor.stop()
