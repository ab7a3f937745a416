"""Extracts the outline of a Markdown text.

Blocks are parsed by markdown-it (CommonMark, with tables), paragraphs by `inline`.
"""

import re
from functools import cache
from html import unescape
from importlib import import_module
from typing import TYPE_CHECKING, Final

from jupyter_ac.index.documents.inline import find_inline, label_of, link_in_tag
from jupyter_ac.index.documents.sections import Sections
from jupyter_ac.index.documents.svg import DRAWING, drawings_in
from jupyter_ac.index.records import Outline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MAX_LINES: Final = 30_000
_FRONT: Final = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE: Final = re.compile(r"^title[ \t]*:[ \t]*(.*)$", re.MULTILINE)
_OWN_SLUG: Final = re.compile(r"\{#([\w.:-]++)[^{}]*+\}\s*+$")
_HTML_HEADING: Final = re.compile(
    r"<h([1-6])\b[^<>]*>(.{0,1000}?)</h\1\s*>", re.DOTALL | re.IGNORECASE
)
_TAG: Final = re.compile(r"<[A-Za-z/][^<>]{0,2000}>")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FORMULA: Final = re.compile(r"\$\$|(?<![\w\\$])\$[^\s$](?:[^$\n]{0,200}[^\s$\\])?\$(?![\w$])")
_MATH_FENCES: Final = frozenset({"math", "{math}", "latex"})


def markdown_outline(text: str) -> Outline:
    """Read headings, sections, links and names in backticks."""
    sections = Sections()
    read_markdown(text, sections, 0)
    return sections.outline(text.count("\n") + (not text.endswith("\n")))


def read_markdown(text: str, sections: Sections, offset: int) -> None:
    """Add what a text holds.

    Args:
        text: a whole document, or a cell of a notebook.
        sections: what it is added to.
        offset: lines before it.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    if plain.count("\n") > _MAX_LINES:
        plain = "\n".join(plain.split("\n", _MAX_LINES)[:_MAX_LINES])
    _Reader(sections, offset).read(plain)


class _Reader:
    def __init__(self, sections: Sections, offset: int) -> None:
        self._sections = sections
        self._offset = offset + 1
        self._line = self._offset
        self._definitions: dict[str, str] = {}

    def read(self, text: str) -> None:
        environment: dict[str, Mapping[str, Mapping[str, object]]] = {}
        body, title = _without_front_matter(text)
        tokens = _blocks().parse(body, environment)
        self._definitions = {
            label_of(label): str(found["href"])
            for label, found in environment.get("references", {}).items()
        }
        if title and not any(token.tag == "h1" for token in tokens):
            self._sections.heading(title, 1, self._offset)
        level = 0
        for token in tokens:
            if token.map is not None:
                self._line = self._offset + token.map[0]
            if token.type == "heading_open":
                level = int(token.tag[1:])
            elif token.type == "inline":
                self._inline(token.content, level)
                level = 0
            else:
                self._block(token)

    def _block(self, token: "Token") -> None:
        if token.type == "fence":
            language = token.info.strip().split(" ", 1)[0].lower()
            self._sections.holds("formula" if language in _MATH_FENCES else "code")
        elif token.type == "code_block":
            self._sections.holds("code")
        elif token.type == "table_open":
            self._sections.holds("table")
        elif token.type == "html_block":
            self._html(token.content)

    def _html(self, content: str) -> None:
        visible = _COMMENT.sub(_blank, content)
        finds = [*_HTML_HEADING.finditer(visible), *_TAG.finditer(visible)]
        finds += drawings_in(visible)
        line, counted = self._line, 0
        for match in sorted(finds, key=lambda one: one.start()):
            line += visible.count("\n", counted, match.start())
            counted = match.start()
            if match.re is _HTML_HEADING:
                text = unescape(_TAG.sub("", match[2]))
                self._sections.heading(text, int(match[1]), line)
            elif match.re is DRAWING:
                self._sections.link(match[0], line)
            elif (linked := link_in_tag(match[0])) is not None:
                self._link(*linked, line)

    def _inline(self, content: str, level: int) -> None:
        if level:
            text, slug = _heading_text(content)
            self._sections.heading(text, level, self._line, slug)
        if "$" in content and _FORMULA.search(content):
            self._sections.holds("formula")
        line, counted = self._line, 0
        for found in find_inline(content, self._definitions):
            line += content.count("\n", counted, max(counted, found.position))
            counted = max(counted, found.position)
            if found.kind == "code":
                self._sections.name(found.text, line)
            else:
                self._link(found.kind, found.text, line)
        self._drawings(content, self._line)

    def _link(self, kind: str, target: str, line: int) -> None:
        if kind == "link" or target.lower().endswith(".svg"):
            self._sections.link(target, line)

    def _drawings(self, content: str, line: int) -> None:
        """Count SVG files that are only named."""
        counted = 0
        for match in drawings_in(content):
            line += content.count("\n", counted, match.start())
            counted = match.start()
            self._sections.link(match[0], line)


def _without_front_matter(text: str) -> tuple[str, str]:
    """Take YAML at the top out, leaving as many blank lines; return the title in it, too."""
    match = _FRONT.match(text)
    if match is None:
        return text, ""
    title = _FRONT_TITLE.search(match[1] or "")
    blank = "\n" * match[0].count("\n")
    return blank + text[match.end() :], title[1].strip().strip("\"'") if title else ""


def _heading_text(content: str) -> tuple[str, str]:
    """Return a heading's text without markup, and the slug that it gives itself."""
    own = _OWN_SLUG.search(content[:MAX_HEADING])
    if own is None:
        return plain_heading(content), ""
    return plain_heading(content[: own.start()]), own[1]


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


@cache
def _blocks() -> "MarkdownIt":
    markdown: MarkdownIt = import_module("markdown_it").MarkdownIt("commonmark").enable("table")
    # Paragraphs are left as they are: `find_inline` reads them in linear time.
    markdown.core.ruler.enableOnly(["block"])
    return markdown


MAX_HEADING: Final = 400
"""Characters of a heading that are looked at."""

# Code stands aside as characters for private use while the markup around it is taken away.
_ASIDE: Final = 0xE000
_STAND_INS: Final = re.compile("[\ue000-\uf8ff]")
_HEADING_CODE: Final = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_IMAGE: Final = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_LINK: Final = re.compile(r"\[([^\[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])")
_HEADING_TAG: Final = re.compile(r"<(?:[A-Za-z/][^<>]*|!--.*?--)>", re.DOTALL)
_STARS: Final = re.compile(r"(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1", re.DOTALL)
_LOW_LINES: Final = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_heading(markup: str) -> str:
    """Return what a reader of the page sees, code without its backticks, images left out."""
    codes: list[str] = []

    def set_aside(match: re.Match[str]) -> str:
        codes.append(match[2].strip())
        return chr(_ASIDE + len(codes) - 1)

    text = _HEADING_CODE.sub(set_aside, _STAND_INS.sub("", markup[:MAX_HEADING]))
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _STARS.sub(r"\2", _HEADING_TAG.sub("", text))
    text = unescape(_ESCAPE.sub(r"\1", _LOW_LINES.sub(r"\2", text)))
    text = _STAND_INS.sub(lambda match: _set_back(match[0], codes), text)
    return " ".join(text.split())


def _set_back(stand_in: str, codes: list[str]) -> str:
    number = ord(stand_in) - _ASIDE
    # An entity may have spelled a stand-in.
    return codes[number] if number < len(codes) else ""
