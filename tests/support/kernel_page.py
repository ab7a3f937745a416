"""A page that calls `Kernel.*` over a comm of its own in a real kernel."""

import asyncio
import itertools
import json
import uuid

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.live.comm_target import TARGET
from tests.support.kernels import Kernel, Message


class KernelPage:
    """The page's end of a comm; while it waits it takes all that the kernel publishes.

    Args:
        kernel: in which the extension is loaded.
        subshell: takes the messages; None for the main shell.
    """

    def __init__(self, kernel: Kernel, subshell: str | None = None) -> None:
        self.comm_id = uuid.uuid4().hex
        self._kernel = kernel
        self._subshell = subshell
        self._ids = itertools.count(1)
        self._send("comm_open", {"comm_id": self.comm_id, "target_name": TARGET, "data": {}})

    async def call(self, method: str, *args: object) -> Message:
        """Call a method whose result is an object; return it, or the error object."""
        answer = json.loads(await self.exchange(self.request(method, *args)))
        found: Message = answer.get("result", answer.get("error"))
        return found

    async def call_list(self, method: str, *args: object) -> list[Message]:
        """Call a method whose result is an array of objects."""
        found: list[Message] = json.loads(await self.exchange(self.request(method, *args)))[
            "result"
        ]
        return found

    def request(self, method: str, *args: object) -> str:
        call = {"jsonrpc": "2.0", "id": next(self._ids), "method": f"Kernel.{method}"}
        return json.dumps({**call, "params": list(args)})

    async def exchange(self, frame: str) -> str:
        """Send a frame and wait for the next one."""
        self.send(frame)
        return await self.receive()

    def send(self, frame: object) -> None:
        self._send("comm_msg", {"comm_id": self.comm_id, "data": {"frame": frame}})

    async def closed(self) -> None:
        """Wait until the kernel closes the comm."""
        await self._kernel.until(lambda found: self._is_ours(found, "comm_close"))

    async def receive(self) -> str:
        """Wait for the next frame."""
        message = await self._kernel.until(lambda found: self._is_ours(found, "comm_msg"))
        found: str = message["content"]["data"]["frame"]
        return found

    def close(self) -> None:
        self._send("comm_close", {"comm_id": self.comm_id, "data": {}})

    def _is_ours(self, message: Message, kind: str) -> bool:
        comm_id = message["content"].get("comm_id")
        return bool(message["msg_type"] == kind and comm_id == self.comm_id)

    def _send(self, kind: str, content: dict[str, object]) -> None:
        message = self._kernel.client.session.msg(kind, content)
        if self._subshell is not None:
            message["header"]["subshell_id"] = self._subshell
        self._kernel.client.shell_channel.send(message)


class KernelPageTransport:
    """A peer's transport over such a comm.

    Args:
        page: whose comm it is.
    """

    def __init__(self, page: KernelPage) -> None:
        self._page = page
        self._closed = asyncio.Event()

    async def receive(self) -> str | bytes:
        """Wait for the next frame."""
        receiving = asyncio.create_task(self._page.receive())
        closing = asyncio.create_task(self._closed.wait())
        done, _ = await asyncio.wait({receiving, closing}, return_when="FIRST_COMPLETED")
        closing.cancel()
        if receiving in done:
            return receiving.result()
        receiving.cancel()
        raise ConnectionClosed

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Send a frame."""
        del newest_key
        self._page.send(frame)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the comm."""
        del code, reason
        if not self._closed.is_set():
            self._closed.set()
            self._page.close()
