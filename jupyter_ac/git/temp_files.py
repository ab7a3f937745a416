"""A file's next content, written beside it under a name of its own until it takes the file's place.

Whoever looks at the file sees the old bytes or the new ones, whole, also after a power cut: the
content is on the disk before it takes the file's place, and its name is before the write counts as
done. A draft that a killed process left behind goes with the next draft for the same file, or at
the next start; our listings hide it until then. Works inside an open folder, so that no link can
lead elsewhere.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

LIST_DRAFTS: Final = ("ls-files", "-z", "--others", "--ignored", "--exclude=.jupyter_ac-*.tmp")
"""Asks git for them, those in ignored folders as well."""

_BEGINNING: Final = ".jupyter_ac-"
_NAME: Final = re.compile(r"\.jupyter_ac-([0-9a-f]{16})\.tmp")
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def tag_of(path: str) -> str | None:
    """Return the tag of the draft that a path names; None when it names something else."""
    if _BEGINNING not in path:  # the usual case, told without taking the path apart
        return None
    match = _NAME.fullmatch(path.rpartition("/")[2])
    return match[1] if match else None


def without_drafts(paths: list[str]) -> list[str]:
    """Leave out the paths of drafts."""
    return [path for path in paths if tag_of(path) is None]


@dataclass(frozen=True, slots=True)
class TempFile:
    """New content on disk, not yet in place.

    Attributes:
        folder: descriptor of the folder that holds it.
        name: in that folder.
    """

    folder: int
    name: str

    def replace(self, target: str) -> None:
        """Take the place of a file, or of nothing.

        Raises:
            OSError: the file system refuses.
        """
        os.rename(self.name, target, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        os.fsync(self.folder)

    def appear_as(self, target: str) -> None:
        """Take a name that nothing has.

        Raises:
            FileExistsError: something has it.
            OSError: the file system refuses.
        """
        try:
            os.link(self.name, target, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        except FileExistsError:
            raise
        except OSError:
            # A file system without hard links; the caller's lock keeps the rest of us out.
            with suppress(FileNotFoundError):
                os.stat(target, dir_fd=self.folder, follow_symlinks=False)
                raise FileExistsError(target) from None
            self.replace(target)
        os.fsync(self.folder)


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """What a file has beside its content.

    Attributes:
        found: its mode and owner.
        attributes: extended ones by name, access lists among them; none where there are no such.
    """

    found: os.stat_result
    attributes: Mapping[str, bytes]

    @classmethod
    def of(cls, descriptor: int) -> "FileMetadata":
        """Return what an open file has."""
        attributes: dict[str, bytes] = {}
        if sys.platform == "linux":
            with suppress(OSError):  # a file system without them
                for name in os.listxattr(descriptor):
                    attributes[name] = os.getxattr(descriptor, name)
        return cls(os.fstat(descriptor), attributes)


@contextmanager
def drafted(
    folder: int, tag: str, data: bytes, like: FileMetadata | None = None
) -> Iterator[TempFile]:
    """Write a draft for the body; what of it is not in place at the end is removed.

    Args:
        folder: descriptor of the folder.
        tag: 16 hex digits; its holder must be alone with it.
        data: the new content.
        like: what the new file gets, as far as allowed.

    Raises:
        OSError: it can't be written.
    """
    draft = TempFile(folder, f".jupyter_ac-{tag}.tmp")
    _discard(draft)
    with os.fdopen(os.open(draft.name, _FLAGS, 0o666, dir_fd=folder), "wb") as file:
        try:
            if like is not None:
                _dress(file.fileno(), like)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            _discard(draft)
            raise
    try:
        yield draft
    finally:
        _discard(draft)


def _dress(descriptor: int, like: FileMetadata) -> None:
    own, found = os.fstat(descriptor), like.found
    if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
        with suppress(OSError):  # who may not give files away keeps them
            os.fchown(descriptor, found.st_uid, found.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
    if sys.platform == "linux":
        for name, value in like.attributes.items():
            with suppress(OSError):  # some are the system's to give
                os.setxattr(descriptor, name, value)


def _discard(draft: TempFile) -> None:
    with suppress(FileNotFoundError):
        os.unlink(draft.name, dir_fd=draft.folder)
