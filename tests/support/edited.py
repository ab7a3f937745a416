"""A repository whose files are edited by edit blocks, wired as in a host."""

import hashlib
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.undoing.undoing import Undone
from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.events import Event, FilesModified
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.locks import WAIT_S
from jupyter_ac.store.sqlite import Database
from tests.support.changing import writers_of
from tests.support.exclusions import none_excluded
from tests.support.histories import history_in
from tests.support.repositories import RepositoryFolder

_numbers = count()


def edit(path: str, old: str = "", new: str = "") -> EditBlock:
    """Return a block; lines end with LF, and "" is no line."""
    return EditBlock(next(_numbers), BlockKind.EDIT, path, _lines(old), _lines(new))


def delete(path: str) -> EditBlock:
    """Return a block that removes a file."""
    return EditBlock(next(_numbers), BlockKind.DELETE, path)


def rename(path: str, new_path: str) -> EditBlock:
    """Return a block that gives a file another name."""
    return EditBlock(next(_numbers), BlockKind.RENAME, path, new_path=new_path)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n")) if text else ()


@dataclass
class EventLog:
    """Records the events that pages would receive."""

    paths: list[Sequence[str]] = field(default_factory=list)

    def publish(self, event: Event) -> None:
        assert isinstance(event, FilesModified)
        self.paths.append(event.paths)


@dataclass
class Editing:
    """The parts that edit a repository."""

    applier: Applier
    heard: EventLog
    images: BeforeImages
    folder: RepositoryFolder

    async def apply(
        self,
        *blocks: EditBlock,
        batch: str = "turn",
        selection: Collection[str] | None = None,
        unsaved: Collection[str] = (),
        limit: int = 5 << 20,
    ) -> Applied:
        return await self.applier.apply(blocks, apply_options(selection, unsaved, limit), batch)

    async def one(
        self,
        block: EditBlock,
        *,
        batch: str = "turn",
        selection: Collection[str] | None = None,
        unsaved: Collection[str] = (),
    ) -> BlockOutcome:
        return (
            await self.apply(block, batch=batch, selection=selection, unsaved=unsaved)
        ).outcomes[0]

    async def undo(self, batch: str = "turn", *blocks: EditBlock) -> Undone:
        """Take back these blocks, or all."""
        numbers = [block.index for block in blocks] if blocks else None
        return await self.applier.undoing.undo(batch, numbers)

    def state(self) -> dict[str, object]:
        return state_of(self.folder)


def apply_options(
    selection: Collection[str] | None, unsaved: Collection[str] = (), limit: int = 5 << 20
) -> ApplyOptions:
    """Return the options of a batch."""
    chosen = None if selection is None else [RepoPath(path) for path in selection]
    return ApplyOptions(chosen, limit, [RepoPath(path) for path in unsaved])


@asynccontextmanager
async def editing(
    folder: RepositoryFolder, repository: Repository | None = None
) -> AsyncIterator[Editing]:
    """Yield the parts that edit a repository, with their own locks and connection."""
    made, database = editing_of(folder, repository)
    try:
        yield made
    finally:
        await database.aclose()


def editing_of(
    folder: RepositoryFolder, found: Repository | None = None, wait_s: float = WAIT_S
) -> tuple[Editing, Database]:
    """Return the parts that edit a repository, and the database for the caller to close."""
    repository = repository_of(folder) if found is None else found
    state = repository.common_dir / "jupyter_ac"
    state.mkdir(exist_ok=True)
    database = history_in(state)
    writers, heard = writers_of(repository, wait_s=wait_s), EventLog()
    images = BeforeImages(database, repository.worktree)
    applier = Applier(
        repository, writers.locks, writers.changer, heard.publish, images, none_excluded
    )
    return Editing(applier, heard, images, folder), database


def repository_of(folder: RepositoryFolder) -> Repository:
    """Return the repository without asking git."""
    common = folder.root / ".git"
    return Repository(folder.root, common, common, folder.root.name)


def state_of(folder: RepositoryFolder) -> dict[str, object]:
    """Return bytes, mode and index entry of every file: what edits must leave alone."""
    return files_of(folder) | {
        "index": folder.git("ls-files", "-s", "-v", "--full-name"),
        "promised": folder.git("diff-files", "--diff-filter=A", "--name-only"),
    }


def files_of(folder: RepositoryFolder) -> dict[str, object]:
    """Return bytes and mode of every file, git's own left out."""
    found: dict[str, object] = {}
    for place in sorted(folder.root.rglob("*")):
        name = place.relative_to(folder.root).as_posix()
        if name == ".git" or name.startswith(".git/"):
            continue
        if place.is_symlink():
            found[name] = ("link", place.readlink().as_posix())
        elif place.is_file():
            data = place.read_bytes()
            found[name] = (oct(place.stat().st_mode), hashlib.sha256(data).hexdigest(), data[:80])
    return found
