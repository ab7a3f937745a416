"""Files, read."""

from jupyter_ac.git.files import exists, file_hash, is_binary, read_text
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, method


class FilesPart:
    """`Repo` methods that look at one file."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @method(Access.READ)
    async def get_file_content(self, path: str, version: str | None = None) -> str:
        """Return a file's text, of the working tree or of a branch, tag or commit."""
        return await read_text(self._repository, path, version)

    @method(Access.READ)
    async def get_file_hash(self, path: str) -> str | None:
        """Return the SHA-256 of a file's bytes, as `write_file` takes it; null when it is missing.

        Ask for it before the content: a change in between is then refused at the write.
        """
        return await file_hash(self._repository, path)

    @method(Access.READ)
    async def file_exists(self, path: str) -> bool:
        """Tell whether a path is a regular file."""
        return await exists(self._repository, path)

    @method(Access.READ)
    async def is_binary_file(self, path: str) -> bool:
        """Tell whether a file is binary; false for a missing one."""
        return await is_binary(self._repository, path)
