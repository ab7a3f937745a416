"""Makes what decides which files are sent, and what applies edits to files. Nothing is started."""

import asyncio
import os
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.excluded_files import ExcludedFiles
from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.chat.history.exclusion_copy import COPY_FILE
from jupyter_ac.chat.history.exclusion_store import ExcludedPathStore
from jupyter_ac.chat.history.schema import HISTORY_FILE, history_database
from jupyter_ac.events import ExcludedFilesChanged
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.signing import row_signer
from jupyter_ac.ids import RepoPath
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.settings.paths import config_dir
from jupyter_ac.store.sqlite import Database
from jupyter_ac.store.state_paths import has_state, state_folder


def make_excluded(
    repository: Repository, database: Database, subscribers: Subscribers
) -> ExcludedFiles:
    """Make what keeps the excluded files of a repository, and tells the pages of changes."""

    def changed(excluded: ExcludedPaths) -> None:
        subscribers.publish(ExcludedFilesChanged(list(excluded.paths)))

    return ExcludedFiles(repository, ExcludedPathStore(database), changed)


async def kept_excluded(repository: Repository) -> ExcludedPaths:
    """Return the excluded files of a repository that no workspace serves here.

    Raises:
        AcError: the disk fails.
    """
    if not await asyncio.to_thread(has_state, repository.common_dir):
        return NONE_EXCLUDED
    place = await asyncio.to_thread(state_folder, repository.common_dir)
    files = [place.directory / name for name in (HISTORY_FILE, COPY_FILE)]
    if not await asyncio.to_thread(lambda: any(file.exists() for file in files)):
        return NONE_EXCLUDED
    async with _store_in(place.directory, repository) as store:
        return ExcludedPaths(await store.read())


async def keep_excluded(repository: Repository, paths: Collection[RepoPath]) -> None:
    """Exclude files of a repository that no workspace serves yet, as another repository names them.

    Args:
        repository: of the files.
        paths: in the spelling of git; they need not exist.

    Raises:
        AcError: the disk fails; nothing may be sent then.
    """
    if not paths:
        return
    place = await asyncio.to_thread(state_folder, repository.common_dir)
    async with _store_in(place.directory, repository) as store:
        await store.replace(paths)


@asynccontextmanager
async def _store_in(folder: Path, repository: Repository) -> AsyncIterator[ExcludedPathStore]:
    _, signer = await asyncio.to_thread(row_signer, repository, config_dir(os.environ))
    database = history_database(folder, signer)
    try:
        yield ExcludedPathStore(database)
    finally:
        await database.aclose()


def make_applier(
    repository: Repository, database: Database, writers: Writers, excluded: ExcludedFiles
) -> Applier:
    """Make what applies the edits of answers."""
    return Applier(
        repository,
        writers.locks,
        writers.changer,
        writers.audience.publish,
        BeforeImages(database, repository.worktree),
        excluded.read,
    )
