"""Writes files atomically: to a temporary file beside the target, which then replaces it.

A reader sees the old bytes or the new ones, complete, also after a power failure: the content is
synced before the rename, and the rename before the write counts as done. A temporary file left by a
killed process is removed with the next write of the same file, or at the next start; listings hide
it until then. Works inside an open folder, so that no link can redirect it.

Also temporary directories that can be removed at any depth: `tempfile.TemporaryDirectory` removes
recursively, which fails for a thousand nested folders.
"""

import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LIST_TEMP_FILES: Final = ("ls-files", "-z", "--others", "--ignored", "--exclude=.jupyter_ac-*.tmp")
"""Lists temporary files, also those in ignored folders."""

_BEGINNING: Final = ".jupyter_ac-"
_NAME: Final = re.compile(r"\.jupyter_ac-([0-9a-f]{16})\.tmp")
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def tag_of(path: str) -> str | None:
    """Return the tag in the name of a temporary file; None for other names."""
    if _BEGINNING not in path:  # the usual case, without parsing the path
        return None
    match = _NAME.fullmatch(path.rpartition("/")[2])
    return match[1] if match else None


def without_temp_files(paths: list[str]) -> list[str]:
    """Remove the paths of temporary files."""
    return [path for path in paths if tag_of(path) is None]


@dataclass(frozen=True, slots=True)
class TempFile:
    """A temporary file with new content.

    Attributes:
        folder: descriptor of its folder.
        name: its name in the folder.
    """

    folder: int
    name: str

    def replace(self, target: str) -> None:
        """Rename it to the target, which may exist.

        Raises:
            OSError: the file system refuses.
        """
        os.rename(self.name, target, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        os.fsync(self.folder)

    def appear_as(self, target: str) -> None:
        """Rename it to an unused name.

        Raises:
            FileExistsError: the name is in use.
            OSError: the file system refuses.
        """
        try:
            os.link(self.name, target, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        except FileExistsError:
            raise
        except OSError:
            # A file system without hard links; the caller's lock excludes this program's other
            # writers.
            with suppress(FileNotFoundError):
                os.stat(target, dir_fd=self.folder, follow_symlinks=False)
                raise FileExistsError(target) from None
            self.replace(target)
        os.fsync(self.folder)


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """A file's metadata.

    Attributes:
        found: mode and owner.
        attributes: extended attributes by name, access lists included; empty if not supported.
    """

    found: os.stat_result
    attributes: Mapping[str, bytes]

    @classmethod
    def of(cls, descriptor: int) -> "FileMetadata":
        """Read the metadata of an open file."""
        attributes: dict[str, bytes] = {}
        if sys.platform == "linux":
            with suppress(OSError):  # a file system without them
                for name in os.listxattr(descriptor):
                    attributes[name] = os.getxattr(descriptor, name)
        return cls(os.fstat(descriptor), attributes)


@contextmanager
def temp_file(
    folder: int, tag: str, data: bytes, like: FileMetadata | None = None
) -> Iterator[TempFile]:
    """Create a temporary file for the body; if it wasn't renamed it is removed at the end.

    Args:
        folder: descriptor of the folder.
        tag: 16 hex digits; the caller must hold its lock.
        data: the new content.
        like: metadata to copy, as far as permitted.

    Raises:
        OSError: it can't be written.
    """
    temporary = TempFile(folder, f".jupyter_ac-{tag}.tmp")
    _discard(temporary)
    with os.fdopen(os.open(temporary.name, _FLAGS, 0o666, dir_fd=folder), "wb") as file:
        try:
            if like is not None:
                _copy_metadata(file.fileno(), like)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            _discard(temporary)
            raise
    try:
        yield temporary
    finally:
        _discard(temporary)


def _copy_metadata(descriptor: int, like: FileMetadata) -> None:
    own, found = os.fstat(descriptor), like.found
    if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
        with suppress(OSError):  # only root may change the owner
            os.fchown(descriptor, found.st_uid, found.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
    if sys.platform == "linux":
        for name, value in like.attributes.items():
            with suppress(OSError):  # some only the system may set
                os.setxattr(descriptor, name, value)


def _discard(temporary: TempFile) -> None:
    with suppress(FileNotFoundError):
        os.unlink(temporary.name, dir_fd=temporary.folder)


@contextmanager
def temporary_folder(inside: Path) -> Iterator[Path]:
    """Create a folder, and remove it with its content at the end."""
    made = tempfile.mkdtemp(dir=inside, prefix="jupyter_ac-")
    try:
        yield Path(made)
    finally:
        remove_tree(made)


def remove_tree(folder: str) -> None:
    """Remove a folder and its content at any depth; links aren't followed.

    Raises:
        OSError: the file system refuses.
    """
    folders = [folder]
    for each in folders:
        with os.scandir(each) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    Path(entry.path).unlink()
    for each in reversed(folders):
        Path(each).rmdir()
