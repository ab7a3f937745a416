"""Shows the cells of notebooks with their sizes; the user leaves some out, or adds outputs."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.notebook_views import MAX_VIEWS, NotebookViewStore
from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.counts import BlockCounts, scale_for
from jupyter_ac.errors import AcError, InvalidParams, NotFound, TooLarge
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.notebook.cell_selection import (
    WHOLE,
    NotebookView,
    cell_names,
    excluding,
    find_excluded,
)
from jupyter_ac.notebook.cells import Cell
from jupyter_ac.notebook.editing import is_notebook
from jupyter_ac.notebook.output_text import output_images
from jupyter_ac.notebook.percent import MAX_CELLS, bounded_notebook, cell_texts
from jupyter_ac.notebook_rows import NotebookCellRow, NotebookCells

log = logging.getLogger(__name__)

_TITLE_CHARS: Final = 80


class NotebookViews:
    """What the conversations of one workspace show of notebooks.

    Args:
        store: keeps it.
        files: of the repository.
        counts: counts the tokens of cells.
        choice: returns the model for which they are counted.
    """

    def __init__(
        self,
        store: NotebookViewStore,
        files: RepositoryFiles,
        counts: BlockCounts,
        choice: Callable[[], ModelChoice | None],
    ) -> None:
        self._store = store
        self._files = files
        self._counts = counts
        self._choice = choice

    async def notebook(self, path: str) -> RepoPath:
        """Return the path of a notebook in its one spelling.

        Raises:
            NotFound: there is no such file.
            InvalidParams: it is no notebook.
        """
        known = await self._files.known([path])
        if not known:
            raise NotFound(f"There is no file {path[:200]!r} in the repository.")
        if not is_notebook(known[0]):
            raise InvalidParams(f"{path[:200]!r} is no notebook: its name must end with .ipynb.")
        return known[0]

    async def cells(
        self,
        conversation: Conversation,
        path: RepoPath,
        notebooks: Mapping[RepoPath, OpenNotebook],
    ) -> NotebookCells:
        """List the cells of a notebook, with what each adds to a request.

        Args:
            conversation: that shows it.
            path: of the file.
            notebooks: those that are open in a page.

        Raises:
            AcError: it can't be read, or is no notebook.
        """
        view = conversation.notebook_views.get(path, WHOLE)
        file = await self._file(path, notebooks)
        rows, missing = await asyncio.to_thread(_cells, file, view)
        blocks = [Block(Category.FILE, text) for _, text in rows]
        tokens = await scale_for(self._counts, self._choice()).each(blocks)
        counted: list[NotebookCellRow] = [
            {**row, "tokens": count + (IMAGE_TOKENS * row["images"] if row["images_sent"] else 0)}
            for (row, _), count in zip(rows, tokens, strict=True)
        ]
        return {"cells": counted, "missing": missing}

    async def exclude(
        self,
        conversation: Conversation,
        path: RepoPath,
        ids: Sequence[object],
        notebooks: Mapping[RepoPath, OpenNotebook],
    ) -> list[str]:
        """Leave out exactly these cells from the next question on; returns those that there are.

        Args:
            conversation: that shows the notebook; one aside isn't kept.
            path: of the file.
            ids: names of cells.
            notebooks: those that are open in a page.

        Raises:
            AcError: it can't be read, or is no notebook; too many cells, or notebooks.
        """
        names = _names(ids)
        file = await self._file(path, notebooks)
        found = await asyncio.to_thread(lambda: excluding(bounded_notebook(file), names))
        view = conversation.notebook_views.get(path, WHOLE)
        await self._keep(conversation, path, replace(view, excluded=found))
        return sorted(found)

    async def show_outputs(
        self,
        conversation: Conversation,
        path: RepoPath,
        ids: Sequence[object],
        images: Sequence[object] | None = None,
    ) -> list[str]:
        """Send the outputs of exactly these cells from the next question on; returns their names.

        Args:
            conversation: that shows the notebook; one aside isn't kept.
            path: of the file.
            ids: names of cells.
            images: names of those whose images are sent, too; None for those that had them sent.

        Raises:
            AcError: too many cells, or notebooks.
        """
        view = conversation.notebook_views.get(path, WHOLE)
        outputs = _names(ids)
        with_images = view.images if images is None else _names(images)
        view = replace(view, outputs=outputs, images=with_images & outputs)
        await self._keep(conversation, path, view)
        return sorted(view.outputs)

    async def _file(self, path: RepoPath, notebooks: Mapping[RepoPath, OpenNotebook]) -> str:
        opened = notebooks.get(path)
        if opened is None or opened.is_silent:
            return await self._files.notebook_text(path)
        return opened.file

    async def _keep(self, conversation: Conversation, path: RepoPath, view: NotebookView) -> None:
        views = {**conversation.notebook_views, path: view}
        if view == WHOLE:
            del views[path]
        if len(views) > MAX_VIEWS:
            raise TooLarge(f"Of at most {MAX_VIEWS:,} notebooks cells can be left out.")
        conversation.notebook_views = views
        if not conversation.conversation_key.aside:
            try:
                await self._store.keep(conversation.kept_as, path, view)
            except AcError as error:
                log.warning("what is shown of a notebook is not kept: %s", error)


def _cells(file: str, view: NotebookView) -> tuple[list[tuple[NotebookCellRow, str]], int]:
    """Return a row of each cell with the text that is counted, and how many aren't found."""
    notebook = bounded_notebook(file)
    excluded, missing = find_excluded(notebook, view)
    texts = cell_texts(notebook, NotebookView(outputs=view.outputs, images=view.images))
    cells = zip(notebook.cells, cell_names(notebook), texts, strict=True)
    rows: list[tuple[NotebookCellRow, str]] = [
        (
            {
                "id": name,
                "cell_type": cell.kind,
                "title": _title(cell),
                "tokens": 0,
                "excluded": place in excluded,
                "outputs": name in view.outputs,
                "images": len(output_images(cell.outputs)),
                "images_sent": name in view.images,
            },
            text,
        )
        for place, (cell, name, text) in enumerate(cells)
    ]
    return rows, missing


def _title(cell: Cell) -> str:
    lines = (line.strip() for line in cell.source.splitlines())
    return next(filter(None, lines), "")[:_TITLE_CHARS]


def _names(ids: Collection[object]) -> frozenset[str]:
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise InvalidParams("ids must be a list of names of cells.")
    if len(ids) > MAX_CELLS:
        raise TooLarge(f"At most {MAX_CELLS:,} cells can be named.")
    return frozenset(map(str, ids))
