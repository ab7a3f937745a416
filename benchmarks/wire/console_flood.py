"""A browser that writes lines to its console as fast as they are taken: `COUNT` for each question.

Each message that it gets, a number, is answered by so many events of the DevTools Protocol.
"""

import asyncio

import orjson
from websockets.asyncio.server import ServerConnection, serve


def line(number: int) -> str:
    """One event: a text, an object with a preview, and a stack."""
    preview = {
        "type": "object",
        "description": "Object",
        "properties": [{"name": "n", "type": "number", "value": str(number)}],
    }
    frame = {"functionName": "tick", "url": "http://127.0.0.1/app.js", "lineNumber": number % 900}
    params = {
        "type": "error" if number % 10 == 0 else "log",
        "args": [
            {"type": "string", "value": f"line {number} of the flood"},
            {"type": "object", "description": "Object", "objectId": "1", "preview": preview},
        ],
        "timestamp": 1_700_000_000_000 + number,
        "stackTrace": {"callFrames": [frame] * 4},
    }
    event = {"method": "Runtime.consoleAPICalled", "params": params, "sessionId": "s"}
    return orjson.dumps(event).decode()


async def flood(socket: ServerConnection) -> None:
    """Answer the questions of one client."""
    sent = 0
    async for question in socket:
        count = orjson.loads(question)["id"]
        for number in range(sent, sent + count):
            await socket.send(line(number))
        sent += count


async def main() -> None:
    """Listen until the process is ended."""
    async with serve(flood, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"READY ws://127.0.0.1:{port}/", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
