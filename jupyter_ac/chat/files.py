"""Reads the repository's working files for prompts, cached until they change.

A cached file is invalidated when its identity, size or a time of change differ, so reading many
cached files costs one `stat` each. All disk work runs in a thread.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.last_value_name import last_value_name
from jupyter_ac.chat.open_notebooks import NONE_OPEN, OpenNotebook
from jupyter_ac.chat.prompt.blocks import Block, file_block, shown_path, wellformed
from jupyter_ac.chat.secret_masking import SecretMasker
from jupyter_ac.errors import AcError, BinaryFile, TooLarge, Unsupported
from jupyter_ac.git.excluded_paths import (
    NONE_EXCLUDED,
    REASON,
    ExcludedPaths,
    ReadExcluded,
)
from jupyter_ac.git.files import BINARY_PROBE_BYTES, MAX_FILE_BYTES
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.git.paths import Located, locate, open_beneath
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE, NotebookView
from jupyter_ac.notebook.editing import is_notebook
from jupyter_ac.notebook.percent import (
    ShownImage,
    bounded_notebook,
    model_text,
    shown_images,
)

CACHE_BYTES: Final = 64 * 1024 * 1024

ALL_WHOLE: Final[Mapping[RepoPath, NotebookView]] = {}
"""Of every notebook all cells are shown, without outputs."""

_TICK_NS: Final = 100_000_000
"""A file that changed so shortly before it was read may change again without a new time."""

_Signature = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class FileText:
    """A selected file that can be sent.

    Attributes:
        path: relative to the repository.
        block: the whole file as it would go out.
        warnings: sentences about secrets that it seems to hold.
        images: of a notebook's outputs, as far as the user wants them sent.
    """

    path: RepoPath
    block: Block
    warnings: tuple[str, ...] = ()
    images: tuple[ShownImage, ...] = ()


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A selected file that can't be sent.

    Attributes:
        path: relative to the repository.
        is_binary: whether it is there but no text.
        message: one sentence for the user.
        is_excluded: whether the user has excluded it.
    """

    path: RepoPath
    is_binary: bool
    message: str
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The selected files as they are now, in the order asked for.

    Attributes:
        files: those that can be sent.
        problems: with the others.
        excluded: the files of which nothing was to be sent.
    """

    files: tuple[FileText, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    excluded: ExcludedPaths = NONE_EXCLUDED


@dataclass(frozen=True, slots=True)
class _Kept:
    located: Located
    signature: _Signature | None
    view: NotebookView
    file: FileText

    def is_current(self) -> bool:
        if self.signature is None:
            return False
        try:
            return _signature(self.located.absolute.stat()) == self.signature
        except OSError:
            return False


WithoutText = Callable[[], Awaitable[Collection[RepoPath]]]


async def _all_have_text() -> Collection[RepoPath]:
    return ()


class RepositoryFiles:
    """Reads selected files of one working tree.

    Args:
        repository: of the working tree.
        excluded: returns what isn't sent.
        without_text: returns what may be selected though it has no text: what the branch under
            review deletes, links, and submodules.
        cache_bytes: size of the cache; the least recently read files are evicted first.
    """

    def __init__(
        self,
        repository: Repository,
        excluded: ReadExcluded,
        without_text: WithoutText = _all_have_text,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self._excluded = excluded
        self._repository = repository
        self._without_text = without_text
        self._cache_bytes = cache_bytes
        self._kept: dict[RepoPath, _Kept] = {}
        self._reading = asyncio.Lock()
        self._masker = SecretMasker(os.environ)

    async def excluded(self) -> ExcludedPaths:
        """Return the files of which nothing is sent.

        Raises:
            AcError: that can't be known.
        """
        return await self._excluded()

    async def links_to(
        self, paths: Iterable[RepoPath], excluded: ExcludedPaths
    ) -> tuple[RepoPath, ...]:
        """Return the paths that lead to excluded files by a link, but aren't named as excluded."""
        if not excluded.paths:
            return ()
        asked = excluded.sent(paths)
        return tuple(await asyncio.to_thread(self._links_to, asked, excluded))

    async def read(
        self,
        paths: Sequence[RepoPath],
        notebooks: Mapping[RepoPath, OpenNotebook] = NONE_OPEN,
        views: Mapping[RepoPath, NotebookView] = ALL_WHOLE,
    ) -> Reading:
        """Read files for a prompt; what can't be sent is reported, not raised.

        Args:
            paths: of the files.
            notebooks: those that are open in a page, which are read there.
            views: what is shown of notebooks; all cells, without outputs, of others.

        Raises:
            AcError: which files are excluded can't be known.
        """
        excluded = await self.excluded()
        async with self._reading:
            found = await asyncio.to_thread(self._read_all, paths, excluded, notebooks, views)
        problems = [item for item in found if isinstance(item, FileProblem)]
        if problems:
            without_text = await self._without_text()
            problems = [item for item in problems if item.path not in without_text]
        files = tuple(item for item in found if isinstance(item, FileText))
        return Reading(files, tuple(problems), excluded)

    async def known(self, paths: Sequence[object]) -> list[RepoPath]:
        """Keep the paths of files that exist and can be selected: in order, each once.

        Excluded files can't.
        """
        without_text, excluded = await self._without_text(), await self.excluded()
        return await asyncio.to_thread(self._known, paths, without_text, excluded)

    def _known(
        self,
        paths: Sequence[object],
        without_text: Collection[RepoPath],
        excluded: ExcludedPaths,
    ) -> list[RepoPath]:
        kept: dict[RepoPath, None] = {}
        for path in paths:
            if not isinstance(path, str):
                continue
            try:
                located = locate(self._repository, path)
            except AcError:  # a link that leads out has a difference, too
                if path in without_text and not excluded.covers(path):
                    kept[RepoPath(path)] = None
                continue
            if excluded.covers(located.path, self._inside(located)):
                continue
            if located.real.is_file() or located.path in without_text:
                kept[located.path] = None
        return list(kept)

    def _read_all(
        self,
        paths: Sequence[RepoPath],
        excluded: ExcludedPaths,
        notebooks: Mapping[RepoPath, OpenNotebook],
        views: Mapping[RepoPath, NotebookView],
    ) -> list[FileText | FileProblem]:
        found = [
            self._excluded_problem(path, excluded)
            or (
                self._read_open(path, notebooks[path], views.get(path, WHOLE))
                if path in notebooks
                else self._read_one(path, views.get(path, WHOLE))
            )
            for path in paths
        ]
        self._forget_oldest()
        return found

    def _excluded_problem(self, path: RepoPath, excluded: ExcludedPaths) -> FileProblem | None:
        """Return that a file is excluded, by its name or by where its links lead."""
        if not excluded.paths:
            return None
        names = [path]
        with suppress(AcError):  # what is wrong with the path is said by who reads it
            names.append(self._inside(locate(self._repository, path)))
        if not excluded.covers(*names):
            return None
        message = f"Not sent: {wellformed(shown_path(path))}: {REASON}."
        return FileProblem(path, is_binary=False, message=message, is_excluded=True)

    def _links_to(self, paths: Sequence[RepoPath], excluded: ExcludedPaths) -> list[RepoPath]:
        return [path for path in paths if self._excluded_problem(path, excluded) is not None]

    def _inside(self, located: Located) -> RepoPath:
        """Return where a path leads, relative to the repository."""
        return RepoPath(os.fspath(located.real.relative_to(self._repository.root)))

    def _read_one(self, path: RepoPath, view: NotebookView) -> FileText | FileProblem:
        kept = self._kept.get(path)
        if kept is not None and kept.view == view and kept.is_current():
            return kept.file
        self._kept.pop(path, None)
        try:
            kept = self._load(path, view)
        except AcError as error:
            is_binary = isinstance(error, BinaryFile)
            return FileProblem(path, is_binary, f"Not sent: {error}")
        self._kept[path] = kept
        return kept.file

    async def notebook_text(self, path: RepoPath) -> str:
        """Return the JSON of a notebook's file.

        Raises:
            AcError: it is excluded, can't be read, or is too large.
        """
        located = locate(self._repository, path)
        (await self.excluded()).require_sent(path, self._inside(located))
        return (await asyncio.to_thread(self._text_of, located, path))[0]

    def _load(self, path: RepoPath, view: NotebookView) -> _Kept:
        located = locate(self._repository, path)
        text, found = self._text_of(located, path)
        images: tuple[ShownImage, ...] = ()
        if is_notebook(located.real.name):
            text, images = self._cells_text(path, text, view)
        target = self._inside(located)
        warnings = (*secret_warnings(path, ""), *secret_warnings(target, text))
        file_text = FileText(path, file_block(path, text), tuple(dict.fromkeys(warnings)), images)
        is_settled = time.time_ns() - found.st_mtime_ns > _TICK_NS
        return _Kept(located, _signature(found) if is_settled else None, view, file_text)

    def _text_of(self, located: Located, path: RepoPath) -> tuple[str, os.stat_result]:
        with os.fdopen(open_beneath(self._repository, located), "rb") as file:
            found = os.fstat(file.fileno())
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise TooLarge(f"{shown_path(path)} is longer than {MAX_FILE_BYTES >> 20} MiB.")
        if b"\0" in data[:BINARY_PROBE_BYTES]:
            raise BinaryFile(f"{shown_path(path)} is a binary file.")
        return data.decode("utf-8", "replace"), found

    def _read_open(
        self, path: RepoPath, notebook: OpenNotebook, view: NotebookView
    ) -> FileText | FileProblem:
        try:
            text, images = self._cells_text(path, notebook.file, view)
        except AcError as error:
            return FileProblem(path, is_binary=False, message=f"Not sent: {error}")
        return FileText(path, file_block(path, text), tuple(secret_warnings(path, text)), images)

    def _cells_text(
        self, path: RepoPath, text: str, view: NotebookView
    ) -> tuple[str, tuple[ShownImage, ...]]:
        if not text.strip():
            return "", ()
        try:
            notebook = bounded_notebook(text)
            images = tuple(shown_images(notebook, view))
            return model_text(notebook, view, self._masked), images
        except Unsupported as error:
            raise Unsupported(f"{shown_path(path)}: {error}") from error

    def _masked(self, output: str, source: str) -> str:
        """Mask the secrets of an output; their numbers are others than those of a question's."""
        masked = self._masker.mask(output, last_value_name(source))
        return masked.text.replace("[secret ", "[output secret ")

    def _forget_oldest(self) -> None:
        size = sum(_size(kept.file) for kept in self._kept.values())
        while size > self._cache_bytes:
            size -= _size(self._kept.pop(next(iter(self._kept))).file)


def _size(file: FileText) -> int:
    return file.block.size_bytes + sum(len(one.image.data) for one in file.images)


def _signature(found: os.stat_result) -> _Signature:
    # The second time changes also where the first is set back to what it was.
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size
