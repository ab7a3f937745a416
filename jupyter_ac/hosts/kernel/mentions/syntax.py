"""Finds mentions in the text of a question; pure.

A mention is `@var:NAME`, `@cell`, `@cell:N`, `@output`, `@output:N`, `@error`, `@file:PATH`,
`@selection` or `@notebook`. Everything else behind an `@` is text: decorators, addresses, names. So
is a mention in code: between backticks or in a fenced block. The panel finds the same mentions; one
table of examples is the test of both.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from markdown_it import MarkdownIt

MentionKind: TypeAlias = Literal["var", "cell", "output", "error", "file", "selection", "notebook"]

WORDS: Final = ("@cell", "@error", "@file:", "@output", "@var:")
"""How the mentions that cells can use begin."""

_MENTION: Final = re.compile(
    r"(?<![\w`@.:/-])@(?:"
    r"var:(?P<var>\w{1,300})"
    r"|file:(?:\"(?P<quoted>[^\"\n]{1,1000})\"|(?P<file>[^\s\"]{1,1000}))"
    r"|(?P<word>cell|output|error|selection|notebook)(?![\w(/-])(?!\.\w)"
    r"(?::(?P<detail>\w{1,300}))?"
    r")"
)
_CODE_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)[^\n]{0,2000}?(?<!`)\1(?!`)")
_ENDS: Final = ".,;:!?)]}>'`"
"""Signs of the sentence around a path; a path that ends with one is put in quotes."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention.

    Attributes:
        kind: of what is mentioned.
        detail: the name, path or number as it is written; "" for none.
    """

    kind: MentionKind
    detail: str = ""

    def __str__(self) -> str:
        return f"@{self.kind}:{self.detail}" if self.detail else f"@{self.kind}"


def find_mentions(text: str) -> list[Mention]:
    """Return the mentions in a text, each once, in their order."""
    found: dict[Mention, None] = {}
    for match in _MENTION.finditer(_CODE_SPAN.sub(" ", _without_fences(text))):
        path = match["quoted"] or (match["file"] or "").rstrip(_ENDS)
        if match["var"]:
            found[Mention("var", match["var"])] = None
        elif path:
            found[Mention("file", path)] = None
        elif match["word"]:
            kind = cast("MentionKind", match["word"])
            found[Mention(kind, match["detail"] or "")] = None
    return list(found)


def _without_fences(text: str) -> str:
    """Return a text without its fenced code blocks, also those in lists and quotations."""
    if "```" not in text and "~~~" not in text:
        return text
    # Markdown has these line ends, and no others.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence" and token.map is not None:
            start, end = token.map
            lines[start:end] = [""] * len(lines[start:end])
    return "\n".join(lines)
