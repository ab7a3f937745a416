"""The floor for POST: a bare Tornado handler that reads JSON and answers with JSON."""

import asyncio
import json

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler


class JsonHandler(RequestHandler):
    """Answers a call as a JSON-RPC server would, without being one."""

    async def post(self) -> None:
        """Read the body as JSON and answer under its id."""
        message = json.loads(self.request.body)
        self.set_header("Content-Type", "application/json")
        self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": []}))


async def main() -> None:
    """Listen on a free port and say which."""
    listener, port = bind_unused_port()
    HTTPServer(Application([("/.*", JsonHandler)])).add_socket(listener)
    print(f"READY ws://127.0.0.1:{port}/", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
