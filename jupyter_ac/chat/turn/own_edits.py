"""The text of a file as the prompt log itself gives it: its copy, and the edits since. Pure."""

from collections.abc import Sequence

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import EditParser
from jupyter_ac.chat.prompt.blocks import Block, Category, body_of
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.ids import RepoPath


def text_with_own_edits(path: RepoPath, exchanges: Sequence[Exchange]) -> str | None:
    """Return a file's last whole copy in a log with the edits of the answers since.

    None when there is no such copy, or no edit since, or one that doesn't fit exactly at one place.

    Args:
        path: of the file.
        exchanges: of the log, in order.
    """
    copies = [_whole_copy(path, exchange) for exchange in exchanges]
    last = max((number for number, copy in enumerate(copies) if copy is not None), default=-1)
    copy = copies[last] if last >= 0 else None
    if copy is None:
        return None
    lines = body_of(copy).split("\n")[:-1]
    has_edits = False
    for exchange in exchanges[last:]:
        for block in _blocks(path, exchange.answer.text):
            edited = _edited(lines, block)
            if edited is None:
                return None
            lines, has_edits = edited, True
    return "".join(f"{line}\n" for line in lines) if has_edits else None


def _whole_copy(path: RepoPath, exchange: Exchange) -> Block | None:
    """Return the whole copy of a file in a request; None for none, or one that was cut."""
    found = None
    for block in exchange.sent:
        if block.path == path and block.category is Category.FILE:
            found = block if block.sha256 == block.source else None
    return found


def _blocks(path: RepoPath, answer: str) -> list[EditBlock]:
    if path not in answer:
        return []
    parser = EditParser(lambda _name: True)
    parser.feed(answer)
    parser.finish()
    return [block for block in parser.blocks if path in {block.path, block.new_path}]


def _edited(lines: Sequence[str], block: EditBlock) -> list[str] | None:
    """Replace the lines that a block quotes; None unless they are there exactly once."""
    old, count = list(block.old), len(block.old)
    if block.kind is not BlockKind.EDIT or not block.is_complete or not old:
        return None
    places = [at for at in range(len(lines) - count + 1) if list(lines[at : at + count]) == old]
    if len(places) != 1:
        return None
    (at,) = places
    return [*lines[:at], *block.new, *lines[at + count :]]
