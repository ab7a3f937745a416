"""A client of Server-Sent Events: a raw connection, and what the HTML standard makes of its bytes.

It shares no code with the product.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self

WAIT_S = 90.0


class EventSource:
    """One connection.

    Attributes:
        status: of the answer.
        headers: their names in small letters.
        comments: those that came.
        last_id: of the last event.
        state: what the events add up to.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.comments: list[str] = []
        self.last_id = ""
        self.state: dict[str, object] = {}
        self.writer = writer
        self._reader = reader
        self._left = b""

    @classmethod
    async def open(cls, port: int, path: str, *headers: str) -> Self:
        """Ask, and read the answer's head; of a refusal also its body, as the state."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        source = cls(reader, writer)
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, "", ""]
        writer.write("\r\n".join(lines).encode("latin-1"))
        try:
            async with asyncio.timeout(WAIT_S):
                await source._read_head()
        except BaseException:
            writer.close()
            raise
        return source

    async def event(self) -> dict[str, object]:
        """Wait for the next event; its data is put into the state.

        Raises:
            EOFError: the stream has ended.
        """
        async with asyncio.timeout(WAIT_S):
            while True:
                data = self._take(await self._block())
                if data is not None:
                    self.state |= data
                    return data

    async def until(self, **fields: object) -> dict[str, object]:
        """Wait until the conversation in the state has these fields."""
        while not fields.items() <= self.conversation.items():
            await self.event()
        return self.state

    @property
    def conversation(self) -> dict[str, object]:
        found = self.state.get("conversation", {})
        assert isinstance(found, dict)
        return found

    async def comment(self) -> str:
        """Wait for a comment; no event may come before it."""
        async with asyncio.timeout(WAIT_S):
            assert self._take(await self._block()) is None
        return self.comments[-1]

    async def end(self) -> None:
        """Wait until the server ends the stream."""
        with suppress(EOFError):
            while True:
                await self.event()

    def pause(self) -> None:
        """Leave unread what comes, in the system's buffers."""
        self._transport.pause_reading()

    def resume(self) -> None:
        """Read again."""
        self._transport.resume_reading()

    async def leave(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    @property
    def _transport(self) -> asyncio.Transport:
        transport = self.writer.transport
        assert isinstance(transport, asyncio.Transport)
        return transport

    async def _read_head(self) -> None:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *rows = head.strip().split("\r\n")
        self.status = int(first.split()[1])
        for name, _, value in (row.partition(": ") for row in rows):
            self.headers[name.lower()] = value
        if "content-length" in self.headers:
            body = await self._reader.readexactly(int(self.headers["content-length"]))
            self.state = json.loads(body)

    async def _block(self) -> str:
        """Read up to the next empty line."""
        while b"\n\n" not in self._left:
            size = int((await self._line()) or "0", 16)
            if not size:
                raise EOFError
            try:
                self._left += await self._reader.readexactly(size)
            except ConnectionError as error:
                raise EOFError from error
            await self._line()
        block, _, self._left = self._left.partition(b"\n\n")
        return block.decode()

    async def _line(self) -> str:
        try:
            return (await self._reader.readline()).decode().strip()
        except ConnectionError:
            return ""

    def _take(self, block: str) -> dict[str, object] | None:
        data = ""
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            match name:
                case "":
                    self.comments.append(value.strip())
                case "id":
                    self.last_id = value.strip()
                case "data":
                    data += value.strip()
                case _:
                    raise AssertionError(line)
        if not data:
            return None
        found = json.loads(data)
        assert isinstance(found, dict)
        return found


@asynccontextmanager
async def following(port: int, path: str, *headers: str) -> AsyncIterator[EventSource]:
    """Follow the events during the block."""
    source = await EventSource.open(port, path, *headers)
    try:
        yield source
    finally:
        await source.leave()
