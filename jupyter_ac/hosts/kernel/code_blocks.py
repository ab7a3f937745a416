"""Code blocks in a model's Markdown: those that can be cells of a Python kernel."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from markdown_it import MarkdownIt

PYTHON_NAMES: Final = frozenset({"python", "python3", "py", "py3", "ipython", "ipython3"})
"""How code blocks name the language of the kernel."""

_COMPARED_CHARS: Final = 2000
"""Comparing characters takes the product of both lengths."""

_TICKS: Final = re.compile(r"`+")


def python_blocks(markdown: str) -> list[str]:
    """Return the code of the fenced Python blocks, without line ends at their ends.

    Where no block names Python, those without a language are returned.

    Args:
        markdown: an answer as the model wrote it.
    """
    found: dict[bool, list[str]] = {True: [], False: []}
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type != "fence" or not token.content.strip():
            continue
        words = token.info.split()
        language = words[0].lower() if words else ""
        if language in PYTHON_NAMES or not language:
            found[bool(language)].append(token.content.rstrip("\n"))
    return found[True] or found[False]


def most_similar(blocks: Sequence[str], source: str) -> str:
    """Return the block that is most like a source, the last one of equals.

    An answer may show an example beside the code that replaces a cell. The lines are compared, then
    the characters at the beginning.

    Args:
        blocks: one or more.
        source: of the cell.
    """

    def likeness(at: int) -> tuple[float, float, int]:
        block = blocks[at]
        lines = SequenceMatcher(None, block.splitlines(), source.splitlines()).ratio()
        cut = block[:_COMPARED_CHARS], source[:_COMPARED_CHARS]
        return lines, SequenceMatcher(None, *cut).ratio(), at

    return blocks[max(range(len(blocks)), key=likeness)]


def fenced(text: str, language: str = "") -> str:
    """Return Markdown with the text as a code block that nothing in the text can end."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
