"""A folder that somebody keeps exchanging with a link to another one, as fast as it goes."""

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_exchange = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "renameat2"), reason="exchanges two names at once, as Linux can"
)

_SWAP = """
import ctypes, os, select, sys
exchange = ctypes.CDLL(None).renameat2
folder, link = (os.fsencode(name) for name in sys.argv[1:3])
beat = int(sys.argv[3])
is_away = False
rounds = 0
print("swapping", flush=True)
while is_away or rounds % 16 or not select.select([0], [], [], 0)[0]:
    assert exchange(-100, folder, -100, link, 2) == 0
    is_away = not is_away
    rounds += 1
    for _ in range(beat):
        os.lstat(folder)
"""


@contextmanager
def swapping(folder: Path, outside: Path, beat: int = 30) -> Iterator[None]:
    """Let a process exchange a folder with a link, again and again; at the end it is a folder.

    Args:
        folder: what is exchanged.
        outside: where the link leads.
        beat: how many looks each state lasts.
    """
    link = folder.with_name(f"{folder.name}.swapped")
    link.symlink_to(outside)
    command = [sys.executable, "-c", _SWAP, str(folder), str(link), str(beat)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"swapping\n"
        try:
            yield
        finally:
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(30) == 0
    link.unlink()
