"""`JRPCServer` with the namespace `Probe`."""

import asyncio

from benchmarks.wire.objects import Probe
from jupyter_ac.jrpc_oo import JRPCServer


async def main() -> None:
    """Listen on a free port and say which."""
    server = JRPCServer(0)
    server.add_class(Probe())
    await server.start()
    print(f"READY ws://127.0.0.1:{server.port}/", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
