"""RPC methods for sets of files that are saved under a name."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.history.file_sets import FileSetStore
from jupyter_ac.context_rows import FileSet
from jupyter_ac.errors import AlreadyExists, InvalidParams, NotFound
from jupyter_ac.git.paths import normalise
from jupyter_ac.ids import Identity, RepoPath
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.selection import require_paths

MAX_NAME: Final = 100


class FileSetMethods:
    """The sets of a person in a repository; other pages ask for them when they need them.

    Args:
        store: of the repository.
    """

    def __init__(self, store: FileSetStore) -> None:
        self._store = store

    @method(Access.READ)
    async def list_file_sets(self) -> list[FileSet]:
        """List the saved sets by name; the files may be gone since."""
        return await self._store.read(_identity())

    @method(Access.WRITE, refusal=Refusal, refused=(InvalidParams,))
    async def save_file_set(self, name: str, files: Sequence[str]) -> list[FileSet]:
        """Save files under a name, in place of the set that has it; answers all sets."""
        named = _name(name)
        require_paths(files)
        paths = list(dict.fromkeys(RepoPath(normalise(path)) for path in files))
        await self._store.keep(_identity(), named, paths)
        return await self._store.read(_identity())

    @method(Access.WRITE, refusal=Refusal, refused=(InvalidParams, NotFound, AlreadyExists))
    async def rename_file_set(self, name: str, new: str) -> list[FileSet]:
        """Give a set another name; answers all sets."""
        await self._store.rename(_identity(), name, _name(new))
        return await self._store.read(_identity())

    @method(Access.WRITE, refusal=Refusal, refused=(NotFound,))
    async def delete_file_set(self, name: str) -> list[FileSet]:
        """Forget a set, not its files; answers the other sets."""
        await self._store.delete(_identity(), name)
        return await self._store.read(_identity())


def _identity() -> Identity:
    return current_caller().conversation_key.identity


def _name(name: str) -> str:
    named = name.strip()
    if not named or len(named) > MAX_NAME or not named.isprintable():
        raise InvalidParams(f"name must be one line of 1 to {MAX_NAME} characters.")
    return named
