"""Compares the next request with the last one: what came, what grew, what went, what is cached."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, Category, shown_path
from jupyter_ac.context_rows import ChangeCategory, ChangedPart, RequestChanges

_CATEGORIES: Final[Mapping[Category, ChangeCategory]] = {
    Category.SYSTEM: "system",
    Category.REMINDER: "system",
    Category.LEGEND: "legend",
    Category.MAP: "map",
    Category.RANKED: "map",
    Category.FILE: "files",
    Category.DIFF: "files",
    Category.URL: "urls",
    Category.REVIEW: "review",
    Category.CONTEXT: "context",
    Category.TOOLS: "tools",
    Category.RUN: "tools",
    Category.CALLS: "tools",
    Category.RESULT: "tools",
    Category.STEP: "tools",
}
_WITH_PATHS: Final = frozenset({"files", "urls", "review", "context"})


@dataclass(frozen=True, slots=True)
class SizedBlocks:
    """Blocks of a request, with the tokens of each."""

    blocks: Sequence[Block]
    tokens: Sequence[int]

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(self.tokens)

    def by_part(self, asked: frozenset[int] = frozenset()) -> dict[tuple[ChangeCategory, str], int]:
        """Add up the tokens of each part.

        Args:
            asked: ids of the blocks that are the question of this request.
        """
        sums: dict[tuple[ChangeCategory, str], int] = {}
        for block, tokens in zip(self.blocks, self.tokens, strict=True):
            category = _CATEGORIES.get(block.category, "history")
            if id(block) in asked:
                category = "question"
            key = category, (block.path or "") if category in _WITH_PATHS else ""
            sums[key] = sums.get(key, 0) + tokens
        return sums


def request_changes(
    before: SizedBlocks,
    after: SizedBlocks,
    lasting: SizedBlocks,
    shared: int,
    question: Block | None,
) -> RequestChanges:
    """Compare two requests.

    The question of the last request counts as conversation, as it does in the next one.

    Args:
        before: the last request.
        after: the next one.
        lasting: the last request without what passed with it.
        shared: how many of its first blocks the next one begins with.
        question: of the next request.
    """
    asked = frozenset() if question is None else frozenset({id(question)})
    old, new = before.by_part(), after.by_part(asked)
    parts: list[ChangedPart] = [
        {
            "category": category,
            "path": path,
            "name": shown_path(path),
            "before": old.get((category, path), 0),
            "after": new.get((category, path), 0),
        }
        for category, path in dict.fromkeys((*old, *new))
        if old.get((category, path), 0) != new.get((category, path), 0)
    ]
    parts.sort(key=lambda part: (-abs(part["after"] - part["before"]), part["path"]))
    kept = sum(lasting.tokens[:shared])
    lost = lasting.blocks[shared] if shared < len(lasting.blocks) else None
    return {
        "parts": parts,
        "kept_tokens": kept,
        "lost_tokens": lasting.total - kept,
        "lost_from": "" if lost is None else shown_path(lost.path or lost.category.value),
    }
