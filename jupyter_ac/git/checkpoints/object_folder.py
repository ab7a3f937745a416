"""Writes git objects into a folder of their own, beside the repository's object database.

git reads them together with the repository's (`reading_variables`), but no ref leads to them, so a
push, a clone and the garbage collection don't see them. Contents are stored exactly as given: no
filter runs and no line ends are converted. An object appears complete or not at all, but isn't
synced: a power failure may damage it, which git reports when it reads it.
"""

import hashlib
import os
import secrets
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from jupyter_ac.git.staging import folders_above
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.path_checks import make_real_folder

ObjectFormat = Literal["sha1", "sha256"]

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ_ONLY: Final = 0o444
_FAST: Final = 1
_FOLDER: Final = "40000"


@dataclass(frozen=True, slots=True)
class FileVersion:
    """What git stores of a file.

    Attributes:
        mode: octal, as git writes it.
        blob: the content's hash.
    """

    mode: str
    blob: str


class ObjectFolder:
    """The folder; used in one thread at a time.

    Args:
        folder: existing and real; git's layout of loose objects.
        object_format: of the repository.
    """

    def __init__(self, folder: Path, object_format: ObjectFormat) -> None:
        self._folder = folder
        self._format = object_format
        self._written: set[str] = set()
        self._checked: set[str] = set()

    def name_of(self, kind: str, data: bytes) -> str:
        """Return the hash of an object."""
        header = f"{kind} {len(data)}\0".encode()
        return hashlib.new(self._format, header + data, usedforsecurity=False).hexdigest()

    def has(self, name: str) -> bool:
        """Return whether an object is in this folder; the repository's own aren't considered."""
        return name in self._written or os.path.lexists(self._place(name))

    def add(self, kind: str, data: bytes) -> str:
        """Write an object, unless it is there, and return its hash.

        Raises:
            AcError: the disk refuses; the message contains the reason.
        """
        name = self.name_of(kind, data)
        if not self.has(name):
            try:
                self._write(name, f"{kind} {len(data)}\0".encode() + data)
            except OSError as error:
                raise explained_os_error(error, "The checkpoint") from error
        self._written.add(name)
        return name

    def add_tree(self, files: Mapping[RepoPath, FileVersion]) -> str:
        """Write the tree objects of files, and return the hash of the top one.

        Args:
            files: by git path; none is also a folder of another one.

        Raises:
            AcError: as `add`.
        """
        rows: dict[str, list[tuple[bytes, bytes]]] = {"": []}
        for path, file in files.items():
            above, _, name = path.rpartition("/")
            if above not in rows:
                for folder in (*folders_above(above), above):
                    rows.setdefault(folder, [])
            rows[above].append(_row(name, file.mode, file.blob))
        tree = ""
        for folder in sorted(rows, key=_depth, reverse=True):
            tree = self.add("tree", b"".join(row for _, row in sorted(rows[folder])))
            if folder:
                above, _, name = folder.rpartition("/")
                rows[above].append(_row(name, _FOLDER, tree))
        return tree

    def _place(self, name: str) -> Path:
        return self._folder / name[:2] / name[2:]

    def _write(self, name: str, data: bytes) -> None:
        place = self._place(name)
        if name[:2] not in self._checked:
            make_real_folder(place.parent)
            self._checked.add(name[:2])
        temporary = place.parent / f"tmp_obj_{secrets.token_hex(8)}"
        try:
            with os.fdopen(os.open(temporary, _FLAGS, _READ_ONLY), "wb") as file:
                file.write(zlib.compress(data, _FAST))
            temporary.rename(place)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def _row(name: str, mode: str, blob: str) -> tuple[bytes, bytes]:
    """Return git's sort key and row of an entry in a tree object."""
    encoded = name.encode("utf-8", "surrogateescape")
    key = encoded + b"/" if mode == _FOLDER else encoded
    return key, mode.encode() + b" " + encoded + b"\0" + bytes.fromhex(blob)


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def reading_variables(folders: Iterable[Path]) -> dict[str, str]:
    """Return environment variables with which git also reads objects of these folders."""
    return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": os.pathsep.join(map(_quoted, folders))}


def _quoted(folder: Path) -> str:
    """Quote a path, which may contain the separator of the list."""
    escaped = str(folder).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
