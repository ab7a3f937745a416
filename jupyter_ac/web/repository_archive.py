"""Unpacks the archive of a repository into a folder: plain files only, below it, within limits."""

import io
import re
import tarfile
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.web.page_text import decoded, shortened

MAX_UNPACKED_BYTES: Final = 250_000_000
MAX_FILES: Final = 20_000
MAX_FILE_BYTES: Final = 1_000_000
"""Larger files are left out: they aren't sources that a map shows."""

_README: Final = re.compile(r"readme(\.(md|markdown|rst|txt))?", re.IGNORECASE)
_ORDER: Final = (".md", ".markdown", ".rst", ".txt", "")


def unpack(archive: bytes, folder: Path) -> int:
    """Unpack the files of a tar archive, without its outermost folder.

    Links, devices and names that lead out of the folder are left out.

    Args:
        archive: compressed or not.
        folder: an empty one.

    Returns:
        how many files there are.

    Raises:
        Unsupported: it isn't such an archive, or it is too large.
    """
    count = size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r|*") as rows:
            for row in rows:
                size += row.size
                if size > MAX_UNPACKED_BYTES:
                    megabytes = MAX_UNPACKED_BYTES // 1_000_000
                    raise Unsupported(f"the repository has more than {megabytes} MB of files")
                path = _path_below(row.name)
                if not row.isreg() or path is None or row.size > MAX_FILE_BYTES:
                    continue
                content = rows.extractfile(row)
                if content is not None and _written(folder / path, content.read()):
                    count += 1
                if count == MAX_FILES:
                    break
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise Unsupported(f"the repository's archive can't be read: {error}") from error
    return count


def readme_of(folder: Path) -> str:
    """Return the text of the README at the top of a folder, or ""."""
    found = [each for each in folder.iterdir() if _README.fullmatch(each.name) and each.is_file()]
    found.sort(key=lambda each: (_ORDER.index(each.suffix.lower()), each.name))
    return shortened(decoded(found[0].read_bytes())) if found else ""


def _path_below(name: str) -> Path | None:
    """Return a member's path without the first folder; None if it isn't a plain path below it."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        return None
    if any(mark in name for mark in ("\\", "\0", ":")):
        return None
    return Path(*parts[1:]) if len(parts) > 1 else None


def _written(path: Path, data: bytes) -> bool:
    """Write a file; one whose name is taken by a folder, or is too long, is left out."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        return False
    return True
