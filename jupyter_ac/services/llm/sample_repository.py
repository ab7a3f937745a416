"""The sample repository of the tour: recognised by its files, reset to how the tour found it."""

from collections.abc import Callable, Iterable, Sequence

from jupyter_ac.chat.recorded.example import FileState, RecordedExample, example, state_of
from jupyter_ac.errors import AcError
from jupyter_ac.git.files import read_text
from jupyter_ac.git.moving import remove
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.staging import unstage
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.settings.app import AppSettings
from jupyter_ac.store.shield import run_to_completion

_LARGE_CHARS = 100_000
"""No file of the sample is nearly as long."""


class SampleRepository:
    """A repository that may be the sample of the tour.

    Args:
        repository: the repository.
        writers: change it.
        settings: the user's; they may hide the recorded example.
    """

    def __init__(
        self, repository: Repository, writers: Writers, settings: Callable[[], AppSettings]
    ) -> None:
        self._repository = repository
        self._writers = writers
        self._settings = settings

    async def example(self) -> RecordedExample | None:
        """Return the example if it is offered here; None if not.

        It is where all files by which the sample is recognised have their content.
        """
        if not self._settings().example.offered:
            return None
        found = example()
        for expected in found.recognised_by:
            if await self._state(expected.path) != expected:
                return None
        return found

    async def changed(self) -> list[RepoPath]:
        """Return the files of the example that are no longer as the tour found them."""
        found, changed = example(), list[RepoPath]()
        for path, text in found.originals.items():
            if await self._state(path) != state_of(path, text):
                changed.append(RepoPath(path))
        for made in found.created:
            if await self._state(made.path) == made:
                changed.append(RepoPath(made.path))
        return changed

    async def reset(self) -> list[RepoPath]:
        """Write the files of the example as the tour found them; return those that were changed.

        Files that an answer has made are removed, unless they were changed since. Nothing is
        committed; what was staged of these files isn't staged any more.

        Raises:
            Conflict: a review is under way.
            AcError: a file can't be written.
        """
        refuse_while_open(self._repository, "resetting the example")
        paths, originals = await self.changed(), example().originals
        try:
            for path in paths:
                if path in originals:
                    await self._writers.files.write(path, originals[path])
                else:
                    await self._remove(path)
            if paths:
                await self._writers.changer.change(lambda git: _unstage(git, paths))
        finally:
            self._writers.tell(paths)
        return paths

    async def commit_message(self, paths: Iterable[str]) -> str:
        """Return the recorded message of a commit of these files as they are; "" for none."""
        found = await self.example()
        if found is None:
            return ""
        states = [await self._state(path) for path in paths]
        known = [state for state in states if state is not None]
        return found.commit_message(known) if len(known) == len(states) else ""

    async def _remove(self, path: RepoPath) -> None:
        locks = self._writers.locks
        async with locks.hold(path, *await locks.tags(path)):
            await run_to_completion(remove(self._repository, path))

    async def _state(self, path: str) -> FileState | None:
        try:
            text = await read_text(self._repository, path)
        except AcError:  # not there, or nothing that the sample has
            return None
        return state_of(path, text) if len(text) <= _LARGE_CHARS else None


async def _unstage(git: Git, paths: Sequence[RepoPath]) -> None:
    await unstage(git, paths)
