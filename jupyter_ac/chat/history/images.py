"""Stores the images of conversations: files beside the history, named by the hash of their bytes.

They are read for the question that they belong to and for a page that shows it. A file whose
content doesn't match its name counts as missing.
"""

import asyncio
import errno
import os
import tempfile
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.chat.images import MAX_BYTES, QuestionImage, image_of, is_name
from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.os_errors import NOT_A_FOLDER, explained_os_error
from jupyter_ac.store.path_checks import make_real_folder, require_real_folder

FOLDER: Final = "images"

_NO_IMAGE: Final = NOT_A_FOLDER | {errno.ENOENT, errno.EISDIR, errno.ENXIO}


class ImageFolder:
    """The folder with the images of a repository.

    Args:
        state: the repository's folder for state.
    """

    def __init__(self, state: Path) -> None:
        self._folder = state / FOLDER

    async def put(self, image: QuestionImage) -> None:
        """Keep an image; one that is there already stays.

        Raises:
            AcError: the disk refuses it.
        """
        await asyncio.to_thread(self._put, image)

    async def get(self, name: str) -> QuestionImage:
        """Read an image.

        Raises:
            NotFound: there is none of this name.
        AcError: the disk fails, or too many files are open.
        """
        return await asyncio.to_thread(self._read, name)

    async def find(self, names: Sequence[str]) -> list[Path | None]:
        """Say where images are; None in the place of one that is missing or damaged.

        Raises:
            AcError: the disk fails, or too many files are open.
        """
        return await asyncio.to_thread(lambda: [self._find(name) for name in names])

    async def remove(self, names: Collection[str]) -> None:
        """Delete images; those that aren't there are left out.

        Raises:
            AcError: the disk fails.
        """
        await asyncio.to_thread(self._remove, names)

    def _remove(self, names: Collection[str]) -> None:
        try:
            if any(is_name(name) for name in names):
                require_real_folder(self._folder)
            for name in filter(is_name, names):
                (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            if error.errno not in _NO_IMAGE:
                raise explained_os_error(error, "The image") from error

    def _find(self, name: str) -> Path | None:
        try:
            self._read(name)
        except NotFound:
            return None
        return self._folder / name

    def _put(self, image: QuestionImage) -> None:
        with suppress(NotFound):
            self._read(image.name)
            return
        try:
            require_real_folder(self._folder.parent)
            make_real_folder(self._folder)
            _write(self._folder / image.name, image.data)
        except OSError as error:
            raise explained_os_error(error, "The image") from error

    def _read(self, name: str) -> QuestionImage:
        missing = NotFound(f"The image {name[:80]!r} is not kept here; send it with put_image.")
        if not is_name(name):
            raise missing
        try:
            # What lies in the state folder may come from anybody: no links, no pipes.
            require_real_folder(self._folder)
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            with os.fdopen(os.open(self._folder / name, flags), "rb") as file:
                image = image_of(file.read(MAX_BYTES + 1), name)
        except OSError as error:
            if error.errno in _NO_IMAGE:
                raise missing from error
            raise explained_os_error(error, "The image") from error
        except AcError as error:
            raise missing from error
        if image.name != name:
            raise missing
        return image


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, for its owner only."""
    descriptor, draft = tempfile.mkstemp(prefix=".draft-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
