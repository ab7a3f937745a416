"""A folder that is replaced by a link to another one and back, in a fast loop."""

import ctypes
import os
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
asked = 0
print("swapping", flush=True)
while True:
    # Who puts a folder in the place of the link decides after how many rounds it is one.
    if not is_away and rounds >= asked + 16:
        asked = rounds
        if select.select([0], [], [], 0)[0]:
            break
    if exchange(-100, folder, -100, link, 2):
        continue  # somebody takes the link away
    is_away = os.path.islink(folder)
    if not is_away and not os.path.islink(link):  # it has become a folder
        while os.path.lexists(link):  # files may still be written into it
            shutil.rmtree(link, ignore_errors=True)
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


def exchange_before_opening(monkeypatch: pytest.MonkeyPatch, folder: Path, outside: Path) -> None:
    """Let a folder become a link right before a file in it is opened by its whole path.

    Args:
        monkeypatch: takes it back.
        folder: is moved to `aside`, beside it.
        outside: where the link leads.
    """
    plain = os.open

    def exchanging(path: str, flags: int, **how: int) -> int:
        if f"/{folder.name}/" in str(path) and not folder.is_symlink():
            folder.rename(folder.with_name("aside"))
            folder.symlink_to(outside)
        return plain(path, flags, **how)

    monkeypatch.setattr(os, "open", exchanging)


def folder_and_outside(place: Path) -> tuple[Path, Path]:
    """Make a folder with a file `file.py` below `root`, and another outside; return both."""
    folder, outside = place / "root/folder", place / "outside"
    for made, text in ((folder, "own"), (outside, "secret\n")):
        made.mkdir(parents=True)
        (made / "file.py").write_text(text)
    return folder, outside
