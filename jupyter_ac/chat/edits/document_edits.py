"""Edits that were made in open notebooks: taking them back there, and staging what was saved."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.stored_edits import blocks_of
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.applying.batch import UNSAVED
from jupyter_ac.chat.open_notebooks import OpenNotebooks
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.edit_rows import BlockStatus, EditResult
from jupyter_ac.ids import RepoPath

TAKEN_BACK: Final = "Taken back in the open notebook, which isn't saved yet."

_IN_PLACE: Final = frozenset({BlockStatus.APPLIED, BlockStatus.ALREADY_APPLIED})


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """Edits of one turn that were made in open notebooks.

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
        reversed_blocks = self._reversed()
        if len(reversed_blocks) < len(self.rows):
            return "An edit that only removes lines is undone in the notebook itself."
        looked = await self.applier.look(reversed_blocks, self._options())
        return next(filter(None, map(_problem, looked)), "")

    async def undo(self) -> list[EditResult]:
        """Take the edits back; returns the rows of those for which that was done."""
        applied = await self.applier.apply(self._reversed(), self._options(), self.turn.turn_id)
        back = {one.block.index for one in applied.outcomes if one.status in _IN_PLACE}
        return [
            {**row, "status": BlockStatus.UNDONE, "message": TAKEN_BACK, "notes": []}
            for row in self.rows
            if row["index"] in back
        ]

    async def saved(self, path: RepoPath) -> list[EditResult]:
        """Stage a notebook that was saved; returns the rows that changed by it.

        An edit whose old lines are back counts as undone; when no other is left, nothing is staged.

        Args:
            path: of the file.
        """
        blocks = await self.applier.blocks_of_file(self._blocks(self.rows), path)
        rows = {row["index"]: row for row in self.rows}
        options = ApplyOptions(selection=None, accepted=self._accepted())
        looked = await self.applier.look(blocks, options)
        undone = {one.block.index for one in looked if one.status is BlockStatus.PENDING}
        changed: list[EditResult] = [
            {
                **rows[index],
                "status": BlockStatus.UNDONE,
                "message": "It was undone in the notebook before that was saved.",
                "notes": [],
            }
            for index in sorted(undone)
        ]
        kept = [rows[block.index] for block in blocks if block.index not in undone]
        if not kept:
            return changed
        note = await self.applier.stage(path) or "Saved and staged."
        return changed + [_saved(row, note) for row in kept]

    def _options(self) -> ApplyOptions:
        """Return options with which files that aren't open would wait."""
        names = [RepoPath(row["file"]) for row in self.rows]
        return ApplyOptions(
            selection=None,
            unsaved=names,
            accepted=self._accepted(),
            open_notebooks=self.notebooks,
        )

    def _accepted(self) -> Mapping[int, str]:
        return {row["index"]: row["protected"] for row in self.rows if row["protected"]}

    def _reversed(self) -> list[EditBlock]:
        """Return the blocks that take the edits back, the last first."""
        blocks = self._blocks(self.rows)
        return [replace(one, old=one.new, new=one.old) for one in reversed(blocks) if one.new]

    def _blocks(self, rows: Collection[EditResult]) -> list[EditBlock]:
        wanted = {(row["index"], row["file"]): row for row in rows}
        found = blocks_of(self.turn.answer, self.turn.edits)
        return [
            _as_applied(block, wanted[block.index, block.path])
            for block in found
            if (block.index, block.path) in wanted
        ]


def _as_applied(block: EditBlock, row: EditResult) -> EditBlock:
    """Return a block as it was carried out: with corrected indentation, if it was."""
    corrected = row["corrected"]
    if corrected is None:
        return block
    old, new = (tuple(corrected[name].splitlines()) for name in ("old", "new"))
    return replace(block, old=old, new=new)


def _problem(outcome: BlockOutcome) -> str:
    """Return why a block would not be carried out now; "" if it would."""
    path = outcome.block.path
    if outcome.status is BlockStatus.PENDING and outcome.message:
        return f"{path!r} is not open in a page any more; open it there, then undo."
    if outcome.status in {BlockStatus.PENDING, *_IN_PLACE}:
        return ""
    return f"The cells of {path!r} have changed since; undo the edit in the notebook itself."


def _saved(row: EditResult, note: str) -> EditResult:
    notes = [one for one in row["notes"] if one != UNSAVED]
    return {**row, "document": "saved", "notes": [*notes, note]}
