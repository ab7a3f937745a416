"""The least that answers the JavaScript client: a Tornado handler without any layer of RPC.

What the client and the socket alone leave possible, with the JSON both ways: no checks, no errors,
no tables, no bounds.
"""

import asyncio
from typing import Final, TypedDict

import orjson
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler


class Message(TypedDict, total=False):
    """What the client sends, as far as it is looked at."""

    method: str
    params: dict[str, list[int]]
    id: int


LISTED: Final = {"system.listComponents": True, "Probe.add": True, "Probe.events": True}


class Least(WebSocketHandler):
    """Answers three methods."""

    def check_origin(self, origin: str) -> bool:
        """Take everyone: it listens on loopback for a minute."""
        del origin
        return True

    def open(self, *_args: str, **_kwargs: str) -> None:
        """Say what there is, as the client's side of the handshake wants it."""
        self.set_nodelay(True)
        self._answered = asyncio.Event()
        self._round: asyncio.Task[None] | None = None
        self._send({"method": "system.listComponents", "params": LISTED, "id": 0})

    def on_message(self, message: str | bytes) -> None:
        """Answer a call, or note the answer to an event."""
        received = orjson.loads(message)
        for each in received if isinstance(received, list) else [received]:
            self._take(each)

    def _take(self, each: Message) -> None:
        match each.get("method"):
            case None:
                self._answered.set()
            case "Probe.add":
                one, two = each["params"]["args"]
                self._send({"id": each["id"], "result": one + two})
            case "Probe.events":
                self._round = asyncio.create_task(self._events(each["params"]["args"][0], each))
            case _:
                self._send({"id": each["id"], "result": LISTED})

    async def _events(self, count: int, call: Message) -> None:
        for number in range(count):
            self._answered.clear()
            params = {"args": ["1-a", str(number)]}
            self._send({"method": "AcApp.streamChunk", "params": params, "id": number + 1})
            await self._answered.wait()
        self._send({"id": call["id"], "result": count})

    def _send(self, message: dict[str, object]) -> None:
        self.write_message(orjson.dumps({"jsonrpc": "2.0", **message}).decode())


async def main() -> None:
    """Listen on a free port and say which."""
    listener, port = bind_unused_port()
    HTTPServer(Application([("/.*", Least)])).add_socket(listener)
    print(f"READY ws://127.0.0.1:{port}/", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
