"""The two ways to a browser: a WebSocket, and the pipes of a browser that this process started."""

import asyncio
import os
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from jupyter_ac.errors import NotConnected

OPEN_S: Final = 5.0
MAX_MESSAGE_BYTES: Final = 512 << 20
"""A longer message of a browser ends the connection."""

_CLOSE_S: Final = 1.0
_GONE: Final = "The browser has closed the connection."


class SocketTransport:
    """Messages over a WebSocket; made by `open_socket`."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        """Wait for the next message."""
        try:
            return await self._socket.recv()
        except ConnectionClosed as closed:
            raise NotConnected(_GONE) from closed

    async def send(self, message: str) -> None:
        """Send a message."""
        try:
            await self._socket.send(message)
        except ConnectionClosed as closed:
            raise NotConnected(_GONE) from closed

    async def aclose(self) -> None:
        """Close the socket."""
        await self._socket.close()


class _Connect(connect):
    """Follows no redirect: it would lead to another program, or another machine."""

    def process_redirect(self, exc: Exception) -> Exception:
        """Give the refusal back as it is."""
        return exc


async def open_socket(url: str, timeout_s: float = OPEN_S) -> SocketTransport:
    """Connect to the DevTools Protocol's WebSocket of a browser.

    Args:
        url: with an IP address as its host, because browsers refuse most names.
        timeout_s: limit of the wait.

    Raises:
        NotConnected: nothing answers there, or it refuses.
    """
    try:
        # No Origin: browsers refuse those that they don't know. No proxy: it is this machine.
        socket = await _Connect(
            url,
            origin=None,
            proxy=None,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=timeout_s,
            close_timeout=_CLOSE_S,
            ping_interval=None,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
        raise NotConnected(f"No browser answers at {url}: {error}") from error
    return SocketTransport(socket)


class PipeTransport:
    """Messages over two pipes, each followed by a zero byte; made by `open_pipes`."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        incoming: asyncio.ReadTransport,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._incoming = incoming

    async def receive(self) -> str | bytes:
        """Wait for the next message."""
        try:
            return (await self._reader.readuntil(b"\0"))[:-1]
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError) as error:
            raise NotConnected(_GONE) from error

    async def send(self, message: str) -> None:
        """Send a message."""
        if self._writer.is_closing():
            raise NotConnected(_GONE)
        try:
            self._writer.write(message.encode() + b"\0")
            await self._writer.drain()
        except OSError as error:
            raise NotConnected(_GONE) from error

    async def aclose(self) -> None:
        """Close both pipes; what the browser hasn't read by then is lost."""
        if not self._writer.is_closing():
            self._writer.transport.abort()
        self._incoming.close()


async def open_pipes(read_fd: int, write_fd: int) -> PipeTransport:
    """Talk to a browser that was started with `--remote-debugging-pipe`.

    Args:
        read_fd: from the browser; it and the other one belong to the transport from now on.
        write_fd: to the browser.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MAX_MESSAGE_BYTES)
    incoming, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_fd, "rb", buffering=0)
    )
    # A reader's protocol, because the bare flow-control one can't wait for the end.
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    outgoing, _ = await loop.connect_write_pipe(
        lambda: protocol, os.fdopen(write_fd, "wb", buffering=0)
    )
    writer = asyncio.StreamWriter(outgoing, protocol, None, loop)
    return PipeTransport(reader, writer, incoming)
