import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT_S = 90.0


def run(*arguments: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        timeout=LIMIT_S,
        cwd=ROOT,
        check=False,
    )


@pytest.mark.parametrize("arguments", [[], ["nosuch"], ["tokens", "more"]])
def test_a_wrong_command_line_is_explained(arguments: list[str]) -> None:
    done = run("-m", "jupyter_ac.worker", *arguments)
    assert done.returncode == 1
    assert b"usage: python -m jupyter_ac.worker" in done.stderr


def test_it_ends_at_the_end_of_its_input() -> None:
    done = run("-m", "jupyter_ac.worker", "tokens")
    assert (done.returncode, done.stdout) == (0, b"")


def test_it_answers_on_its_output() -> None:
    script = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-m', 'jupyter_ac.worker', 'tokens'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        'child.stdin.write(b\'{"jsonrpc":"2.0","id":1,"method":"nosuch"}\\n\')\n'
        "child.stdin.flush()\n"
        "print(child.stdout.readline().decode())\n"
        "child.communicate(timeout=30)\n"
    )
    done = run("-c", script)
    assert b"-32601" in done.stdout


def test_what_a_library_prints_or_reads_does_not_touch_the_frames() -> None:
    script = (
        "import os, sys\n"
        "from jupyter_ac.workers.pipes import claim_pipes\n"
        "read_fd, write_fd = claim_pipes()\n"
        "print('printed', flush=True)\n"
        "os.system('echo said by a child')\n"
        "assert sys.stdin.read() == ''\n"
        "os.write(write_fd, os.read(read_fd, 100))\n"
    )
    done = run("-c", script, stdin=b"frame\n")
    assert done.stdout == b"frame\n"
    assert b"printed" in done.stderr
    assert b"said by a child" in done.stderr


def test_an_interrupt_from_the_terminal_is_the_parents_affair() -> None:
    command = [sys.executable, "-m", "jupyter_ac.worker", "tokens"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        ask = b'{"jsonrpc":"2.0","id":1,"method":"Worker.running"}\n'
        child.stdin.write(ask)
        child.stdin.flush()
        assert child.stdout.readline()
        os.kill(child.pid, 2)
        child.stdin.write(ask)
        child.stdin.flush()
        assert child.stdout.readline()
        child.stdin.close()
        assert child.wait(LIMIT_S) == 0


def test_it_ends_with_its_parent_also_while_it_loads() -> None:
    read_fd, write_fd = os.pipe()
    script = (
        "import threading\n"
        "from jupyter_ac.worker.__main__ import _end_with_parent\n"
        f"_end_with_parent({read_fd}, threading.Event())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], pass_fds=[read_fd], cwd=ROOT) as child:
        os.close(read_fd)
        os.write(write_fd, b"a frame that nobody has read yet\n")
        os.close(write_fd)
        assert child.wait(LIMIT_S) == 0
