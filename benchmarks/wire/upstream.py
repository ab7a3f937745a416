"""Upstream's Python server, as the npm package brings it, with the same `Probe`."""

import asyncio
import contextlib
import importlib
import io
import sys

from tornado.testing import bind_unused_port

from benchmarks.host.processes import ROOT
from benchmarks.wire.objects import Probe


async def main() -> None:
    """Listen on a free port and say which."""
    sys.path.insert(0, str(ROOT / "node_modules" / "@flatmax" / "jrpc-oo"))
    upstream = importlib.import_module("jrpc_oo")
    listener, port = bind_unused_port()
    listener.close()
    # It prints what happens; nobody is to wait for a reader.
    with contextlib.redirect_stdout(io.StringIO()):
        server = upstream.JRPCServer(port)
        server.add_class(Probe())
        await server.start()
        print(f"READY ws://127.0.0.1:{port}/", flush=True, file=sys.__stdout__)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
