"""Upstream's Python peer, run as a program: commands as JSON lines in, answers and events out.

    python -m tests.support.upstream_peer NODE_MODULES server | client URL

First line out: {"ready": port} of a server, {"ready": null} of a client that shook hands.
Commands {id, cmd, …}, each answered by {id, value} or {id, error}: `call` method, args, via "call"
or "server"; `names`; `disconnect` of a client, `stop` of a server. Events: {"called", "args"}.
"""

import asyncio
import contextlib
import importlib
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Protocol

from tests.support.exposed import Exposed

OUT = sys.stdout

Functions = Mapping[str, Callable[..., Awaitable[object]]]


class Peer(Protocol):
    """What there is of upstream's classes."""

    call: Functions
    server: Functions


def say(message: object) -> None:
    OUT.write(json.dumps(message, default=repr) + "\n")
    OUT.flush()


class Theirs(Exposed):
    """What it exposes."""

    def event(self, *args: object) -> bool:
        say({"called": "event", "args": args})
        return True

    async def never(self) -> None:
        say({"called": "never", "args": []})
        await asyncio.Event().wait()


async def commands(peer: Peer) -> None:
    reader = asyncio.StreamReader(limit=1 << 26)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    running = set()
    while line := await reader.readline():
        task = asyncio.create_task(obey(peer, json.loads(line)))
        running.add(task)
        task.add_done_callback(running.discard)


async def obey(peer: Peer, command: dict[str, str]) -> None:
    task = asyncio.ensure_future(do(peer, command))
    await asyncio.wait([task])
    if error := task.exception():
        say({"id": command["id"], "error": f"{type(error).__name__}: {error}"})
    else:
        say({"id": command["id"], "value": task.result()})


async def do(peer: Peer, command: dict[str, str]) -> object:
    if command["cmd"] == "call":
        functions = peer.server if command["via"] == "server" else peer.call
        return await functions[command["method"]](*command["args"])
    if command["cmd"] == "names":
        return sorted(peer.call)
    return await getattr(peer, command["cmd"])()


async def main() -> None:
    modules, kind, *rest = sys.argv[1:]
    sys.path.insert(0, str(Path(modules) / "@flatmax" / "jrpc-oo"))
    jrpc_oo = importlib.import_module("jrpc_oo")
    if kind == "server":
        server = jrpc_oo.JRPCServer(0, remote_timeout=5)
        server.add_class(Theirs())
        await server.start()
        say({"ready": server.ws_server.sockets[0].getsockname()[1]})
        await commands(server)
        return

    client = jrpc_oo.JRPCClient(rest[0], remote_timeout=5)
    client.setup_done = lambda: say({"ready": None})
    client.add_class(Theirs())
    connection = asyncio.create_task(client.connect())
    connection.add_done_callback(lambda _: say({"called": "gone", "args": []}))
    await commands(client)


if __name__ == "__main__":
    # It prints what happens to it.
    with contextlib.redirect_stdout(sys.stderr):
        asyncio.run(main())
