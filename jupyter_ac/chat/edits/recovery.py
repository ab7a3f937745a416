"""Recovers the outcomes of an answer's edits after its process has died.

The files show it: what edits are going to do is stored before they do it, and each file is replaced
atomically. A block was applied if its effect is in a file that its answer was going to write.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.records import INTERRUPTED, TurnRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath

log = logging.getLogger(__name__)

_FOUND = "Found applied after the program had ended in the middle of the answer."
_LOST = "Not applied: the program ended in the middle of the answer."


class Recovery:
    """Looks after the turns that were lost.

    Args:
        ports: what applies edits, and keeps what became of them.
    """

    def __init__(self, ports: EditPorts) -> None:
        self._ports = ports

    async def mend(self, session: Session) -> None:
        """Find out about the edits of the lost turns of a session, each once.

        A session of somebody else's stays as it is.
        """
        if not session.is_own:
            return
        for turn in list(session.turns):
            if turn.failure != INTERRUPTED or turn.edits.results:
                continue
            blocks = parse(turn.answer, self._ports.exists)
            if blocks:
                await self._mend(session, turn, blocks)

    async def _mend(self, session: Session, turn: TurnRecord, blocks: list[EditBlock]) -> None:
        applier = self._ports.applier
        touched: list[RepoPath] = []
        try:
            if applier is not None:
                touched = await applier.undoing.differing(turn.turn_id)
            outcomes = [_lost(block) for block in blocks]
            if applier is not None and touched:
                outcomes = await _found(applier, blocks, touched)
        except AcError as error:
            log.warning("the edits of a lost answer can't be looked for: %s", error)
            return
        applied = {
            RepoPath(one.block.path) for one in outcomes if one.status is BlockStatus.APPLIED
        }
        units = Utf16Offsets(turn.answer, blocks)
        edits = TurnEdits(
            results=tuple(result_row(outcome, units, 0) for outcome in outcomes),
            modified=tuple(touched) if applied else (),
        )
        mended = replace(turn, edits=edits)
        session.put(mended)
        try:
            await self._ports.keep(session.session_id, mended)
        except AcError as error:
            log.warning("the edits of a lost answer are not kept: %s", error)
        else:
            session.revision += 1


async def _found(
    applier: Applier, blocks: Sequence[EditBlock], touched: Collection[RepoPath]
) -> list[BlockOutcome]:
    """Tell the blocks whose effect stands in the files from the others."""
    closed = [block for block in blocks if block.is_complete]
    looked = await applier.look(closed, ApplyOptions(selection=None))
    stands = {one.block.index for one in looked if _stands(one)}
    return [
        BlockOutcome(block, BlockStatus.APPLIED, _FOUND)
        if block.index in stands and RepoPath(block.path) in touched
        else _lost(block)
        for block in blocks
    ]


def _stands(looked: BlockOutcome) -> bool:
    block = looked.block
    if looked.status is BlockStatus.ALREADY_APPLIED:
        return True
    if block.kind is not BlockKind.EDIT:
        return looked.error_type is ErrorType.FILE_NOT_FOUND
    return not block.new and looked.error_type is ErrorType.ANCHOR_NOT_FOUND


def _lost(block: EditBlock) -> BlockOutcome:
    return BlockOutcome(block, BlockStatus.SKIPPED, _LOST)
