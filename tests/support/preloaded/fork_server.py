"""A fork server: loads what the workers import once, and forks a process for each that is started.

`sitecustomize.py` beside it is its client. A worker that loads litellm by itself takes three
seconds of a processor, and the tests start hundreds of them.

Run it as `fork_server.py SOCKET`, in a session of its own and in the folder where workers start;
when its standard input ends, it and the workers do.
"""

import asyncio
import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, NoReturn

from jupyter_ac.worker.__main__ import KINDS, main
from jupyter_ac.worker.jobs import Jobs

_PRELOADED = [module for _, module, _ in KINDS.values() if module != "embedded"]
"""Not the embedded model's library, which starts threads: these don't survive a fork."""


class Child(NamedTuple):
    """A forked worker.

    Attributes:
        pid: its process id.
        process: becomes readable when it ends.
        client: becomes readable when the process ends that asked for it.
    """

    pid: int
    process: int
    client: socket.socket


class ForkServer:
    """Forks workers, and kills each one whose client has ended."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._selector.register(sys.stdin, selectors.EVENT_READ, _kill_group)
        self._selector.register(listener, selectors.EVENT_READ, self._accept)

    def run(self) -> NoReturn:
        """Serve until standard input ends."""
        while True:
            for key, _ in self._selector.select():
                # Its child may just have ended, and another client have got the descriptor.
                if self._selector.get_map().get(key.fd) is key:
                    key.data()

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        _, pipes, _, _ = socket.recv_fds(client, 1, 3)
        with client.makefile("rb") as lines:
            request = json.loads(lines.readline() or b"null")
        if request is None:
            client.close()
        elif (pid := os.fork()) == 0:
            for inherited in (self._selector, self._listener, client):
                inherited.close()
            work(pipes, **request)
        else:
            self._watch(Child(pid, os.pidfd_open(pid), client))
        for pipe in pipes:
            os.close(pipe)

    def _watch(self, child: Child) -> None:
        end = partial(self._end, child)
        self._selector.register(child.process, selectors.EVENT_READ, end)
        self._selector.register(child.client, selectors.EVENT_READ, end)

    def _end(self, child: Child) -> None:
        """Kill a worker, if it hasn't ended, and report its exit status."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(child.process, signal.SIGKILL)
        _, status = os.waitpid(child.pid, 0)
        self._selector.unregister(child.process)
        self._selector.unregister(child.client)
        with contextlib.suppress(OSError):  # the client has ended
            child.client.sendall(b"%d" % os.waitstatus_to_exitcode(status))
        child.client.close()
        os.close(child.process)


def _kill_group() -> None:
    os.killpg(0, signal.SIGKILL)


def work(pipes: Sequence[int], arguments: list[str], environ: dict[str, str]) -> NoReturn:
    """Be the worker: with these pipes as the standard streams, in this environment."""
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv[1:] = arguments
    try:
        main()
    finally:
        os._exit(1)


def preload() -> None:
    """Import what the workers import, at their start and for a first request."""
    for module in _PRELOADED:
        importlib.import_module(f"jupyter_ac.worker.{module}")
    for name in _loaded_by_requests():
        with contextlib.suppress(ImportError):  # a name that a library has made up
            importlib.import_module(name)
    # Two requests to itself take half a second, in hosts most of which are never asked anything.
    vars(importlib.import_module("jupyter_ac.worker.models")).update(warm_up=_stay_cold)
    gc.freeze()


async def _stay_cold(*_: object) -> None:
    """Leave it to the first request to make clients and read certificates."""


def _loaded_by_requests() -> list[str]:
    """Warm a worker up in a process that ends: clients and loops stay behind, names are told."""
    read, write = os.pipe()
    if os.fork() == 0:
        models = importlib.import_module("jupyter_ac.worker.models")
        asyncio.run(models.part(Jobs()).warm(None))
        with os.fdopen(write, "w", encoding="utf-8") as names:
            names.write("\n".join(sys.modules))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as names:
        found = names.read().split()
    os.wait()
    return found


if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[1])
        listening.listen(64)
        sys.stdout.write("READY\n")
        sys.stdout.flush()
        preload()
        ForkServer(listening).run()
