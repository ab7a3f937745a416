"""Extracts the outline of a reStructuredText document, in the dialects of docutils and Sphinx.

Parsed line by line: headings by their adornments, and the markup of references.
"""

import re
from typing import Final

from jupyter_ac.index.documents.sections import Sections
from jupyter_ac.index.documents.svg import drawings_in
from jupyter_ac.index.records import Outline

_MAX_LINES: Final = 50_000
_MAX_LINE: Final = 5000
_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*")
_DIRECTIVE: Final = re.compile(r"(\s*)\.\. +(?:\|[^|]*\| +)?([\w:.+-]+?)::[ \t]*(.*)")
_LABEL: Final = re.compile(r"\s*\.\. +_`?([^`:]+)`?:[ \t]*(.*)")
_ROLE: Final = re.compile(r"(?<=:)([\w+.-]++):`([^`]++)`")
_LITERAL: Final = re.compile(r"``(\S(?:[^`]{0,200}\S)?)``")
_EMBEDDED: Final = re.compile(r"`[^`<]{0,300}<([^<>`\s]{1,1000})>`__?")
_TITLED: Final = re.compile(r".*<([^<>]+)>\s*", re.DOTALL)
_TABLE: Final = re.compile(r"\s*(?:\+[-=]+(?:\+[-=]+)*\+|={2,}(?: +={2,})+)\s*")
_ROLE_MARKUP: Final = re.compile(r"(?::[\w+.-]++){1,8}+:`~?([^`<]*+)(?:<[^<>`]*+>)?`")
_MARKUP: Final = re.compile(r"``|\*\*|\\(?=\S)|`__?|`|(?<!\w)\*|\*(?!\w)|\|")

_CODE_BLOCKS: Final = frozenset({"code", "code-block", "sourcecode", "highlight", "doctest"})
_TABLES: Final = frozenset({"table", "list-table", "csv-table", "tabularcolumns"})
_FILES: Final = frozenset({"include", "literalinclude"})
_PICTURES: Final = frozenset({"image", "figure"})
_LISTS: Final = frozenset({"toctree", "autosummary"})
_FILE_ROLES: Final = frozenset({"doc", "download", "file"})
_NAME_ROLES: Final = frozenset(
    {"func", "class", "meth", "mod", "attr", "data", "exc", "obj", "const", "type", "member", "any"}
    | {"enum", "struct", "macro", "var", "function", "method", "program", "code", "command"}
)
_NAME_DIRECTIVES: Final = frozenset(
    {"function", "class", "method", "module", "attribute", "data", "exception", "currentmodule"}
    | {"type", "macro", "struct", "enum", "var", "member"}
)


def rst_outline(text: str) -> Outline:
    """Read headings, sections, links, roles, directives and literals."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    reader = _Reader([line[:_MAX_LINE] for line in lines[:_MAX_LINES]])
    reader.read()
    return reader.sections.outline(len(lines) - (not lines[-1]))


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.sections = Sections()
        self._lines = lines
        # Adornments in the order in which they come: the first is the highest level.
        self._styles: list[str] = []
        self._label = ""

    def read(self) -> None:
        number = 0
        while number < len(self._lines):
            line = self._lines[number]
            taken = self._heading(number)
            if taken:
                number += taken
            elif (directive := _DIRECTIVE.match(line)) is not None:
                number = self._directive(directive, number)
            else:
                if not self._target(line, number):
                    self._prose(line, number)
                number += 1

    def _heading(self, number: int) -> int:
        """Handle a heading that begins here; return the number of its lines, 0 for none."""
        over = self._adornment(number)
        if over:
            title, under = self._at(number + 1), self._adornment(number + 2)
            if title.strip() and under == over and not self._adornment(number + 1):
                self._begin(title, over * 2, number + 1)
                return 3
            return 0
        title, under = self._lines[number], self._adornment(number + 1)
        if not under or not title.strip() or title[0] in " \t":
            return 0
        if len(self._at(number + 1).strip()) < min(len(title.strip()), 3):
            return 0
        if number and self._at(number - 1).strip() and not _LABEL.match(self._at(number - 1)):
            return 0
        self._begin(title, under, number)
        return 2

    def _begin(self, title: str, style: str, number: int) -> None:
        if style not in self._styles:
            self._styles.append(style)
        level = self._styles.index(style) + 1
        text = _MARKUP.sub("", _ROLE_MARKUP.sub(_role_text, title.strip()[:1000]))
        self.sections.heading(text, level, number + 1, self._label)
        self._label = ""
        self._prose(title, number)

    def _adornment(self, number: int) -> str:
        match = _ADORNMENT.fullmatch(self._at(number))
        return match[1] if match is not None else ""

    def _at(self, number: int) -> str:
        return self._lines[number] if 0 <= number < len(self._lines) else ""

    def _target(self, line: str, number: int) -> bool:
        match = _LABEL.match(line)
        if match is None:
            return False
        if match[2]:
            self.sections.link(match[2].strip(), number + 1)
        else:
            self._label = match[1].strip().lower()
        return True

    def _directive(self, match: re.Match[str], number: int) -> int:
        """Handle a directive; return the line to go on at."""
        name, argument = match[2].rpartition(":")[2], match[3].strip()
        if name in _CODE_BLOCKS:
            self.sections.holds("code")
            return self._behind(number, len(match[1]))
        if name == "math":
            self.sections.holds("formula")
            return self._behind(number, len(match[1]))
        if name in _TABLES:
            self.sections.holds("table")
        elif name in _FILES or (name in _PICTURES and argument.lower().endswith(".svg")):
            self.sections.link(argument, number + 1)
        elif name in _LISTS:
            return self._entries(name, number, len(match[1]))
        elif name in _NAME_DIRECTIVES or name.startswith("auto"):
            self.sections.name(argument.split("(", 1)[0], number + 1)
        return number + 1

    def _behind(self, number: int, indent: int) -> int:
        """Return the first line behind the block that is indented deeper."""
        number += 1
        while number < len(self._lines):
            line = self._lines[number]
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            number += 1
        return number

    def _entries(self, name: str, number: int, indent: int) -> int:
        end = self._behind(number, indent)
        for place in range(number + 1, end):
            entry = self._lines[place].strip()
            titled = _TITLED.fullmatch(entry)
            target = titled[1] if titled is not None else entry
            if not target or target.startswith(":") or "*" in target or target == "self":
                continue
            if name == "toctree":
                self.sections.link(target, place + 1)
            else:
                self.sections.name(target.lstrip("~"), place + 1)
        return end

    def _prose(self, line: str, number: int) -> None:
        if _TABLE.fullmatch(line):
            self.sections.holds("table")
            return
        if line.rstrip().endswith("::") and not line.lstrip().startswith(".."):
            self.sections.holds("code")
        if "`" in line:
            self._marks(line, number + 1)
        for drawing in drawings_in(line):
            self.sections.link(drawing[0], number + 1)

    def _marks(self, line: str, number: int) -> None:
        for role, content in _ROLE.findall(line):
            titled = _TITLED.fullmatch(content)
            target = titled[1] if titled is not None else content
            if role in _FILE_ROLES:
                self.sections.link(target.strip(), number)
            elif role in {"ref", "numref"}:
                self.sections.link("#" + target.strip().lower(), number)
            elif role in _NAME_ROLES:
                self.sections.name(target.strip().lstrip("~.!"), number)
            elif role == "math":
                self.sections.holds("formula")
        for target in _EMBEDDED.findall(line):
            self.sections.link(target, number)
        for literal in _LITERAL.findall(line):
            self.sections.name(literal, number)


def _role_text(match: re.Match[str]) -> str:
    return match[1].rstrip()
