"""Unusual files, names, hooks and disks."""

import os
import subprocess
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder

NAMES = (
    *("with space", "q'u\"o`te", "new\nline", "tab\there", "\x01\x7f", "a\rb", "\u2028", "\x0b"),
    *("back\\slash", "d/\\b", "\\lead", "end\\", "a:b", "c:", "ab:c", "...", "x/....", "..x"),
    *("-lead", "--output=x", "-", "--", " lead", "trail ", "!x", "@", "@{-1}", "HEAD", ":", ":!x"),
    *(":(glob)x", "*", "?", "[a]", "~", "$HOME", "%", "%2F", "#", "& ;|<>", "{", "=", ",", "a=b"),
    *("häst", "😀", unicodedata.normalize("NFC", "né"), unicodedata.normalize("NFD", "né")),
    *("\u202ertl", "r\u200ftl", "\ufeffbom", "l\udce9", "\udcff\udcfe", "é\udce9", "x" * 255),
    *("con", "CON", "aux.txt", "gitx~1", ".gitx", ".gitkeep", ".github/x", "x.git/y"),
    *("CASE", "case", "dots.."),
)
"""Names of files that git takes, each a different file."""

CLOSED = (".GIT", ".git ", ".git.", "git~1", "d/.Git/config", ".git\u200c")
"""Names that some file system takes for git's own directory."""

TEXTS = {
    "crlf": b"a\r\nb\r\n",
    "mixed": b"a\nb\r\nc\rd",
    "lone cr": b"a\rb\r",
    "bom": b"\xef\xbb\xbfa\n",
    "no final line end": b"a",
    "empty": b"",
    "nul behind the probe": b"a" * 9000 + b"\0x\n",
    "one line": b"x" * 3_000_000,
    "separators": "a\u2028b\x85c\x0bd\x0c\x1c\n".encode(),
    "largest": b"y" * (10 * 1024 * 1024),
}
"""Bytes that are UTF-8 and are to come back as they are."""

DAMAGED = {
    "latin-1": b"caf\xe9\n",
    "surrogate": b"\xed\xa0\x80\n",
    "overlong": b"\xc0\x80\n",
    "cut off": b"ok\n\xf0\x9f\x98",
}
"""Bytes that can be shown, but not written back."""

BINARY = {
    "nul": b"\0\1\2",
    "nul at the end": b"a\n\0",
    "utf-16-le": "\ufeffab\n".encode("utf-16-le"),
    "utf-16-be": "\ufeffab\n".encode("utf-16-be"),
}

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk takes root")


def hook(folder: RepositoryFolder, name: str, body: str) -> Path:
    """Install a hook, a shell script."""
    place = folder.write(f".git/hooks/{name}", f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)
    return place


def configure(monkeypatch: pytest.MonkeyPatch, home: Path, text: str, *, user: bool = True) -> Path:
    """Give the person who runs git a configuration of their own, and return its place."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "none"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    place = home / ".gitconfig"
    place.write_text(("[user]\nname = Ada\nemail = ada@example.org\n" if user else "") + text)
    return place


def everything(folder: RepositoryFolder) -> dict[str, bytes | str | None]:
    """All that is on disk, git's own files included, but for what only git collects."""
    found: dict[str, bytes | str | None] = {}
    for place in folder.root.rglob("*"):
        path = str(place.relative_to(folder.root))
        if path.startswith((".git/jupyter_ac", ".git/objects", ".git/FILL")):
            continue
        if place.is_symlink():
            found[path] = str(place.readlink())
        else:
            found[path] = place.read_bytes() if place.is_file() else None
    return found


@contextmanager
def small_disk(place: Path, size: str = "3m") -> Iterator[Path]:
    """Mount a file system that is soon full."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting is not allowed here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True, capture_output=True)


def fill(place: Path) -> Path:
    """Write a file until nothing more fits, and return it."""
    filler = place / "FILL"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def make_read_only(place: Path, *, on: bool = True) -> None:
    """Let nothing be written on a disk, or let it again."""
    how = "ro" if on else "rw"
    subprocess.run(["mount", "-o", f"remount,{how}", str(place)], check=True, capture_output=True)
