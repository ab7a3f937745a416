"""Keeps which files are excluded: nothing of them is sent to a model, whoever asks.

The list holds for the repository, with all persons, worktrees and programs that serve it. It is
read from disk each time, so that what another program has excluded holds at once.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final

from jupyter_ac.chat.history.exclusion_store import ExcludedPathStore
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.git.path_lookup import names_for_git
from jupyter_ac.git.repository import Repository

MAX_ODD: Final = 1_000
"""Of the paths that come anew at once, those about which git has to be asked."""


class ExcludedFiles:
    """The excluded files of a repository.

    Args:
        repository: whose files.
        store: on disk.
        changed: told of a list that is another than the one before.

    Attributes:
        known: the list as it was read last; None before that.
    """

    def __init__(
        self,
        repository: Repository,
        store: ExcludedPathStore,
        changed: Callable[[ExcludedPaths], None],
    ) -> None:
        self._repository = repository
        self._store = store
        self._changed = changed
        self.known: ExcludedPaths | None = None

    async def read(self) -> ExcludedPaths:
        """Return what is excluded now.

        Raises:
            AcError: the disk fails; nothing may be sent then.
        """
        found, before = await self._store.listed(), self.known or NONE_EXCLUDED
        if self.known is not None and (before, before.number) == (found, found.number):
            return before
        self.known = found
        if found != before:
            self._changed(found)
        return found

    async def replace(self, paths: Iterable[str]) -> ExcludedPaths:
        """Exclude these files and folders, and no others; they need not exist.

        What is excluded already stays as it is written, whatever lies there by now: on another
        branch its folder may be a link.

        Raises:
            RefusedPath: a path that comes anew leads out of the repository, or names all of it.
            TooLarge: they are too many.
            AcError: the disk or git fails.
        """
        asked, before = list(paths), set(await self._store.read())
        kept = before.intersection(asked)
        new = [path for path in asked if path not in before]
        named = await names_for_git(self._repository, new, MAX_ODD)
        await self._store.replace([*kept, *named])
        return await self.read()

    @asynccontextmanager
    async def moving(self, old: str, new: str) -> AsyncIterator[None]:
        """Have a file or folder excluded under its new name before it has it, and no longer after.

        If the move fails, all is as before.

        Raises:
            RefusedPath: a path is invalid.
            TooLarge: more files can't be excluded.
            AcError: the disk fails.
        """
        left, added = await self._store.follow(
            *[(await names_for_git(self._repository, [path]))[0] for path in (old, new)]
        )
        try:
            yield
        except BaseException:
            await self._store.forget(added)
            raise
        if left or added:
            await self._store.forget(left)
            await self.read()
