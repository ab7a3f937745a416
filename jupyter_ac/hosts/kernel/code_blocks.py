"""Code blocks in a model's Markdown: those that can be cells of a Python kernel."""

import re
from typing import Final

from markdown_it import MarkdownIt

PYTHON_NAMES: Final = frozenset({"python", "python3", "py", "py3", "ipython", "ipython3"})
"""How code blocks name the language of the kernel."""

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


def fenced(text: str, language: str = "") -> str:
    """Return Markdown with the text as a code block that nothing in the text can end."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
