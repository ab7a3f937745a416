"""The cache of fetched pages: one file for each address, shared by all processes of a user."""

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson

from jupyter_ac.web.url_content import UrlContent, content_of

MAX_ENTRIES: Final = 500
"""Pages that are kept; the ones that were written first are removed."""

_DIGITS: Final = 32
_HOUR_S: Final = 3600.0
_PRIVATE: Final = 0o600


class UrlCache:
    """Stores pages in a folder. All methods access the disk.

    Entries that are damaged, or of another version, count as missing and are removed. A disk that
    is full or read-only only means that nothing is kept.

    Args:
        folder: created when something is stored.
        ttl_hours: gives for how many hours a page is valid.
        now: seconds since 1970.
    """

    def __init__(
        self,
        folder: Path,
        ttl_hours: Callable[[], float],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder, self._ttl_hours, self._now = folder, ttl_hours, now

    def read(self, url: str) -> UrlContent | None:
        """Return the page of an address; None if it is missing or too old."""
        path = self._path(url)
        try:
            row = orjson.loads(path.read_bytes())
            content = content_of(row["content"])
            is_valid = 0 <= self._now() - row["cached_at"] < self._ttl_hours() * _HOUR_S
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError):
            is_valid, content = False, None
        if not is_valid or content is None or content.url != url:
            self._remove(path)
            return None
        return content

    def write(self, content: UrlContent) -> bool:
        """Store a page; returns whether it was possible.

        One that is stored already, and only gets a summary, is valid no longer than before.
        """
        path = self._path(content.url)
        data = orjson.dumps({"cached_at": self._cached_at(path, content), "content": content})
        temporary = path.with_name(f"{path.stem}.{os.getpid()}.{time.monotonic_ns()}.tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            temporary.replace(path)
            self._shrink()
        except OSError:
            self._remove(temporary)
            return False
        return True

    def remove(self, url: str) -> None:
        """Remove the page of an address."""
        self._remove(self._path(url))

    def clear(self) -> None:
        """Remove all pages."""
        for path in self._entries():
            self._remove(path)

    def _cached_at(self, path: Path, content: UrlContent) -> float:
        try:
            row = orjson.loads(path.read_bytes())
            known, cached_at = content_of(row["content"]), float(row["cached_at"])
        except (OSError, ValueError, TypeError, KeyError):
            return self._now()
        same = bool(content.fetched_at) and known.fetched_at == content.fetched_at
        return cached_at if same else self._now()

    def _path(self, url: str) -> Path:
        digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{digest[:_DIGITS]}.json"

    def _entries(self) -> list[Path]:
        return list(self._folder.glob("*.json")) + list(self._folder.glob("*.tmp"))

    def _shrink(self) -> None:
        entries = self._entries()
        if len(entries) > MAX_ENTRIES:
            entries.sort(key=_written_at)
            for path in entries[: len(entries) - MAX_ENTRIES]:
                self._remove(path)

    def _remove(self, path: Path) -> None:
        with suppress(OSError):  # it is gone already, or the disk is read-only
            path.unlink()


def _written_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
