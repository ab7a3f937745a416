"""The peer under test, stand-alone: a Tornado server of our peers with the namespace `Probe`."""

import asyncio

from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace, method
from tests.support.socket_server import serving

TIMEOUT_S = 60.0


class Probe:
    """The smallest call, and events that are awaited."""

    @method(Access.READ)
    def add(self, one: int, two: int) -> int:
        """Add two numbers."""
        return one + two

    @method(Access.READ)
    async def events(self, count: int) -> int:
        """Send the caller this many events, each after the answer to the one before."""
        peer = current_caller().peer
        for number in range(count):
            await peer.call("AcApp.streamChunk", "1-a", str(number))
        return count


async def main() -> None:
    """Listen on a free port and say which."""
    table = MethodTable(Namespace("Probe", Probe()))
    async with serving(table, timeout_s=TIMEOUT_S) as floor:
        print(f"READY {floor.url}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
