"""Updates the model on files that have changed since they were last sent.

A file ticked or changed is sent whole (`changes` may make it a difference); everything else is one
line. Nothing in the log is repeated or removed.
"""

from collections.abc import Collection, Mapping, Sequence

from jupyter_ac.chat.prompt.blocks import Block, note_block, shown_path
from jupyter_ac.chat.prompt.log import Copy
from jupyter_ac.ids import RepoPath


def news(
    copies: Mapping[RepoPath, Copy], selected: Sequence[Block], unreadable: Collection[RepoPath]
) -> list[Block]:
    """Create this turn's blocks about files: first lines about removed ones, then added ones.

    Args:
        copies: the copies of files in the log, by `standing`.
        selected: the selected files as whole blocks, in the user's order.
        unreadable: selected files that can't be sent any more.
    """
    readable = {block.path for block in selected}
    went = [
        _gone(path, unreadable)
        for path, copy in copies.items()
        if copy.current and path not in readable
    ]
    came = [arrival for block in selected if (arrival := _arrival(block, copies)) is not None]
    return went + came


def _arrival(block: Block, copies: Mapping[RepoPath, Copy]) -> Block | None:
    seen = copies.get(block.path) if block.path is not None else None
    if seen is None or seen.source != block.source:
        return block
    if seen.current or block.path is None:
        return None
    return note_block(
        block.path, f"{shown_path(block.path)} is selected again; its text above is still current."
    )


def _gone(path: RepoPath, unreadable: Collection[RepoPath]) -> Block:
    name = shown_path(path)
    if path in unreadable:
        return note_block(path, f"{name} can no longer be read; its text above is out of date.")
    return note_block(path, f"{name} is no longer selected.")
