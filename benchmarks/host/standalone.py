"""The stand-alone server with a heartbeat on its loop: `python -m benchmarks.host.standalone DIR`.

Answers each line of standard input with a line: the stalls since the last question, how many tasks
there are, and the processor time that the process has taken.
"""

import asyncio
import json
import signal
import sys
import time
from pathlib import Path

from benchmarks.host.heartbeat import Pulse
from jupyter_ac.hosts.gc_tuning import spare_what_is_there
from jupyter_ac.hosts.standalone.server import ServeOptions, listening


async def main() -> None:
    """Serve the repository until the process is ended."""
    options = ServeOptions(Path(sys.argv[1]), port=0, asks_token=False)
    async with listening(options) as address:
        spare_what_is_there()  # as `jupyter ac serve` does
        pulse = Pulse()
        pulse.start()
        print(f"READY {address.socket}", flush=True)
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        loop = asyncio.get_running_loop()
        # Ended with the block, the server waits for its workers: none writes files afterwards.
        loop.add_signal_handler(signal.SIGTERM, reader.feed_eof)
        await loop.connect_read_pipe(lambda: protocol, sys.stdin)
        while await reader.readline():
            told = {"tasks": len(asyncio.all_tasks()), "cpu_s": time.process_time()}
            print(json.dumps({**pulse.take(), **told}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
