"""Where the tokens of the next request go: by category, by file, and in money.

The rule: `total_tokens` is the sum over the text parts of the request's messages, each counted by
`tokenizer`, plus `message_overhead` for each message.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from jupyter_ac.chat.prompt.assemble import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.prompt.blocks import Block, Category, shown_path
from jupyter_ac.chat.prompt.log import COPIES
from jupyter_ac.chat.shapes import (
    FileDetail,
    PromptBlock,
    PromptContent,
    PromptReport,
    TokensByCategory,
)
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.tokens import Encoding

_TYPES: Final[Mapping[Category, Literal["system", "files", "history"]]] = {
    Category.SYSTEM: "system",
    Category.REMINDER: "system",
    Category.FILE: "files",
    Category.DIFF: "files",
    Category.NOTE: "history",
    Category.QUESTION: "history",
    Category.RETRY: "history",
    Category.SUMMARY: "history",
    Category.ANSWER: "history",
}


@dataclass(frozen=True, slots=True)
class Weighed:
    """A prompt and the tokens of its blocks.

    Attributes:
        prompt: what would go out.
        tokens: of each block, by the hash of its text.
        encoding: what counted.
        input_cost: USD for one token, None when unknown.
        warnings: about secrets, by file.
        selected: the files that are.
    """

    prompt: Prompt
    tokens: Mapping[str, int]
    encoding: Encoding
    input_cost: float | None = None
    warnings: Mapping[RepoPath, Sequence[str]] = field(default_factory=dict)
    selected: Collection[RepoPath] = ()

    def total(self, blocks: Iterable[Block]) -> int:
        """Add up some blocks."""
        return sum(self.tokens[block.sha256] for block in blocks)


def report(weighed: Weighed) -> PromptReport:
    """Write the part of the breakdown that the prompt decides."""
    prompt = weighed.prompt
    overhead = MESSAGE_OVERHEAD * prompt.message_count
    total = weighed.total(prompt.blocks) + overhead
    cost = weighed.input_cost
    return {
        "tokenizer": weighed.encoding.name,
        "estimate": weighed.encoding.estimate,
        "total_tokens": total,
        "message_overhead": MESSAGE_OVERHEAD,
        "messages": prompt.message_count,
        "cost_usd": total * cost if cost is not None else None,
        "breakdown": _by_category(weighed, overhead),
        "blocks": [_active_block(weighed)],
        "warnings": [
            {"path": path, "message": message}
            for path, messages in weighed.warnings.items()
            for message in messages
        ],
    }


def _by_category(weighed: Weighed, overhead: int) -> TokensByCategory:
    prompt = weighed.prompt
    asked = [block for block in prompt.ask if block.category is Category.QUESTION]
    files = [block for block in prompt.blocks if block.category in COPIES]
    others = [block for block in prompt.blocks if _TYPES[block.category] == "history"]
    question = weighed.total(asked)
    details = _file_details(weighed)
    return {
        "system": weighed.total((*prompt.head, *prompt.reminder)),
        "legend": 0,
        "symbol_map": 0,
        "symbol_map_files": 0,
        "files": weighed.total(files),
        "file_count": len(details),
        "file_details": details,
        "urls": 0,
        "url_details": [],
        "history": weighed.total(others) - question,
        "history_messages": 2 * len(prompt.past),
        "question": question,
        "overhead": overhead,
    }


def _file_details(weighed: Weighed) -> list[FileDetail]:
    """Give one row for each file, all its copies and changes together."""
    prompt = weighed.prompt
    rows: dict[RepoPath, FileDetail] = {}
    tokens: dict[RepoPath, int] = {}
    fresh = {block.path for block in prompt.ask if block.category in COPIES}
    for block in prompt.blocks:
        path = block.path
        if block.category not in COPIES or path is None:
            continue
        tokens[path] = tokens.get(path, 0) + weighed.tokens[block.sha256]
        rows[path] = {
            "name": shown_path(path).rpartition("/")[2],
            "path": path,
            "tokens": tokens[path],
            "in_log": path not in fresh,
            "selected": path in weighed.selected,
            "warnings": list(weighed.warnings.get(path, ())),
        }
    return list(rows.values())


def _active_block(weighed: Weighed) -> PromptBlock:
    asked = {id(block) for block in weighed.prompt.ask if block.category is Category.QUESTION}
    contents = [
        PromptContent(
            type="question" if id(block) in asked else _TYPES[block.category],
            name=_name(block),
            path=block.path,
            tokens=weighed.tokens[block.sha256],
        )
        for block in weighed.prompt.blocks
    ]
    return {
        "name": "active",
        "tier": "active",
        "tokens": weighed.total(weighed.prompt.blocks),
        "count": len(contents),
        "cached": False,
        "contents": contents,
    }


def _name(block: Block) -> str:
    return shown_path(block.path) if block.path is not None else block.category.value
