"""Splits edit blocks into runs where an earlier block changes what later paths mean.

What a path means depends on the folders above it and on links. Blocks after one that changes these
are planned only when that one has been carried out.
"""

from collections.abc import Iterator, Sequence

from jupyter_ac.chat.edit_blocks.blocks import BlockKind
from jupyter_ac.chat.edit_blocks.outcomes import BlockOutcome
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, LinkTarget
from jupyter_ac.ids import RepoPath


def run_length(found: Sequence[BlockTarget | BlockOutcome]) -> int:
    """Return how many blocks, from the first, mean what they seem to before any is carried out.

    Behind a block that takes a link away nothing is sure: any path may have led through it.

    Args:
        found: what the blocks are about, as the disk stands.
    """
    ends = [position + 1 for position, target in enumerate(found) if takes_link(target)]
    return min([*ends, *unsettled(found), len(found)])


def unsettled(found: Sequence[BlockTarget | BlockOutcome]) -> set[int]:
    """Return the positions of blocks whose file can be resolved only after blocks before them.

    They are about a file where a folder was, or in a folder where a file was, or about a target
    that was reached through a link which was removed, or was created under another name.

    Args:
        found: what the blocks are about, as the disk stands.
    """
    positions: set[int] = set()
    links: set[RepoPath] = set()
    taken: set[RepoPath] = set()
    emptied: set[RepoPath] = set()
    for position, target in enumerate(found):
        if isinstance(target, BlockOutcome):
            continue
        if any(
            name in links or name in emptied or not taken.isdisjoint(_folders(name))
            for name in (target.path, RepoPath(target.block.new_path), *target.keys)
        ):
            positions.add(position)
        if takes_link(target):
            links.update(target.keys)
            taken.update(target.keys)
        elif target.block.kind is not BlockKind.EDIT:
            taken.add(target.key)
            emptied.update(_folders(target.key))
    return positions


def takes_link(target: BlockTarget | BlockOutcome) -> bool:
    """Tell whether a block removes or renames a link."""
    return isinstance(target, BlockTarget) and target.link is not LinkTarget.NONE


def _folders(path: RepoPath) -> Iterator[RepoPath]:
    """Give the folders above a path."""
    folder = path.rpartition("/")[0]
    while folder:
        yield RepoPath(folder)
        folder = folder.rpartition("/")[0]
