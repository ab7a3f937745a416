"""Truncates files to a number of tokens, visibly, for models with a small window."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, note_block, shorten
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log import WHOLE
from jupyter_ac.ids import RepoPath

LEAST_TOKENS: Final = 60
"""A file cut to less says nothing; the last ones selected are left out instead."""

_ATTEMPTS: Final = 6


@dataclass(frozen=True, slots=True)
class Cut:
    """News about files that keeps to a limit.

    Attributes:
        blocks: what is left of it, lines about files included.
        shortened: files of which only a part is there.
        left_out: files for which there was no room at all.
    """

    blocks: tuple[Block, ...]
    shortened: tuple[RepoPath, ...] = ()
    left_out: tuple[RepoPath, ...] = ()


async def cut_files(news: Sequence[Block], limit: int, scale: Scale) -> Cut:
    """Cut the files in `news` to `limit` tokens together.

    Small ones stay whole, the others get equal shares.
    """
    files = [block for block in news if block.category in WHOLE]
    if await scale.fit(files, limit):
        return Cut(tuple(news))
    kept = files[: limit // LEAST_TOKENS]
    shares = _shares(await scale.each(kept), limit)
    smaller = {
        block: await _cut_block(block, share, scale)
        for block, share in zip(kept, shares, strict=True)
    }
    blocks = [
        smaller.get(block, block)
        for block in news
        if block.category not in WHOLE or block in smaller
    ]
    left_out = _paths(files[len(kept) :])
    if left_out:
        sentence = f"{len(left_out)} more selected files are left out: there is no room for them."
        blocks.append(note_block(None, sentence))
    shortened = _paths([block for block, cut in smaller.items() if cut is not block])
    return Cut(tuple(blocks), shortened, left_out)


def _paths(blocks: Sequence[Block]) -> tuple[RepoPath, ...]:
    return tuple(block.path for block in blocks if block.path is not None)


def _shares(sizes: Sequence[int], limit: int) -> list[int]:
    """Divide `limit` so that nobody gets more than it needs and the rest get the same."""
    shares = [0] * len(sizes)
    remaining = limit
    order = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for place, index in enumerate(order):
        shares[index] = min(sizes[index], remaining // (len(order) - place))
        remaining -= shares[index]
    return shares


async def _cut_block(block: Block, share: int, scale: Scale) -> Block:
    size = await scale.total([block])
    if size <= share:
        return block
    characters = len(block.text) * share // size
    for _ in range(_ATTEMPTS):
        candidate = shorten(block, characters)
        size = await scale.total([candidate])
        if size <= share:
            return candidate
        characters = min(characters - 1, characters * share // size * 9 // 10)
    return shorten(block, 0)
