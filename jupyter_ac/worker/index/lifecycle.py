"""Opens the index, updates it, and reports its status."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypedDict

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.progress import RefreshProgress, RefreshResult
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


class SkippedWire(TypedDict):
    """A file that was left out or read in part."""

    path: RepoPath
    reason: str


class Basic:
    """Opens and refreshes.

    Args:
        context: the context that all parts share.
    """

    def __init__(self, context: IndexContext) -> None:
        self._context = context

    @method(Access.EXECUTE)
    async def open(self, root: str, cache_dir: str) -> None:
        """Open the index of a working tree."""
        await self._context.open(Path(root), Path(cache_dir))

    @method(Access.EXECUTE)
    async def refresh(
        self, channel: int, paths: Sequence[str] | None, with_jupyter_files: bool | None = None
    ) -> RefreshResult:
        """Bring the index up to date; how far it is goes out as events `{done, total}`.

        Args:
            channel: of the job.
            paths: files and folders that have changed; None looks at all.
            with_jupyter_files: whether untracked files that Jupyter writes beside documents are
                in it; None: as before.
        """
        emit = emitter(channel)
        indexer = self._context.indexer

        def report(progress: RefreshProgress) -> None:
            emit({"done": progress.done, "total": progress.total})

        changed = None if paths is None else [RepoPath(path) for path in paths]
        with _collecting_nothing():
            refreshing = indexer.refresh(changed, report, with_jupyter_files=with_jupyter_files)
            done: RefreshResult = await self._context.jobs.run(channel, refreshing)
        return done if len(done.changed) <= _MOST_NAMED else replace(done, changed=())

    def finish(self) -> None:
        """Save unsaved data for the next start."""
        with suppress(NotReady):
            self._context.indexer.save()

    @method(Access.READ)
    def skipped(self) -> list[SkippedWire]:
        """Give the files that were left out or read in part."""
        found = self._context.indexer.view.skipped()
        return [{"path": path, "reason": found[path]} for path in sorted(found)]
