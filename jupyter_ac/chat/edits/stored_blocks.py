"""Parses the edit blocks of a stored turn from its text."""

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.edit_blocks.reading.suggestions import suggestions
from jupyter_ac.chat.edit_blocks.stored_edits import answer_texts
from jupyter_ac.chat.records import TurnRecord


def blocks_of(turn: TurnRecord) -> list[EditBlock]:
    """Return the blocks of all answers of a turn, as they were when they came.

    A path line with blanks counts where it counted then, whatever files there are by this time.
    """
    paths = {row["file"] for row in turn.edits.results}
    blocks: list[EditBlock] = []
    offset = 0
    for text in answer_texts(turn.answer, turn.edits.attempts):
        offset = turn.answer.index(text, offset)
        blocks += parse(text, paths.__contains__, len(blocks), offset)
        offset += len(text)
    found = suggestions(turn.answer, blocks, paths.__contains__)
    return [*blocks, *(block for one in found for block in one.blocks)]
