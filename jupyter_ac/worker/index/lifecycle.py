"""Opens the index, updates it, and reports its status."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypedDict

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.index.context import IndexContext
from jupyter_ac.worker.jobs import emitter

_MOST_NAMED: Final = 100
"""More changes are only counted: reading their names would block the host."""


@contextmanager
def _collecting_nothing() -> Iterator[None]:
    """Have the garbage collector stay away from an index, which is large and holds no rings."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class RefreshedWire(TypedDict):
    """What a refresh did; the members mean what `jupyter_ac.index.client.Refresh` says."""

    parsed: int
    from_cache: int
    removed: int
    skipped: int
    changed: list[RepoPath]
    generation: str
    beyond: int


class SkippedWire(TypedDict):
    """A file that was left out or read in part."""

    path: RepoPath
    reason: str


class Basic:
    """Opens and refreshes.

    Args:
        desk: the context that all parts share.
    """

    def __init__(self, desk: IndexContext) -> None:
        self._desk = desk

    @method(Access.EXECUTE)
    async def open(self, root: str, cache_dir: str) -> None:
        """Open the index of a working tree."""
        await self._desk.open(Path(root), Path(cache_dir))

    @method(Access.EXECUTE)
    async def refresh(
        self, channel: int, paths: Sequence[str] | None, with_jupyter_files: bool | None = None
    ) -> RefreshedWire:
        """Bring the index up to date; how far it is goes out as events `{done, total}`.

        Args:
            channel: of the job.
            paths: files and folders that have changed; None looks at all.
            with_jupyter_files: whether untracked files that Jupyter writes beside documents are
                in it; None: as before.
        """
        emit = emitter(channel)
        keeper = self._desk.keeper

        def tell(progress: RefreshProgress) -> None:
            emit({"done": progress.done, "total": progress.total})

        changed = None if paths is None else [RepoPath(path) for path in paths]
        with _collecting_nothing():
            refreshing = keeper.refresh(changed, tell, with_jupyter_files=with_jupyter_files)
            done = await self._desk.jobs.run(channel, refreshing)
        return {
            "parsed": done.parsed,
            "from_cache": done.from_cache,
            "removed": done.removed,
            "skipped": done.skipped,
            "changed": list(done.changed) if len(done.changed) <= _MOST_NAMED else [],
            "generation": keeper.generation,
            "beyond": keeper.beyond,
        }

    def finish(self) -> None:
        """Save unsaved data for the next start."""
        with suppress(NotReady):
            self._desk.keeper.save()

    @method(Access.READ)
    def skipped(self) -> list[SkippedWire]:
        """Give the files that were left out or read in part."""
        found = self._desk.keeper.view.skipped()
        return [{"path": path, "reason": found[path]} for path in sorted(found)]
