"""The fork server outlives its workers, in whatever order they and their clients end."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jupyter_ac.workers.launch import environment
from tests.support.processes import wait_until_gone
from tests.support.worker_fork_server import worker_fork_server

pytestmark = pytest.mark.programs
CALL = b'{"jsonrpc":"2.0","id":1,"method":"Tokens.count","params":["cl100k_base",["text"]]}\n'


class Client:
    """What `sitecustomize.py` is to the fork server, without a process of its own."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(60)
        self.connection.connect(variables["TESTS_FORK_SERVER"])
        stdin, self.stdin = os.pipe()
        self.stdout, stdout = os.pipe()
        socket.send_fds(self.connection, [b"\n"], [stdin, stdout, stdout])
        environ = {**os.environ, **variables}
        request = {"arguments": ["tokens"], "environ": environ}
        self.connection.sendall(json.dumps(request).encode() + b"\n")
        os.close(stdin)
        os.close(stdout)

    @property
    def server_pid(self) -> int:
        """The process id of the server."""
        option = self.connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        pid: int = struct.unpack("3i", option)[0]
        return pid

    def call(self) -> None:
        """Wait until the worker answers a call."""
        os.write(self.stdin, CALL)
        assert b"result" in os.read(self.stdout, 4096)

    def end_worker(self) -> None:
        """Close the worker's input, and wait until it has ended."""
        os.close(self.stdin)
        assert os.read(self.stdout, 4096) == b""
        os.close(self.stdout)

    def status(self) -> bytes:
        """Return what the server says of the worker's end."""
        with self.connection:
            return self.connection.recv(64)


def only_child(pid: int) -> int:
    """Return the process id of a process's one child."""
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return int(child)


@pytest.fixture
def variables() -> Iterator[Mapping[str, str]]:
    with worker_fork_server(path=os.environ.get("PYTHONPATH", "")) as variables:
        if not variables:
            pytest.skip("this system can't watch processes by descriptors")
        yield variables


def test_a_new_client_may_get_the_descriptor_of_one_that_ended_at_the_same_moment(
    variables: Mapping[str, str],
) -> None:
    first = Client(variables)
    first.call()
    server = first.server_pid
    worker = only_child(server)
    os.kill(server, signal.SIGSTOP)  # so that it meets all that follows at once
    first.end_worker()
    wait_until_gone(worker)
    second = Client(variables)
    first.connection.close()
    os.kill(server, signal.SIGCONT)
    second.call()
    second.end_worker()
    assert second.status() == b"0"
    third = Client(variables)
    third.end_worker()
    assert third.status() == b"0"


def test_a_worker_starts_by_itself_when_the_fork_server_has_gone(
    variables: Mapping[str, str],
) -> None:
    client = Client(variables)
    client.call()
    os.kill(client.server_pid, signal.SIGKILL)
    assert client.status() == b""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "jupyter_ac.worker", "tokens"],
        env=environment(os.environ, variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(CALL)
        process.stdin.flush()
        assert b"result" in process.stdout.readline()
