"""Edits that were made in open notebooks: taking them back there, and staging what was saved."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.stored_edits import DocumentStep, blocks_of
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.applying.batch import UNSAVED
from jupyter_ac.chat.edits.row_choice import stands
from jupyter_ac.chat.open_notebooks import OpenNotebook, OpenNotebooks
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.edit_rows import BlockStatus, EditResult
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cells import Notebook, read_notebook
from jupyter_ac.notebook_rows import CellOperation

TAKEN_BACK: Final = "Taken back in the open notebook, which isn't saved yet."

_SAVED_UNDONE: Final = "It was undone in the notebook before that was saved."
_REMOVING: Final = frozenset({"delete", "replace"})


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """Edits of one turn that were made in open notebooks.

    A step is taken back by the inverse of its operations. One that only changed texts of cells can
    also be taken back in part, or after other lines of its cells were changed: by its blocks with
    old and new lines swapped.

    Attributes:
        applier: edits the documents.
        notebooks: returns the open ones.
        turn: of which the edits are.
        rows: their results.
    """

    applier: Applier
    notebooks: OpenNotebooks
    turn: TurnRecord
    rows: Sequence[EditResult]

    async def undo_problem(self) -> str:
        """Return why the edits can't be taken back; "" if they can."""
        opened = await self._opened()
        swapped: list[EditBlock] = []
        for step in self._steps():
            problem = self._problem(step, opened.get(RepoPath(step.path)))
            if problem:
                return problem
            if not self._is_inverted(step, opened[RepoPath(step.path)]):
                swapped += self._swapped(step)
        looked = await self.applier.look(swapped, self._options()) if swapped else ()
        return next(filter(None, map(_swap_problem, looked)), "")

    async def undo(self) -> list[EditResult]:
        """Take the edits back; returns the rows of those for which that was done."""
        opened = await self._opened()
        back: set[int] = set()
        for step in reversed(self._steps()):
            notebook = opened.get(RepoPath(step.path))
            if notebook is not None and self._is_inverted(step, notebook):
                edited = await notebook.edit(step.inverse)
                back |= set(step.blocks) if edited["status"] == "applied" else set()
                continue
            blocks = self._swapped(step)
            applied = await self.applier.apply(blocks, self._options(), self.turn.turn_id)
            outcomes = applied.outcomes
            back |= {one.block.index for one in outcomes if one.status is BlockStatus.APPLIED}
        return [_undone(row, TAKEN_BACK) for row in self.rows if row["index"] in back]

    async def saved(self, path: RepoPath) -> list[EditResult]:
        """Stage a notebook that was saved; returns the rows that changed by it.

        A step that is undone in the file counts as taken back; when no other is left, nothing is
        staged.

        Args:
            path: of the file.
        """
        steps = [step for step in self._steps() if step.path == path]
        notebook = await self.applier.notebook_on_disk(path) if steps else None
        if notebook is None:
            return []
        undone = {n for step in steps if _is_taken_back(step, notebook) for n in step.blocks}
        here = {number for step in steps for number in step.blocks}
        rows = [row for row in self.rows if row["index"] in here]
        changed = [_undone(row, _SAVED_UNDONE) for row in rows if row["index"] in undone]
        kept = [row for row in rows if row["index"] not in undone]
        if not kept:
            return changed
        note = await self.applier.stage(path) or "Saved and staged."
        return changed + [_saved(row, note) for row in kept]

    def _steps(self) -> list[DocumentStep]:
        """Return the steps that carried out one of the rows."""
        wanted = {row["index"] for row in self.rows}
        return [step for step in self.turn.edits.documents if not wanted.isdisjoint(step.blocks)]

    async def _opened(self) -> Mapping[RepoPath, OpenNotebook]:
        return await self.notebooks({RepoPath(step.path) for step in self._steps()})

    def _problem(self, step: DocumentStep, notebook: OpenNotebook | None) -> str:
        if notebook is None:
            return f"{step.path!r} is not open in a page any more; open it there, then undo."
        if any(one["op"] in _REMOVING for one in step.operations):
            return (
                f"The edit has removed cells of {step.path!r}; undo it in the notebook itself, "
                "which brings back their outputs."
            )
        if self._is_inverted(step, notebook):
            return ""
        if any(one["op"] != "source" for one in step.operations):
            together = "" if self._is_whole(step) else " Its edits can only be undone together."
            return (
                f"The cells of {step.path!r} have changed since; undo the edit in the notebook "
                f"itself.{together}"
            )
        if len(self._swapped(step)) < len(self._rows_of(step)):
            return "An edit that only removes lines is undone in the notebook itself."
        return ""

    def _is_inverted(self, step: DocumentStep, notebook: OpenNotebook) -> bool:
        """Tell whether a step is taken back by its inverse: as a whole, and as it was left."""
        return self._is_whole(step) and _fits(step.inverse, read_notebook(notebook.file))

    def _is_whole(self, step: DocumentStep) -> bool:
        standing = {row["index"] for row in self.turn.edits.results if stands(row)}
        return standing.intersection(step.blocks) <= {row["index"] for row in self.rows}

    def _rows_of(self, step: DocumentStep) -> list[EditResult]:
        return [row for row in self.rows if row["index"] in step.blocks]

    def _options(self) -> ApplyOptions:
        """Return options with which files that aren't open would wait."""
        return ApplyOptions(
            selection=None,
            unsaved=[RepoPath(row["file"]) for row in self.rows],
            accepted={row["index"]: row["protected"] for row in self.rows if row["protected"]},
            open_notebooks=self.notebooks,
        )

    def _swapped(self, step: DocumentStep) -> list[EditBlock]:
        """Return the blocks of a step with old and new lines swapped, the last first."""
        rows = {(row["index"], row["file"]): row for row in self._rows_of(step)}
        found = blocks_of(self.turn.answer, self.turn.edits)
        blocks = [
            _as_applied(block, rows[block.index, block.path])
            for block in found
            if (block.index, block.path) in rows
        ]
        return [replace(one, old=one.new, new=one.old) for one in reversed(blocks) if one.new]


def _fits(operations: Iterable[CellOperation], notebook: Notebook) -> bool:
    """Tell whether the cells that operations are about are as these expect them."""
    sources = {cell.cell_id: cell.source for cell in notebook.cells}
    for one in operations:
        if one["op"] == "insert":
            continue
        if one["id"] not in sources:
            return False
        if one["op"] in {"source", "delete", "replace"} and sources[one["id"]] != one["before"]:
            return False
    return True


def _is_taken_back(step: DocumentStep, notebook: Notebook) -> bool:
    """Tell whether nothing of a step is in a saved notebook; one without ids doesn't tell."""
    if not notebook.keeps_ids:
        return False
    sources = {cell.cell_id: cell.source for cell in notebook.cells}
    signs: list[bool] = []
    for one in step.operations:
        if one["op"] == "source":
            signs.append(sources.get(one["id"]) == one["before"])
        elif one["op"] == "insert":
            signs.append(one["cell"]["id"] not in sources)
        elif one["op"] == "delete":
            signs.append(one["id"] in sources)
    return bool(signs) and all(signs)


def _as_applied(block: EditBlock, row: EditResult) -> EditBlock:
    """Return a block as it was carried out: with corrected indentation, if it was."""
    corrected = row["corrected"]
    if corrected is None:
        return block
    old, new = (tuple(corrected[name].splitlines()) for name in ("old", "new"))
    return replace(block, old=old, new=new)


def _swap_problem(outcome: BlockOutcome) -> str:
    """Return why a swapped block would not be carried out now; "" if it would."""
    if outcome.status is BlockStatus.PENDING and not outcome.message:
        return ""
    path = outcome.block.path
    return f"The cells of {path!r} have changed since; undo the edit in the notebook itself."


def _undone(row: EditResult, message: str) -> EditResult:
    return {**row, "status": BlockStatus.UNDONE, "message": message, "notes": []}


def _saved(row: EditResult, note: str) -> EditResult:
    notes = [one for one in row["notes"] if one != UNSAVED]
    return {**row, "document": "saved", "notes": [*notes, note]}
