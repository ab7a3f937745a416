"""The floor: a bare Tornado socket that echoes frames; no JSON, no calls.

Written as people write one: `on_message` is a coroutine.

`EVENTS n` sends n frames and waits for one frame after each, then sends `END`.
"""

import asyncio

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler

EVENT = '{"jsonrpc":"2.0","method":"AcApp.streamChunk","params":{"args":["1-a","%d"]},"id":%d}'


class Echo(WebSocketHandler):
    """Sends back what it gets."""

    def check_origin(self, origin: str) -> bool:
        """Take everyone: it listens on loopback for a minute."""
        del origin
        return True

    def open(self, *_args: str, **_kwargs: str) -> None:
        """Begin outside of a round of events."""
        self._acknowledged: asyncio.Queue[str | bytes] | None = None
        self._round: asyncio.Task[None] | None = None

    async def on_message(self, message: str | bytes) -> None:
        """Echo, or count an acknowledgement, or begin a round of events."""
        if self._acknowledged is not None:
            self._acknowledged.put_nowait(message)
        elif isinstance(message, str) and message.startswith("EVENTS "):
            self._acknowledged = asyncio.Queue()
            self._round = asyncio.create_task(self._send_events(int(message.split()[1])))
        else:
            self.write_message(message)

    async def _send_events(self, count: int) -> None:
        assert self._acknowledged is not None
        for number in range(count):
            self.write_message(EVENT % (number, number))
            await self._acknowledged.get()
        self._acknowledged = None
        self.write_message("END")


async def main() -> None:
    """Listen on a free port and say which."""
    listener, port = bind_unused_port()
    HTTPServer(Application([("/.*", Echo)])).add_socket(listener)
    print(f"READY ws://127.0.0.1:{port}/", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
