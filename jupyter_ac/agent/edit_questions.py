"""Questions to the user about edits of a run that wait: what would change, exactly, and why."""

import difflib
from typing import Final

from jupyter_ac.agent.tool import Question
from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.prompt.blocks import wellformed

_REVIEWED: Final = "You review edits before they are made."
_CONTEXT_LINES: Final = 3
_HEADINGS: Final = 2


def edit_question(outcome: BlockOutcome) -> Question:
    """Return what the user is asked about an edit that waits."""
    return Question(
        wellformed(_shown(outcome.block)), why=outcome.message or _REVIEWED, only_once=True
    )


def _shown(block: EditBlock) -> str:
    if block.kind is BlockKind.DELETE:
        return f"delete {block.path}"
    if block.kind is BlockKind.RENAME:
        return f"rename {block.path} to {block.new_path}"
    if not block.old:
        return "\n".join((block.path, *(f"+{line}" for line in block.new)))
    lines = difflib.unified_diff(block.old, block.new, n=_CONTEXT_LINES, lineterm="")
    return "\n".join((block.path, *list(lines)[_HEADINGS:]))
