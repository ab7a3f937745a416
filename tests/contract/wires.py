"""The client's ends of all doors, as transports that can also fail."""

import asyncio
import json
import random
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from tornado.websocket import WebSocketClientConnection, WebSocketClosedError

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.relay.endpoint import NEVER, End
from jupyter_ac.hosts.kernel.relay.envelopes import Carrying, carrying, read_message
from jupyter_ac.rpc.transport import Transport

LOST: Final = 1006
WAIT_S: Final = 90.0


class Wire(Transport, Protocol):
    """A transport that can break."""

    def cut(self) -> None:
        """Break it without a word to the other side."""


class SocketWire:
    """A WebSocket; the network holds what isn't received."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        frame = await self._socket.read_message()
        if frame is None:
            raise ConnectionClosed(
                self._socket.close_reason or "closed", self._socket.close_code or LOST
            )
        return frame

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        del newest_key
        with suppress(WebSocketClosedError):
            asyncio.ensure_future(self._socket.write_message(frame)).add_done_callback(_seen)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        self._socket.close(code, reason)

    def cut(self) -> None:
        if self._socket.protocol is not None:
            self._socket.protocol._abort()


def _seen(done: "asyncio.Future[None]") -> None:
    if not done.cancelled():
        done.exception()


class LinesWire:
    """A child's standard input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._cut = asyncio.Event()

    async def receive(self) -> str | bytes:
        assert self._process.stdout is not None
        reading = asyncio.ensure_future(self._process.stdout.readline())
        cutting = asyncio.ensure_future(self._cut.wait())
        await asyncio.wait({reading, cutting}, return_when=asyncio.FIRST_COMPLETED)
        cutting.cancel()
        line = b"" if self._cut.is_set() else await reading
        reading.cancel()
        if not line:
            raise ConnectionClosed("the output has ended", LOST)
        return line

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        del newest_key
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(f"{frame}\n".encode("utf-8", "surrogatepass"))

    async def close(self, code: int = 1000, reason: str = "") -> None:
        del code, reason
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._cut.set()

    def cut(self) -> None:
        """Break both pipes, as the end of the parent does."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._cut.set()


class MemoryWire:
    """One end of a pair in memory."""

    def __init__(self, near: Transport) -> None:
        self._near = near

    async def receive(self) -> str | bytes:
        return await self._near.receive()

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        self._near.send(frame, newest_key=newest_key)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await self._near.close(code, reason)

    def cut(self) -> None:
        self._cutting = asyncio.ensure_future(self._near.close(LOST, "cut"))


@dataclass(frozen=True)
class Faults:
    """What a line does to what travels on it.

    Attributes:
        drop: the share that is lost.
        delay_s: how long a piece is held back at most.
        seed: decides which.
        cut: the share at which the connection breaks; of HTTP's only.
    """

    drop: float = 0.0
    delay_s: float = 0.0
    seed: int = 0
    cut: float = 0.0


class RelayWire:
    """The page's end of a link over the widget's comm, with the product's own numbering.

    The comm's messages may be lost, late and out of order; the frames may not.

    Args:
        link: its name.
        tell: hands a message to the kernel.
        faults: of the comm.
    """

    def __init__(
        self, link: str, tell: Callable[[object], None], faults: Faults | None = None
    ) -> None:
        self.link = link
        self._tell = tell
        self._faults = faults or Faults()
        self._random = random.Random(self._faults.seed)
        self._loop = asyncio.get_running_loop()
        self._end = End()
        self._frames: deque[str] = deque()
        self._came = asyncio.Event()
        self._opened = asyncio.Event()
        self._ended: ConnectionClosed | None = None
        self._is_cut = False
        self._due: asyncio.TimerHandle | None = None

    async def open(self, client: str) -> None:
        """Open the link, again and again until the kernel answers."""
        async with asyncio.timeout(WAIT_S):
            while not self._opened.is_set():
                self._pass(
                    lambda: self._tell({"type": "relay.open", "link": self.link, "client": client})
                )
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._opened.wait(), 0.5)

    def hear(self, message: Mapping[str, object]) -> None:
        """Take a message that the kernel has sent to all pages; on the loop."""
        if message.get("link") == self.link:
            copy = json.loads(json.dumps(message))
            self._pass(lambda: self._take(copy))

    async def receive(self) -> str | bytes:
        while not self._frames:
            if self._ended is not None:
                raise self._ended
            self._came.clear()
            await self._came.wait()
        return self._frames.popleft()

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        del newest_key
        self._end.push(frame)
        self._poll()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        if not self._is_cut:
            self._tell({"type": "relay.close", "link": self.link})
        self._finish(code, reason)

    def cut(self) -> None:
        self._is_cut = True
        self._finish(LOST, "cut")

    def _finish(self, code: int, reason: str) -> None:
        if self._ended is None:
            self._ended = ConnectionClosed(reason or "closed", code)
        if self._due is not None:
            self._due.cancel()
        self._came.set()

    def _take(self, message: dict[str, object]) -> None:
        if self._ended is not None:
            return
        self._opened.set()
        if message["type"] == "relay.closed":
            self._finish(int(str(message["code"])), str(message["reason"]))
            return
        read = read_message(message)
        assert isinstance(read, Carrying)
        self._frames += self._end.receive(read.envelope, self._loop.time())
        self._came.set()
        self._poll()

    def _poll(self) -> None:
        if self._ended is not None:
            return
        while (envelope := self._end.poll(self._loop.time())) is not None:
            message = carrying(self.link, envelope)
            self._pass(partial(self._tell, message))
        if self._due is not None:
            self._due.cancel()
        if self._end.due() != NEVER:
            self._due = self._loop.call_at(self._end.due(), self._poll)

    def _pass(self, deliver: Callable[[], None]) -> None:
        if self._is_cut or self._random.random() < self._faults.drop:
            return
        if self._faults.delay_s:
            self._loop.call_later(self._random.uniform(0, self._faults.delay_s), deliver)
        else:
            deliver()


@dataclass
class FaultyWire:
    """A wire on which frames are lost and late; in order, as pipes and sockets keep it."""

    inner: Wire
    faults: Faults
    lost: int = 0
    _random: random.Random = field(init=False)
    _last: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        self._random = random.Random(self.faults.seed)

    async def receive(self) -> str | bytes:
        while True:
            frame = await self.inner.receive()
            await asyncio.sleep(self._random.uniform(0, self.faults.delay_s))
            if not self._is_lost(frame):
                return frame

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        if not self._is_lost(frame):
            self._last = asyncio.create_task(self._send_after(self._last, frame, newest_key))

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await self.inner.close(code, reason)

    def cut(self) -> None:
        self.inner.cut()

    def _is_lost(self, frame: str | bytes) -> bool:
        """Lose frames, but not the handshake: without it there is nothing to test."""
        text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
        if "listComponents" in text or self._random.random() >= self.faults.drop:
            return False
        self.lost += 1
        return True

    async def _send_after(
        self, before: "asyncio.Task[None] | None", frame: str, newest_key: str | None
    ) -> None:
        if before is not None:
            await asyncio.wait({before})
        await asyncio.sleep(self._random.uniform(0, self.faults.delay_s))
        self.inner.send(frame, newest_key=newest_key)
