"""What a repository's tree takes in memory: `python -m benchmarks.host.tree_memory DIR`.

Answers the first line of its input with the bytes a file of the tree, the second with those of the
tree and its spelling for `get_file_tree`.
"""

import asyncio
import gc
import sys
import tracemalloc
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache


async def main() -> None:
    """Measure what is still held after a look."""
    repository = await discover(Path(sys.argv[1]))
    await TreeCache(repository).snapshot()  # what is loaded and kept once counts for nobody
    print("READY", flush=True)
    gc.collect()
    tracemalloc.start()
    cache = TreeCache(repository)
    snapshot = await cache.snapshot()
    files = len(snapshot.entries)
    for spell in (False, True):
        await asyncio.to_thread(sys.stdin.readline)
        if spell:
            _ = snapshot.encoded
        gc.collect()
        print(tracemalloc.get_traced_memory()[0] / files, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
