"""A page on the comm relay: a peer's transport over a real kernel's channels."""

import asyncio
import secrets
import time
from contextlib import suppress

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.relay.endpoint import NEVER, End
from jupyter_ac.hosts.kernel.relay.envelopes import Carrying, carrying, read_message
from tests.support.kernels import WAIT_S, Kernel, Message


class CommPage:
    """Carries frames to the kernel's own host and back; does what `comm-socket.ts` does.

    While it is open it takes all that the kernel publishes. Cells are begun by
    `kernel.client.execute`.

    Args:
        kernel: a running kernel.
        model_id: the widget.
        subshell: takes the page's messages; None for the main shell.

    Attributes:
        heard: what the kernel has published besides.
    """

    def __init__(self, kernel: Kernel, model_id: str, subshell: str | None = None) -> None:
        self.link = secrets.token_hex(8)
        self.messages = 0
        self.heard: list[Message] = []
        self._kernel = kernel
        self._model_id = model_id
        self._subshell = subshell
        self._end = End()
        self._frames: asyncio.Queue[str | ConnectionClosed] = asyncio.Queue()
        self._is_open = asyncio.Event()
        self._closed: ConnectionClosed | None = None
        self._work = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, client: str = "") -> "CommPage":
        """Open the link; raise what the kernel closes it with."""
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        self._send({"type": "relay.open", "link": self.link, "client": client})
        async with asyncio.timeout(WAIT_S):
            await self._is_open.wait()
        if self._closed is not None:
            raise self._closed
        return self

    async def receive(self) -> str | bytes:
        """Wait for the next frame."""
        frame = await self._frames.get()
        if isinstance(frame, ConnectionClosed):
            self._frames.put_nowait(frame)
            raise frame
        return frame

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Send a frame."""
        del newest_key
        if self._closed is None:
            self._end.push(frame)
            self._work.set()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Leave, as a view that is removed."""
        if self._closed is None:
            self._send({"type": "relay.close", "link": self.link})
            self._lose(ConnectionClosed(reason or "the page has left", code))
        await self.vanish()

    async def vanish(self) -> None:
        """Be gone without a word."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _send(self, content: dict[str, object]) -> None:
        self._kernel.send_custom(self._model_id, content, self._subshell)

    async def _read(self) -> None:
        while self._closed is None:
            message = await self._kernel.client.get_iopub_msg()
            content = custom_of(message, self._model_id)
            if content is None or content.get("link") != self.link:
                self.heard.append(message)
                continue
            match content, read_message(content):
                case {"type": "relay.closed", "code": int(code), "reason": str(reason)}, _:
                    self._lose(ConnectionClosed(reason, code))
                case _, Carrying(envelope=envelope):
                    self.messages += 1
                    for frame in self._end.receive(envelope, time.monotonic()):
                        self._frames.put_nowait(frame)
                    self._is_open.set()
                    self._work.set()

    async def _write(self) -> None:
        await self._is_open.wait()
        while self._closed is None:
            self._work.clear()
            while (envelope := self._end.poll(time.monotonic())) is not None:
                self._send(carrying(self.link, envelope))
            due = self._end.due()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due == NEVER else due - time.monotonic()):
                    await self._work.wait()

    def _lose(self, error: ConnectionClosed) -> None:
        self._closed = error
        self._frames.put_nowait(error)
        self._is_open.set()
        self._work.set()


def custom_of(message: Message, model_id: str) -> dict[str, object] | None:
    """What a widget says in a custom message; None for anything else."""
    content = message["content"]
    if message["msg_type"] != "comm_msg" or content["comm_id"] != model_id:
        return None
    data = content["data"]
    found: dict[str, object] | None = data["content"] if data.get("method") == "custom" else None
    return found
