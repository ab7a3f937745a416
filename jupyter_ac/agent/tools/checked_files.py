"""Reads files that a model names: inside the repository, with the reason why one asks first."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.chat.auto_selection import AutoSelectionRule, Grounds
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import FileProblem, FileText, RepositoryFiles
from jupyter_ac.chat.open_notebooks import NONE_OPEN, OpenNotebook
from jupyter_ac.chat.prompt.blocks import shown_path
from jupyter_ac.errors import AcError, BinaryFile, NotFound, RefusedPath, Unsupported
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.paths import Located
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE
from jupyter_ac.notebook.editing import is_notebook

OpenNotebookReader: TypeAlias = Callable[
    [ConversationKey, Collection[RepoPath], Collection[str]],
    Awaitable[Mapping[RepoPath, OpenNotebook]],
]
"""Asks for those of some files that are open in a page of the person, with the outputs of the
cells that have one of these ids."""

_NOT_SENT: Final = "Not sent: "


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that is there and can be read.

    Attributes:
        path: in its one spelling.
        real: where it leads, links resolved.
        reason: why the user is asked before it is sent, a sentence; "" when it may be read.
    """

    path: RepoPath
    real: RepoPath
    reason: str


class CheckedFiles:
    """Reads files as they go into prompts.

    Args:
        repository: whose files.
        files: reads them.
        open_notebooks: asks for notebooks that are open in pages.
    """

    def __init__(
        self,
        repository: Repository,
        files: RepositoryFiles,
        open_notebooks: OpenNotebookReader,
    ) -> None:
        self._repository = repository
        self._files = files
        self._open_notebooks = open_notebooks
        self._rule = AutoSelectionRule(repository, files.excluded)

    @property
    def excluded(self) -> ReadExcluded:
        """Returns the files of which nothing is sent."""
        return self._files.excluded

    async def look(
        self, conversation: Conversation, path: str, known: CheckedFile | None = None
    ) -> tuple[CheckedFile, FileText]:
        """Find a file, read it, and say whether the user has to be asked before it is sent.

        Args:
            conversation: whose model gets it.
            path: as the model wrote it.
            known: what was found a moment ago; git isn't asked again if it is the same file.

        Raises:
            RefusedPath: the path leads out of the repository or into git's directory, or the user
                has excluded the file.
            NotFound: there is no such file.
            Unsupported: it can't be read as text.
        """
        located = await find(self._repository, path)
        real = RepoPath(os.fspath(located.real.relative_to(self._repository.root)))
        (await self._files.excluded()).require_sent(located.path, real)
        if known is not None and (known.path, known.real) == (located.path, real):
            reason = known.reason
        else:
            reason = await self._reason(located, path)
        file = await self.read(conversation, located.path)
        if not reason and file.warnings:
            reason = " ".join(file.warnings)
        return CheckedFile(located.path, real, reason), file

    async def read(self, conversation: Conversation, path: RepoPath) -> FileText:
        """Read a file; a notebook as the conversation shows it, where it is open in a page.

        Raises:
            RefusedPath: the user has excluded it.
            Unsupported: it can't be read as text.
        """
        opened = NONE_OPEN
        views = conversation.notebook_views
        if is_notebook(path):
            opened = await self.opened(conversation, path, views.get(path, WHOLE).outputs)
        reading = await self._files.read([path], opened, views)
        if not reading.files:
            problem = next(iter(reading.problems), None)
            said = f"{shown_path(path)} has no text." if problem is None else problem.message
            raise _error_of(problem)(said.removeprefix(_NOT_SENT))
        return reading.files[0]

    async def opened(
        self, conversation: Conversation, path: RepoPath, outputs: Collection[str]
    ) -> Mapping[RepoPath, OpenNotebook]:
        """Return a notebook as it is open in a page that answers; nothing when it isn't.

        Args:
            conversation: of the person.
            path: of the notebook.
            outputs: ids of cells that are wanted with their outputs.
        """
        found = await self._open_notebooks(conversation.conversation_key, [path], outputs)
        return {name: one for name, one in found.items() if not one.is_silent}

    async def _reason(self, located: Located, path: str) -> str:
        """Return why a file is asked for by its names.

        Raises:
            NotFound: there is none.
        """
        verdict = (await self._rule.judge([path], Grounds.CREATED))[path]
        shown = shown_path(path)
        if not verdict.is_file:
            if await asyncio.to_thread(is_folder, located.real):
                raise NotFound(f"{shown} is a folder; list_files lists its files.")
            raise NotFound(f"There is no file {shown}; list_files and search find files.")
        reason = verdict.reason
        return f"{reason[:1].upper()}{reason[1:]}." if reason else ""


def _error_of(problem: FileProblem | None) -> type[AcError]:
    if problem is None:
        return Unsupported
    if problem.is_excluded:
        return RefusedPath
    return BinaryFile if problem.is_binary else Unsupported


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; False for one that can't be looked at."""
    try:
        return path.is_dir()
    except OSError:  # a name that is too long for the file system, a folder that is closed
        return False
