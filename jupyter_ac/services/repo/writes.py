"""RPC methods that write, rename and remove files and folders."""

from jupyter_ac.events import FilesModified
from jupyter_ac.git.moving import remove, remove_folder, rename_file, rename_folder
from jupyter_ac.git.replacing import WriteResult
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.shapes import Done, FileWritten
from jupyter_ac.services.repo.write_context import ChangeListeners, Writers
from jupyter_ac.store.shield import run_to_completion


class WriteMethods:
    """`Repo` methods that change one file; every page gets an event.

    Args:
        writer: writes under a lock, and atomically.
        audience: notified of written files.
    """

    def __init__(self, writer: FileWriter, audience: ChangeListeners) -> None:
        self._writer = writer
        self._subscribers = audience

    @method(Access.WRITE)
    async def write_file(
        self, path: str, content: str, expected_hash: str | None = None
    ) -> FileWritten:
        """Replace a file's text, or make the file; refused when it no longer has the hash given.

        Without `expected_hash` it replaces whatever is there.
        """
        return self._publish(await self._writer.write(path, content, expected_hash or ""))

    @method(Access.WRITE)
    async def create_file(self, path: str, content: str = "") -> FileWritten:
        """Make a file, and the folders above it; refused when something is there."""
        return self._publish(await self._writer.create(path, content))

    def _publish(self, written: WriteResult) -> FileWritten:
        if written.changed:
            self._subscribers.publish(FilesModified([written.path]))
        return {"status": "ok", "path": written.path, "hash": written.sha256}


class MoveMethods:
    """`Repo` methods that rename or remove a file or a folder; every page gets an event.

    Args:
        repository: what is changed.
        writers: how.
    """

    def __init__(self, repository: Repository, writers: Writers) -> None:
        self._repository = repository
        self._writers = writers
        self._locks = writers.locks

    @method(Access.WRITE)
    async def rename_file(self, old: str, new: str) -> Done:
        """Give a file another name, in the index as well when git tracks it."""
        tags = await self._locks.tags(old, new)
        async with self._locks.hold(old, *tags), self._writers.moving(old, new):
            paths = await self._writers.changer.change(lambda git: rename_file(git, old, new))
        return self._done(*paths)

    @method(Access.WRITE)
    async def rename_directory(self, old: str, new: str) -> Done:
        """Give a folder another name, all that is in it included."""
        async with self._writers.moving(old, new):
            paths = await self._writers.changer.change_files(
                lambda git: rename_folder(git, old, new)
            )
        return self._done(*paths)

    @method(Access.WRITE)
    async def delete_file(self, path: str) -> Done:
        """Remove a file from disk; the index keeps it until the removal is staged."""
        async with self._locks.hold(path, *await self._locks.tags(path)):
            removed = await run_to_completion(remove(self._repository, path))
        return self._done(removed)

    @method(Access.WRITE)
    async def delete_directory(self, path: str) -> Done:
        """Remove the files of a folder from disk; the index keeps them until that is staged.

        Files that git ignores, submodules and other repositories in it stay.
        """
        removed = await self._writers.changer.change_files(lambda git: remove_folder(git, path))
        return self._done(*removed) if removed else {"status": "ok"}

    def _done(self, *paths: RepoPath) -> Done:
        self._writers.tell(paths)
        return {"status": "ok"}
