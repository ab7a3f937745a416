"""Counts tokens of blocks, cached by the hash that each block carries.

The counter runs in another process; a block that was counted before costs only a look-up.
"""

import logging
from collections.abc import Sequence
from typing import Final, Protocol

from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.errors import AcError
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.tokens import Encoding, encoding_for

log = logging.getLogger(__name__)

_DEFAULT_ENCODING: Final = Encoding("cl100k_base", estimate=True)


class Counter(Protocol):
    """Counts texts in a named encoding."""

    async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
        """Count each text."""


class BlockCounts:
    """Counts blocks, each text once.

    Args:
        counter: asked for blocks that are new.
        capacity: blocks remembered; the longest known are forgotten first.
    """

    def __init__(self, counter: Counter, capacity: int = 65_536) -> None:
        self._counter = counter
        self._capacity = capacity
        self._known: dict[tuple[str, str], int] = {}

    async def each(self, encoding: str, blocks: Sequence[Block]) -> list[int]:
        """Count each block; when the counter fails, estimate four characters to a token."""
        known = self._known
        unknown = {
            block.sha256: block.text for block in blocks if (encoding, block.sha256) not in known
        }
        fresh = await self._count(encoding, unknown) if unknown else {}
        counts = [
            known[encoding, block.sha256]
            if block.sha256 not in unknown
            else fresh.get(block.sha256, _estimate(block.text))
            for block in blocks
        ]
        known.update({(encoding, sha256): tokens for sha256, tokens in fresh.items()})
        while len(known) > self._capacity:
            del known[next(iter(known))]
        return counts

    async def _count(self, encoding: str, texts: dict[str, str]) -> dict[str, int]:
        try:
            counts = await self._counter.count(encoding, list(texts.values()))
        except AcError as error:
            log.warning("tokens are estimated: %s", error)
            return {}
        return dict(zip(texts, counts, strict=True))


class Scale:
    """Weighs blocks for one model.

    Args:
        counts: shared by all models.
        encoding: the model's.
    """

    def __init__(self, counts: BlockCounts, encoding: str) -> None:
        self._counts = counts
        self._encoding = encoding

    async def each(self, blocks: Sequence[Block]) -> list[int]:
        """Count each block."""
        return await self._counts.each(self._encoding, blocks)

    async def total(self, blocks: Sequence[Block]) -> int:
        """Count blocks together."""
        return sum(await self.each(blocks))

    async def fit(self, blocks: Sequence[Block], limit: int) -> bool:
        """Say whether blocks are within a limit; only counted where their length leaves a doubt."""
        return sum(block.size_bytes for block in blocks) <= limit or (
            await self.total(blocks) <= limit
        )


def scale_for(counts: BlockCounts, choice: ModelChoice | None) -> Scale:
    """Return what weighs blocks for a model, or where there is none."""
    return Scale(counts, encoding_of(choice).name)


def encoding_of(choice: ModelChoice | None) -> Encoding:
    """Return the encoding that counts for a model, or when there is none."""
    return encoding_for(choice.model) if choice is not None else _DEFAULT_ENCODING


def _estimate(text: str) -> int:
    return max(1, len(text) // 4)
