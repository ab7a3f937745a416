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
import ctypes, os, select, shutil, sys
exchange = ctypes.CDLL(None).renameat2
folder, link, outside = (os.fsencode(name) for name in sys.argv[1:4])
beat = int(sys.argv[4])
is_away = False
rounds = 0
print("swapping", flush=True)
while is_away or rounds % 16 or not select.select([0], [], [], 0)[0]:
    if exchange(-100, folder, -100, link, 2):
        continue  # somebody takes the link away
    is_away = os.path.islink(folder)
    if not is_away and not os.path.islink(link):  # it has become a folder
        shutil.rmtree(link)
        os.symlink(outside, link)
    rounds += 1
    for _ in range(beat):
        os.path.lexists(folder)
"""


@contextmanager
def swapping(folder: Path, outside: Path, beat: int = 30) -> Iterator[None]:
    """Let a process exchange a folder with a link, again and again; at the end it is a folder.

    Args:
        folder: what is exchanged.
        outside: where the link leads; the link itself waits beside it.
        beat: how many looks each state lasts.
    """
    link = outside.with_name(f"{folder.name}.swapped")
    link.symlink_to(outside)
    command = [sys.executable, "-c", _SWAP, str(folder), str(link), str(outside), str(beat)]
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
