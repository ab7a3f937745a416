"""Applies the edits of notebooks to the text of their cells, in place of the file's JSON.

Notebooks that are open in a page are changed there, in place of their files.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.matching.replacing import Replaced
from jupyter_ac.chat.edit_blocks.stored_edits import DocumentStep
from jupyter_ac.chat.edits.applying.steps import DiskStep, StepResults
from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.errors import Conflict, Unsupported
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE, NotebookView
from jupyter_ac.notebook.cells import read_notebook
from jupyter_ac.notebook.dialects import dialect_of
from jupyter_ac.notebook.editing import edited_notebook, is_notebook, new_notebook
from jupyter_ac.notebook.open_notebook import cell_operations
from jupyter_ac.notebook.percent import left_out, percent_text


class NotebookEdits:
    """The texts of notebooks while blocks are planned; other files are their own texts.

    The text of a notebook stays as the blocks before have left it, with the names of the cells that
    the model has seen, until the plan is complete. Cells that are left out are no part of it.

    Args:
        views: what is shown of notebooks, by any name of the file.
    """

    def __init__(self, views: Mapping[RepoPath, NotebookView]) -> None:
        self._views = dict(views)
        self._texts: dict[RepoPath, tuple[bytes, bytes]] = {}

    def name(self, path: RepoPath, other: RepoPath) -> None:
        """Note another name of a file, by which the user may have named it."""
        if other in self._views:
            self._views.setdefault(path, self._views[other])

    def text_of(self, path: RepoPath, data: bytes) -> bytes:
        """Return the text that blocks quote.

        Args:
            path: of the file.
            data: its content; the result of `in_file` after an edit.

        Raises:
            Unsupported: it isn't a notebook.
        """
        if not is_notebook(path):
            return data
        known, text = self._texts.get(path, (b"", b""))
        return text if known and known == data else _text(data, self._views.get(path, WHOLE))

    def border_problem(self, path: RepoPath, data: bytes, block: EditBlock) -> str:
        """Return why a block reaches over the border of a cell without changing it; "" if not.

        Args:
            path: of the file.
            data: its content.
            block: with lines of the text.
        """
        if not is_notebook(path) or not block.old or not data.strip():
            return ""
        form = dialect_of(read_notebook(data).language)
        if list(filter(form.is_marker, block.old)) != list(filter(form.is_marker, block.new)):
            return ""
        inner = [at for at, line in enumerate(block.old) if at and form.is_marker(line)]
        if not any(_is_between(block.old, at) for at in inner):
            return ""
        return (
            f"The block reaches over the border of a cell of {block.path!r} without changing "
            "cells; write one block for each cell."
        )

    def in_file(self, path: RepoPath, data: bytes, done: Replaced) -> Replaced:
        """Return an edit of the text as one of the file's content; lines stay those of the text.

        Args:
            path: of the file.
            data: its content.
            done: the edit of its text.

        Raises:
            Unsupported: the notebook may not be edited, or would be invalid.
        """
        if not is_notebook(path):
            return done
        if data.strip():
            before = self.text_of(path, data).decode()
            after = done.data.decode()
            _require_left_out(data.decode(), before, after)
            file = edited_notebook(data.decode(), before, after).encode()
        else:
            file = new_notebook(done.data.decode()).encode()
        self._texts[path] = file, done.data
        start = _common(data, file)
        tail = _common(data[start:][::-1], file[start:][::-1])
        return replace(done, data=file, start=start, end=len(data) - tail)

    def created(self, path: RepoPath, text: bytes) -> bytes:
        """Return the content of a new file with this text.

        Raises:
            Unsupported: it doesn't give a valid notebook.
        """
        if not is_notebook(path):
            return text
        file = new_notebook(text.decode()).encode()
        self._texts[path] = file, text
        return file


def _text(data: bytes, view: NotebookView) -> bytes:
    try:
        return percent_text(data.decode(), NotebookView(view.excluded)).encode()
    except UnicodeEncodeError as error:
        raise Unsupported(
            "The notebook holds half a character (a lone surrogate), so it isn't edited here."
        ) from error


def _require_left_out(file: str, before: str, after: str) -> None:
    """Refuse an edit that changes or removes a cell that is left out."""
    language = read_notebook(file).language
    if left_out(before, language) != left_out(after, language):
        raise Unsupported("The block changes a cell that the user has left out; leave it as it is.")


def _is_between(lines: Sequence[str], at: int) -> bool:
    """Tell whether there is text on both sides of a line."""
    return any(map(str.strip, lines[:at])) and any(map(str.strip, lines[at + 1 :]))


def _common(one: bytes, other: bytes) -> int:
    """Return how many bytes two texts have in common at their beginning."""
    shorter = min(len(one), len(other))
    return bisect_left(range(1, shorter + 1), 1, key=lambda count: one[:count] != other[:count])


async def edit_documents(
    notebooks: Mapping[RepoPath, OpenNotebook], steps: Sequence[DiskStep], results: StepResults
) -> None:
    """Make the steps that are about open notebooks, each in one transaction of its document.

    Args:
        notebooks: the documents.
        steps: what is to be written.
        results: take what became of the steps.
    """
    for step in steps:
        error = await _edit_document(notebooks[step.key], step, results)
        if error is None:
            results.in_documents.append(step)
        else:
            results.failures.update(dict.fromkeys(step.positions, error))


async def _edit_document(
    notebook: OpenNotebook, step: DiskStep, results: StepResults
) -> Conflict | Unsupported | None:
    before, after = step.over.data.decode(), step.data.decode()
    operations, inverse = await asyncio.to_thread(
        lambda: (cell_operations(before, after), cell_operations(after, before))
    )
    edited = await notebook.edit(operations)
    blocks = tuple(part.block for part in step.parts)
    done = DocumentStep(step.key, blocks, tuple(operations), tuple(inverse))
    if edited["status"] == "applied":
        results.documents.append(done)
        return None
    if edited["status"] == "lost":
        results.doubtful[step.key] = done
    reason = edited.get("reason", "The open notebook could not be edited.")
    if edited["status"] == "refused":
        return Unsupported(reason)
    results.changed.update(step.keys)
    return Conflict(reason)
