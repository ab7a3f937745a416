"""Calls by POST to `jupyter ac serve`, one after another, beside a bare Tornado JSON handler."""

import json
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from benchmarks.figure import beside
from benchmarks.host.processes import module
from benchmarks.host.projects import make_project

ROUNDS: Final = 9
COUNT: Final = 1000
CALL: Final = {"jsonrpc": "2.0", "id": 1, "method": "LLMService.get_selected_files"}


def rate(address: str) -> float:
    """Calls a second over one connection that is kept open."""
    place = urlsplit(address)
    body = json.dumps(CALL).encode()
    head = (
        f"POST /rpc HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((str(place.hostname), place.port or 80)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        began_s = time.perf_counter()
        for _ in range(COUNT):
            connection.sendall(head.encode() + body)
            answer = b""
            while not answer.endswith(b'"result":[]}') and b'"result": []}' not in answer:
                received = connection.recv(1 << 16)
                if not received:
                    raise RuntimeError(f"{address} closed the connection: {answer!r}")
                answer += received
        return COUNT / (time.perf_counter() - began_s)


def main() -> None:
    """Measure both in turns."""
    ours: list[float] = []
    bare: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        make_project(folder / "garden", 20)
        _, served = stack.enter_context(
            module("benchmarks.host.standalone", str(folder / "garden"))
        )
        _, floor = stack.enter_context(module("benchmarks.wire.json_handler"))
        for _ in range(ROUNDS):
            ours.append(rate(served))
            bare.append(rate(floor))
    rival = ("bare tornado JSON handler", bare)
    beside("POST on serve, calls one after another", ours, "/s", rival, 0.5).emit()


if __name__ == "__main__":
    main()
