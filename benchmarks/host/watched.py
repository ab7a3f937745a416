"""The stand-alone server, told how to notice changes: `python -m benchmarks.host.watched DIR HOW`.

HOW is `notices`, as everywhere, or `poll`, as where the system tells of no changes.
"""

import asyncio
import sys
from pathlib import Path
from unittest import mock

from jupyter_ac.git.watch.fs_events import WatchUnavailable
from jupyter_ac.hosts.gc_tuning import spare_what_is_there
from jupyter_ac.hosts.standalone.server import ServeOptions, listening


async def _refuse(*_: object) -> None:
    raise WatchUnavailable("the benchmark wants it so.")


async def main() -> None:
    """Serve the repository until the process is ended."""
    if sys.argv[2] == "poll":
        mock.patch("jupyter_ac.git.watch.listener.watch_folders", _refuse).start()
    options = ServeOptions(Path(sys.argv[1]), port=0, asks_token=False)
    async with listening(options) as address:
        spare_what_is_there()
        print(f"READY {address.socket}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
