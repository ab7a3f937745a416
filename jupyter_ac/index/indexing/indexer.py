"""The indexer of one working tree: scans, ingests, saves snapshots."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Collection, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from jupyter_ac.errors import NotReady
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.cache_version import record_format
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.indexing.cache import Cache
from jupyter_ac.index.indexing.file_reader import SHA1_DIGITS, Reader
from jupyter_ac.index.indexing.ingest import Ingestion, IngestTarget
from jupyter_ac.index.indexing.listing import Listing, cut, list_tree
from jupyter_ac.index.indexing.pool import Pool
from jupyter_ac.index.indexing.progress import RefreshResult, ReportProgress, ignore
from jupyter_ac.index.indexing.scan import ScanResult, scan_tree
from jupyter_ac.index.indexing.snapshots import Snapshots
from jupyter_ac.index.view import IndexView

_MAX_PATHS: Final = 256
"""More changes than these are found faster by a look at the whole tree."""

_SAVED_FROM: Final = 50
_SHARE: Final = 20
"""A new snapshot is saved when one of so many files has changed since the last."""

_SAVE_S: Final = 2.0
"""How long nothing has changed when a snapshot is begun: a change gives it up."""

_STEP_S: Final = 0.01


class Indexer:
    """Refreshes the index of a working tree on request, and gives read access to it.

    Belongs to one event loop.

    Args:
        repository: of the tree.
        cache_dir: folder of the machine's cache.
        pool: parses files; None creates one.
    """

    def __init__(self, repository: Repository, cache_dir: Path, pool: Pool | None = None) -> None:
        self.repository = repository
        self.cache = Cache(cache_dir, record_format())
        self._root = str(repository.root)
        self._pool = pool or Pool(self._root)
        self._index = IngestTarget(LoadedIndex(cache_dir), {})
        self._snapshots = Snapshots(self.cache.path, self._root)
        self._is_loaded = False
        self._has_jupyter_files = False
        self._is_tidy = False
        self._unsaved = 0
        self._saving: asyncio.Task[None] | None = None
        self._steps: Generator[None, None, None] | None = None
        self._preparing: asyncio.Task[None] | None = None
        self._digits = SHA1_DIGITS
        self._beyond = 0
        self._refreshing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Save what has changed much, end the parsers and close the cache; bounded."""
        await self._stop_saving()
        self.save()
        if self._preparing is not None:
            await self._preparing
        await self._pool.aclose()
        await self.cache.aclose()

    @property
    def view(self) -> IndexView:
        """The index as of the last refresh, from the first one on the same object."""
        return self._index.state

    @property
    def generation(self) -> str:
        """Names the tree's content."""
        return self._index.state.generation

    def blob(self, path: RepoPath) -> str:
        """Return the hash of a file's content as of the last refresh; "" when it wasn't read."""
        seen = self._index.seen.get(path)
        return seen.blob if seen is not None and not seen.problem else ""

    @property
    def parser_pids(self) -> list[int]:
        """Process ids of the parsers that run."""
        return self._pool.pids

    async def read(self, path: RepoPath, limit: int) -> bytes:
        """Return a file's bytes, at most so many.

        Raises:
            OSError: there is no plain file.
        """
        return await asyncio.to_thread(Reader(self._root).read, path, limit)

    async def refresh(
        self,
        paths: Collection[RepoPath] | None = None,
        report: ReportProgress = ignore,
        *,
        with_jupyter_files: bool | None = None,
    ) -> RefreshResult:
        """Bring the index up to date.

        Args:
            paths: files and folders that have changed; None looks at all.
            report: is given the progress.
            with_jupyter_files: whether untracked files that Jupyter writes beside documents are
                in it; None: as before. All is looked at when that changes.

        Raises:
            GitError: git can't read the repository.
            TimedOut: git took too long.
            NotReady: no parser can be started.
        """
        async with self._refreshing:
            if not self._is_loaded:
                await self._load()
            if with_jupyter_files not in {None, self._has_jupyter_files}:
                self._has_jupyter_files = not self._has_jupyter_files
                paths = None
            found = await self._scan(paths)
            if found.changed or found.gone:
                await self._stop_saving()
            filling = Ingestion(self._index, found, self.cache, self._pool, report)
            done = replace(await filling.run(self._digits), beyond=self._beyond)
            self._save_soon(done)
            self._prepare(self._rest)
            return done

    async def calm(self) -> None:
        """Wait while a refresh is under way: somebody waits for it, and nobody for what is next."""
        async with self._refreshing:
            pass

    async def _load(self) -> None:
        saved = await asyncio.to_thread(self._snapshots.load)
        if saved is not None:
            self._index = saved
        elif not self.cache.path.exists():
            # Nothing was ever parsed here: parsers load while the tree is looked at.
            self._prepare(self._pool.warm_up)
        self._is_loaded = True

    async def _rest(self) -> None:
        await self._pool.rest()
        if not self._is_tidy:
            self._is_tidy = True
            await self.cache.tidy()
            await asyncio.to_thread(self._snapshots.tidy)

    def _prepare(self, work: Callable[[], Awaitable[None]]) -> None:
        """Have parsers started or ended in the background; a failure is met again at their use."""
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(_tried(work))

    def save(self) -> None:
        """Keep what has changed much for the next start, at once."""
        if self._steps is not None:
            self._steps.close()  # whoever ends after this leaves no draft behind
        if self._is_to_save:
            self._snapshots.save(self._index)
            self._unsaved = 0

    @property
    def _is_to_save(self) -> bool:
        """Whether the next start would have much to do without a new snapshot."""
        return self._unsaved > _SAVED_FROM + len(self._index.seen) // _SHARE

    def _save_soon(self, done: RefreshResult) -> None:
        self._unsaved += len(done.changed)
        if self._is_to_save and (self._saving is None or self._saving.done()):
            self._saving = asyncio.create_task(self._save_slowly(), name="index: saving")

    async def _save_slowly(self) -> None:
        """Save in steps between which others are served; whoever waits for a refresh is first."""
        await asyncio.sleep(_SAVE_S)
        with closing(self._snapshots.saving(self._index)) as steps:
            self._steps = steps
            rested = time.monotonic()
            for _ in steps:
                if time.monotonic() - rested > _STEP_S:
                    await asyncio.sleep(0)
                    rested = time.monotonic()
        self._unsaved = 0

    async def _stop_saving(self) -> None:
        """Give a snapshot up that would hold a part of the old index and a part of the new one."""
        saving, self._saving = self._saving, None
        if saving is not None and not saving.done():
            saving.cancel()
            await asyncio.wait({saving})

    async def _scan(self, paths: Collection[RepoPath] | None) -> ScanResult:
        known: Listing = {}
        if paths is None or len(paths) > _MAX_PATHS or any(map(_has_a_say, paths)):
            whole = await self._list(())
            listing = await asyncio.to_thread(cut, whole)
            self._beyond = len(whole) - len(listing)
            looked_at = list(self._index.seen)
        else:
            known = {path: "" for path in paths if path in self._index.seen}
            listing, looked_at = dict(known), list(known)
            if new := [path for path in paths if path not in self._index.seen]:
                below = tuple(f"{path}/" for path in new)
                looked_at += [
                    path
                    for path in self._index.seen
                    if path.startswith(below) and path not in listing
                ]
                listing |= await self._list_there(new)
        blob = next(filter(None, listing.values()), None)
        self._digits = self._digits if blob is None else len(blob)
        found = await asyncio.to_thread(
            scan_tree, self._root, listing, self._index.seen, looked_at, self._digits
        )
        return await self._without_foreign(found, known)

    async def _without_foreign(self, found: ScanResult, known: Listing) -> ScanResult:
        """Count files as deleted that were reported as changed, but are unchanged and unlisted."""
        same = [path for path in known if path not in found.changed and path not in found.gone]
        listed = await self._list_there(same) if same else {}
        return found._replace(gone=found.gone + [path for path in same if path not in listed])

    async def _list_there(self, paths: list[RepoPath]) -> Listing:
        """List the files at or below paths as git sees them; ignored ones are none."""
        there = await asyncio.to_thread(
            lambda: [path for path in paths if os.path.lexists(f"{self._root}/{path}")]
        )
        return await self._list(there) if there else {}

    async def _list(self, under: Sequence[str]) -> Listing:
        shows = self._has_jupyter_files
        return await list_tree(self.repository, under, with_jupyter_files=shows)


async def _tried(work: Callable[[], Awaitable[None]]) -> None:
    with suppress(NotReady):
        await work()


def _has_a_say(path: RepoPath) -> bool:
    """ReportProgress whether a file says which others belong to the repository."""
    return path.rpartition("/")[2] in {".gitignore", ".gitmodules"}
