"""The tiers of the next request: a report of the log by age, which changes nothing.

The rule: L0 is the head. New blocks are active. Blocks that were sent before are in L3, from their
third request on in L2, from their sixth on in L1: the older a block, the nearer it is to the head
and the longer the provider's cache has served it. A compaction resets the age of what it resends.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

from jupyter_ac.chat.prompt.blocks import Block, shown_path
from jupyter_ac.chat.prompt.log import COPIES, leading_copies
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt

Tier: TypeAlias = Literal["L0", "L1", "L2", "L3", "active"]

_BY_AGE: Final[tuple[tuple[int, Tier], ...]] = ((6, "L1"), (3, "L2"), (1, "L3"))
_NEXT: Final[dict[Tier, int | None]] = {"active": 1, "L3": 3, "L2": 6, "L1": None, "L0": None}
_ORDER: Final[tuple[Tier, ...]] = ("L0", "L1", "L2", "L3", "active")
_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class RequestAges:
    """How many requests have been sent.

    Attributes:
        head: since the head was made; the files that the log begins with are as old.
        talk: since the log was compacted last.
    """

    head: int = 0
    talk: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A block of a prompt and how it stands there.

    Attributes:
        n: in how many requests it has been sent.
        starts_message: whether it is the first of a message.
    """

    block: Block
    n: int
    tier: Tier
    starts_message: bool

    @property
    def threshold(self) -> int | None:
        """The age at which it comes to the next tier."""
        return _NEXT[self.tier]


def tier_of(age: int) -> Tier:
    """Give the tier of what stands behind the head, by the number of requests that had it."""
    return next((tier for least, tier in _BY_AGE if age >= least), "active")


def placed(prompt: Prompt, ages: RequestAges) -> list[Placed]:
    """Say how each block of a prompt stands, in order.

    Args:
        prompt: before it is sent.
        ages: at that moment.
    """
    # Providers read the tools before the system message.
    found = [Placed(block, ages.head, "L0", starts_message=False) for block in prompt.tools]
    found += [Placed(block, ages.head, "L0", not at) for at, block in enumerate(prompt.head)]
    for index, exchange in enumerate(prompt.past):
        behind = len(prompt.past) - index - 1
        first = leading_copies(exchange) if not index else ()
        rest = exchange.sent[len(first) :]
        found += _blocks(first, ages.head)
        found += _blocks(rest, min(ages.talk, behind + 1), starts_message=not first)
        found += _blocks(exchange.reply, min(ages.talk, behind))
    return found + _blocks(prompt.last, 0)


def _blocks(blocks: Sequence[Block], age: int, *, starts_message: bool = True) -> list[Placed]:
    tier = tier_of(age)
    return [Placed(block, age, tier, starts_message and not at) for at, block in enumerate(blocks)]


def read_blocks(last: Sequence[Placed], sizes: Sequence[int], read_tokens: float) -> int:
    """Count the blocks at the beginning of a request that its provider has read from its cache.

    A block counts when more than half of it lies within what was read: providers count by other
    tokenizers than ours.

    Args:
        last: the blocks of the request.
        sizes: the tokens of each.
        read_tokens: how many of them were read, in the same measure.
    """
    at = 0.0
    for count, (one, size) in enumerate(zip(last, sizes, strict=True)):
        at += MESSAGE_OVERHEAD if one.starts_message else 0
        if at + size / 2 > read_tokens:
            return count
        at += size
    return len(last)


def promotions(blocks: Iterable[Placed]) -> list[str]:
    """Say what has come to another tier since the last request by growing older."""
    moved = [
        (tier_of(one.n - 1), one.tier, name_of(one.block))
        for one in blocks
        if one.tier not in {"L0", "active"} and tier_of(one.n - 1) != one.tier
    ]
    return _moves_text(moved)


def demotions(before: Sequence[Placed], blocks: Sequence[Placed]) -> list[str]:
    """Return what is sent again, changed or not, and what isn't sent any more.

    Args:
        before: the last request, without what passed with it.
        blocks: the next one.
    """
    held: dict[str, Tier] = {}
    for one in blocks:
        if one.block.category in COPIES and one.block.path and one.tier != "active":
            held[one.block.path] = one.tier
    anew = {
        one.block.path: held[one.block.path]
        for one in blocks
        if one.tier == "active" and one.block.category in COPIES and one.block.path in held
    }
    moved = [(tier, "active", shown_path(path)) for path, tier in anew.items() if path]
    there: dict[str, list[Tier]] = {}
    for one in blocks:
        there.setdefault(one.block.sha256, []).append(one.tier)
    # Of equal texts the newest stays, so they are compared from the end.
    for one in reversed(before):
        tiers = there.get(one.block.sha256, [])
        tier = tiers.pop() if tiers else "no longer sent"
        if tier == "no longer sent" or _ORDER.index(tier) > _ORDER.index(one.tier):
            moved.append((one.tier, tier, name_of(one.block)))
    return _moves_text(moved[::-1])


def name_of(block: Block) -> str:
    """Name a block: its file, or what it is."""
    return shown_path(block.path) if block.path is not None else block.category.value


def _moves_text(moved: Iterable[tuple[str, str, str]]) -> list[str]:
    found: list[str] = []
    for (old, new), rows in groupby(sorted(moved, key=lambda row: row[:2]), lambda row: row[:2]):
        blocks = [name for *_, name in rows]
        names = list(dict.fromkeys(blocks))
        items = "1 item" if len(blocks) == 1 else f"{len(blocks)} items"
        shown = ", ".join((*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])))
        found.append(f"{old} → {new}: {items} — {shown}")
    return found
