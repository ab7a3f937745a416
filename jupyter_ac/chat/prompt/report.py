"""Reports how the tokens of the next request are used: by category, by file, and in money.

The rule: `total_tokens` is the sum over the text parts of the request's messages, each counted by
`tokenizer`, plus `message_overhead` for each message.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from jupyter_ac.chat.prompt.blocks import (
    CONTEXT_SCHEME,
    REVIEW_SCHEME,
    TOOL_SCHEME,
    Block,
    Category,
    shown_path,
)
from jupyter_ac.chat.prompt.log import COPIES, MAPS
from jupyter_ac.chat.prompt.maps import files_in, kind_of
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.prompt.tiers import RequestAges, Tier, name_of, placed
from jupyter_ac.chat.shapes import (
    ContextDetail,
    FileDetail,
    MapDetail,
    PromptBlock,
    PromptContent,
    PromptReport,
    ReviewDetail,
    TokensByCategory,
    ToolDetail,
    UrlDetail,
)
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.tokens import Encoding

_TITLE_CHARS: Final = 80
_SUMMARY_CHARS: Final = 20_000

_Type: TypeAlias = Literal[
    "system",
    "legend",
    "symbols",
    "doc_symbols",
    "files",
    "urls",
    "review",
    "context",
    "history",
    "tools",
]

_TYPES: Final[Mapping[Category, _Type]] = {
    Category.SYSTEM: "system",
    Category.REMINDER: "system",
    Category.LEGEND: "legend",
    Category.MAP: "symbols",
    Category.RANKED: "symbols",
    Category.FILE: "files",
    Category.DIFF: "files",
    Category.URL: "urls",
    Category.REVIEW: "review",
    Category.CONTEXT: "context",
    Category.NOTE: "history",
    Category.QUESTION: "history",
    Category.RETRY: "history",
    Category.SUMMARY: "history",
    Category.ANSWER: "history",
    Category.TOOLS: "tools",
    Category.RUN: "tools",
    Category.CALLS: "tools",
    Category.RESULT: "tools",
    Category.STEP: "tools",
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
        pages: titles of the web pages that are included, by address.
        review: the parts of the open review that go out.
        ages: requests sent before this one.
        read_blocks: how many blocks at the beginning the provider's cache served last time.
    """

    prompt: Prompt
    tokens: Mapping[str, int]
    encoding: Encoding
    input_cost: float | None = None
    warnings: Mapping[RepoPath, Sequence[str]] = field(default_factory=dict)
    selected: Collection[RepoPath] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    review: Collection[RepoPath] = ()
    ages: RequestAges = field(default_factory=RequestAges)
    read_blocks: int = 0

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
        "blocks": _tiers(weighed),
        "warnings": [
            {"path": path, "message": message}
            for path, messages in weighed.warnings.items()
            for message in messages
        ],
    }


def _by_category(weighed: Weighed, overhead: int) -> TokensByCategory:
    prompt = weighed.prompt
    of = {
        category: [block for block in prompt.blocks if block.category is category]
        for category in (*MAPS, Category.RANKED, Category.SYSTEM, Category.REMINDER)
    }
    maps = of[Category.MAP] + of[Category.RANKED]
    asked = [block for block in prompt.ask if block.category is Category.QUESTION]
    files = [block for block in prompt.blocks if _TYPES[block.category] == "files"]
    pages = [block for block in prompt.blocks if block.category is Category.URL]
    review = [block for block in prompt.blocks if block.category is Category.REVIEW]
    added = [block for block in prompt.blocks if block.category is Category.CONTEXT]
    tools = [block for block in prompt.blocks if _TYPES[block.category] == "tools"]
    others = [block for block in prompt.blocks if _TYPES[block.category] == "history"]
    question = weighed.total(asked)
    details = _file_details(weighed)
    return {
        "system": weighed.total(of[Category.SYSTEM] + of[Category.REMINDER]),
        "legend": weighed.total(of[Category.LEGEND]),
        "symbol_map": weighed.total(maps),
        "symbol_map_files": sum(files_in(block) for block in of[Category.MAP]),
        "symbol_map_details": _map_details(maps, weighed),
        "files": weighed.total(files),
        "file_count": len(details),
        "file_details": details,
        "urls": weighed.total(pages),
        "url_details": _url_details(pages, weighed),
        "review": weighed.total(review),
        "review_details": _review_details(review, weighed),
        "context": weighed.total(added),
        "context_details": _context_details(added, weighed),
        "tools": weighed.total(tools),
        "tool_details": _tool_details(tools, weighed),
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
        if _TYPES[block.category] != "files" or path is None:
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


def _url_details(blocks: Iterable[Block], weighed: Weighed) -> list[UrlDetail]:
    """Give one row for each page, all its copies together."""
    rows: dict[str, UrlDetail] = {}
    fresh = {block.path for block in weighed.prompt.ask if block.category is Category.URL}
    for block in blocks:
        url = block.path or ""
        known = rows.get(url)
        rows[url] = UrlDetail(
            name=weighed.pages.get(url) or shown_path(url),
            path=url,
            url=url,
            tokens=weighed.tokens[block.sha256] + (known["tokens"] if known else 0),
            in_log=block.path not in fresh,
            included=url in weighed.pages,
        )
    return list(rows.values())


def _review_details(blocks: Iterable[Block], weighed: Weighed) -> list[ReviewDetail]:
    """Give one row for each part of a review, all its copies together."""
    rows: dict[RepoPath, ReviewDetail] = {}
    fresh = {block.path for block in weighed.prompt.ask if block.category is Category.REVIEW}
    for block in blocks:
        name = block.path or RepoPath("")
        known = rows.get(name)
        rows[name] = ReviewDetail(
            name=shown_path(name.removeprefix(REVIEW_SCHEME)),
            path=name,
            tokens=weighed.tokens[block.sha256] + (known["tokens"] if known else 0),
            in_log=name not in fresh,
            selected=name in weighed.review,
        )
    return list(rows.values())


def _context_details(blocks: Iterable[Block], weighed: Weighed) -> list[ContextDetail]:
    """Give one row for each thing that was added to a question."""
    fresh = {id(block) for block in weighed.prompt.ask}
    return [
        ContextDetail(
            name=shown_path((block.path or "").removeprefix(CONTEXT_SCHEME)),
            path=block.path or "",
            tokens=weighed.tokens[block.sha256],
            in_log=id(block) not in fresh,
        )
        for block in blocks
    ]


def _tool_details(blocks: Iterable[Block], weighed: Weighed) -> list[ToolDetail]:
    """Give one row for each result, and one for the definitions, the calls and the limits."""
    fresh = {id(block) for block in weighed.prompt.ask}
    return [
        ToolDetail(
            name=_tool_name(block),
            path=block.path or block.category.value,
            tokens=weighed.tokens[block.sha256],
            in_log=id(block) not in fresh,
        )
        for block in blocks
    ]


def _tool_name(block: Block) -> str:
    if block.category is not Category.RESULT or block.path is None:
        return block.category.value
    return shown_path(block.path.removeprefix(TOOL_SCHEME).partition("/")[0])


def _map_details(blocks: Iterable[Block], weighed: Weighed) -> list[MapDetail]:
    """Give one row for each map, and one for all that was chosen for questions."""
    rows: list[MapDetail] = []
    for block in blocks:
        name, tokens = block.category.value, weighed.tokens[block.sha256]
        if rows and name == rows[-1]["name"] == Category.RANKED.value:
            rows[-1]["tokens"] += tokens
        else:
            rows.append({"name": name, "path": None, "tokens": tokens})
    return rows


def _tiers(weighed: Weighed) -> list[PromptBlock]:
    """Give one row for each tier that has something, in the order in which they go out."""
    asked = {id(block) for block in weighed.prompt.ask if block.category is Category.QUESTION}
    rows: list[PromptBlock] = []
    for number, one in enumerate(placed(weighed.prompt, weighed.ages)):
        if not rows or rows[-1]["tier"] != one.tier:
            rows.append(_empty(one.tier))
        row, tokens = rows[-1], weighed.tokens[one.block.sha256]
        is_read = number < weighed.read_blocks
        row["contents"].append(
            PromptContent(
                type="question" if id(one.block) in asked else _type(one.block),
                name=name_of(one.block),
                path=one.block.path,
                tokens=tokens,
                n=one.n,
                threshold=one.threshold,
                cached=is_read,
                text=_readable(one.block),
            )
        )
        row["tokens"] += tokens
        row["count"] += 1
        row["cached"] = row["cached"] and is_read
        row["cached_tokens"] += tokens if is_read else 0
    return rows


def _readable(block: Block) -> str:
    """Give what tells a question from others, and what a summary says."""
    if block.category is Category.QUESTION:
        return " ".join(block.text[: 4 * _TITLE_CHARS].split())[:_TITLE_CHARS]
    return block.text[:_SUMMARY_CHARS] if block.category is Category.SUMMARY else ""


def _empty(tier: Tier) -> PromptBlock:
    return {
        "name": tier,
        "tier": tier,
        "tokens": 0,
        "count": 0,
        "cached": True,
        "cached_tokens": 0,
        "contents": [],
    }


def _type(block: Block) -> _Type:
    if block.category is Category.MAP and kind_of(block) == "doc":
        return "doc_symbols"
    return _TYPES[block.category]
