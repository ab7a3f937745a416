"""The kernel's location, and a proof that a server shares its file system.

A path is no identity: a server on another machine, or in another container, may have a folder of
the same name. The kernel leaves a nonce in the repository's git directory, the page passes it on,
and the server looks for it there.
"""

import asyncio
import platform
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.assets import load_build
from jupyter_ac.hosts.nearby_repositories import (
    Nearby,
    RepositoryChoices,
    look_around,
    open_confirmed,
)
from jupyter_ac.store.nonce import knows_nonce, write_nonce
from jupyter_ac.store.state_paths import state_dir
from jupyter_ac.version import __version__


@dataclass(frozen=True, slots=True)
class KernelPlace:
    """A folder of the kernel's.

    Attributes:
        directory: the folder itself.
        root: top of the repository around it; None without one.
        nonce: what was left in the repository; None without one.
    """

    directory: Path
    root: Path | None = None
    nonce: str | None = None


class KernelLocation:
    """Finds the repository around one folder, each time afresh: it may come and go.

    Blocks for some ten milliseconds; for one thread, and one without an event loop.

    Args:
        directory: the kernel's folder.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._nonce = ""

    def find(self) -> KernelPlace:
        """Look for the repository and make sure that this kernel's nonce lies in it.

        Raises:
            GitError: git is missing or failed.
            AccessDenied: the repository is another user's.
            AcError: there is no place for the nonce.
        """
        try:
            repository = asyncio.run(discover(self._directory))
        except NotFound:
            return KernelPlace(self._directory)
        state = state_dir(repository.common_dir)
        if not self._nonce or not knows_nonce(state, self._nonce):
            self._nonce = write_nonce(state)
        return KernelPlace(self._directory, repository.root, self._nonce)

    def look_around(self) -> RepositoryChoices:
        """Look for repositories near the folder."""
        return asyncio.run(look_around(self._directory, _found_above))

    def nearby(self, asked: str) -> Path:
        """Return the folder of a repository that `look_around` finds.

        Raises:
            NotFound: there is none of that name near the folder.
        """
        around = self.look_around()
        for found in (*around.above, *around.below):
            if str(found.path) == asked:
                return found.path
        raise NotFound(f"there is no repository {asked!r} near the panel's folder; look again")

    def initialise(self, confirmed: object, *, with_git: bool = True) -> str:
        """Make the folder a repository, or open it without one; return its name.

        Args:
            confirmed: see `open_confirmed`.
            with_git: likewise.

        Raises:
            RefusedPath: the folder may not become one, or not be opened.
            InvalidParams: no folder was confirmed.
            Conflict: another folder was.
            GitError: git is missing or failed.
            AcError: the folder may not be written.
        """
        return asyncio.run(_initialised(self._directory, confirmed, with_git=with_git)).name


async def _initialised(directory: Path, confirmed: object, *, with_git: bool) -> Repository:
    with suppress(NotFound):
        found = await discover(directory)
        if not found.is_plain_folder or not with_git:
            return found
    return await open_confirmed(directory, confirmed, with_git=with_git)


async def _found_above(marked: Path) -> Nearby | None:
    try:
        repository = await discover(marked)
    except AcError:
        return None
    return Nearby(marked, str(repository.root))


def hello(place: KernelPlace, status: str) -> dict[str, object]:
    """Word the answer for a page that asks where it is."""
    return {
        "type": "hello",
        "directory": str(place.directory),
        "root": None if place.root is None else str(place.root),
        "nonce": place.nonce,
        "versions": versions(),
        "status": status,
    }


def versions() -> dict[str, str]:
    """Name the versions on the kernel's side; `hash` is "" without a built front end."""
    try:
        build_hash = load_build().hash
    except NotFound:
        build_hash = ""
    return {
        "jupyter_ac": __version__,
        "python": platform.python_version(),
        "ipykernel": metadata.version("ipykernel"),
        "hash": build_hash,
    }
