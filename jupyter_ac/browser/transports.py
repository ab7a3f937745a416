"""The two ways to a browser: a WebSocket, and the pipes of a browser that this process started."""

import asyncio
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


async def open_socket(url: str) -> SocketTransport:
    """Connect to the DevTools Protocol's WebSocket of a browser.

    Args:
        url: with an IP address as its host, because browsers refuse most names.

    Raises:
        NotConnected: nothing answers there, or it refuses.
    """
    try:
        # No Origin: browsers refuse those that they don't know. No proxy: it is this machine.
        socket = await connect(
            url,
            origin=None,
            proxy=None,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=OPEN_S,
            close_timeout=_CLOSE_S,
            ping_interval=None,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
        raise NotConnected(f"No browser answers at {url}: {error}") from error
    return SocketTransport(socket)


class PipeTransport:
    """Messages over two pipes, each followed by a zero byte; see `--remote-debugging-pipe`.

    Args:
        reader: with a limit of `MAX_MESSAGE_BYTES`.
        writer: to the browser.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> str | bytes:
        """Wait for the next message."""
        try:
            return (await self._reader.readuntil(b"\0"))[:-1]
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError) as error:
            raise NotConnected(_GONE) from error

    async def send(self, message: str) -> None:
        """Send a message."""
        try:
            self._writer.write(message.encode() + b"\0")
            await self._writer.drain()
        except OSError as error:
            raise NotConnected(_GONE) from error

    async def aclose(self) -> None:
        """Close both pipes."""
        self._writer.close()
