"""RPC methods that write files."""

from jupyter_ac.events import FilesModified
from jupyter_ac.git.replacing import WriteResult
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.shapes import FileWritten
from jupyter_ac.services.repo.write_context import ChangeListeners


class WriteMethods:
    """`Repo` methods that change one file; every page gets an event.

    Args:
        writer: writes under a lock, and atomically.
        audience: notified of written files.
    """

    def __init__(self, writer: FileWriter, audience: ChangeListeners) -> None:
        self._writer = writer
        self._audience = audience

    @method(Access.WRITE)
    async def write_file(
        self, path: str, content: str, expected_hash: str | None = None
    ) -> FileWritten:
        """Replace a file's text, or make the file; refused when it no longer has the hash given.

        Without `expected_hash` it replaces whatever is there.
        """
        return self._tell(await self._writer.write(path, content, expected_hash or ""))

    @method(Access.WRITE)
    async def create_file(self, path: str, content: str = "") -> FileWritten:
        """Make a file, and the folders above it; refused when something is there."""
        return self._tell(await self._writer.create(path, content))

    def _tell(self, written: WriteResult) -> FileWritten:
        if written.changed:
            self._audience.publish(FilesModified([written.path]))
        return {"status": "ok", "path": written.path, "hash": written.sha256}
