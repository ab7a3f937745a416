"""Entry point of a child process: `python -m jupyter_ac.worker KIND`.

Standard output carries frames; whatever a library prints goes to standard error. The process ends
when its standard input does, which the operating system sees to when the parent is killed.
"""

import asyncio
import gc
import importlib
import logging
import os
import select
import signal
import sys
import threading
from collections.abc import Awaitable
from types import ModuleType
from typing import Final, NamedTuple, Protocol, runtime_checkable

from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.workers.pipes import claim_pipes, open_pipes


class WorkerKind(NamedTuple):
    """The service of one kind of worker.

    Attributes:
        namespace: of its methods.
        module: in this package; its function `part` makes the part, or a tuple of parts.
        niceness: added to the parent's, so reading a large tree doesn't slow the host and the page.
    """

    namespace: str
    module: str
    niceness: int = 0


KINDS: Final = {
    "models": WorkerKind("Models", "models"),
    "tokens": WorkerKind("Tokens", "tokens"),
    "embedded": WorkerKind("Embedded", "embedded"),
    "index": WorkerKind("Index", "index.parts", niceness=5),
    "parse": WorkerKind("Parse", "parse", niceness=5),
    "jedi": WorkerKind("Jedi", "jedi"),
    "syntax": WorkerKind("Syntax", "syntax"),
    "fetch": WorkerKind("Fetch", "fetch"),
    "browser": WorkerKind("Browser", "browser"),
}


@runtime_checkable
class Finishing(Protocol):
    """A part with clean-up work after the parent has exited."""

    def finish(self) -> Awaitable[None] | None:
        """Clean up, within a second or two: the parent may be waiting.

        Returns:
            What to wait for; None: nothing.
        """


_LOOK_MS: Final = 100


def main() -> None:
    """Serve the kind that the command line names until standard input ends."""
    if len(sys.argv) != len(["program", "kind"]) or sys.argv[1] not in KINDS:
        sys.exit(f"usage: python -m jupyter_ac.worker {'|'.join(KINDS)}")
    read_fd, write_fd = claim_pipes()
    # Ctrl-C in a terminal signals the whole process group; only the parent handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    kind = KINDS[sys.argv[1]]
    if kind.niceness and hasattr(os, "nice"):
        os.nice(kind.niceness)
    asyncio.run(_serve(kind, read_fd, write_fd))


def _end_with_parent(read_fd: int, loaded: threading.Event) -> None:
    """End the process when its input is closed, until the event loop watches the input itself."""
    watch = select.poll()
    watch.register(read_fd, 0)  # a closed pipe is reported in any case
    while not loaded.is_set():
        if watch.poll(_LOOK_MS):
            os._exit(0)


async def _serve(kind: WorkerKind, read_fd: int, write_fd: int) -> None:
    jobs = Jobs()
    loaded = threading.Event()
    threading.Thread(target=_end_with_parent, args=(read_fd, loaded), daemon=True).start()
    # The libraries of a kind take seconds to load; frames wait in the pipe meanwhile.
    module = _load(kind)
    made = module.part(jobs)
    loaded.set()
    parts = made if isinstance(made, tuple) else (made,)
    methods = MethodTable(Namespace("Worker", jobs), Namespace(kind.namespace, *parts))
    peer = Peer(await open_pipes(read_fd, write_fd), methods, profile=JSONRPC2)
    await peer.run()
    for part in parts:
        if isinstance(part, Finishing):
            ending = part.finish()
            if ending is not None:
                await ending
    # Threads of the libraries may still run; their results aren't needed.
    os._exit(0)


def _load(kind: WorkerKind) -> ModuleType:
    """Import a kind's module; without garbage collection, which would scan permanent modules."""
    gc.disable()
    module = importlib.import_module(f"jupyter_ac.worker.{kind.module}")
    gc.freeze()
    gc.enable()
    return module


if __name__ == "__main__":
    main()
