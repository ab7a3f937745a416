"""Shortens declarations: parameters by name, results, base classes, one line of source."""

import re
from functools import lru_cache
from typing import Final

from jupyter_ac.index.languages.language import Order

MAX_DETAIL: Final = 200
MAX_SIGNATURE: Final = 120
_MAX_RESULT: Final = 40
_REMEMBERED: Final = 60
"""Length up to which what a parameter comes to is remembered."""
_SELVES: Final = frozenset({"self", "cls", "mut self", "&self", "&mut self", "this", "void"})
_NO_PARAMETERS: Final = frozenset({"()", "(self)", "(cls)", "(&self)", "(&mut self)", "(void)"})
_SHAPES: Final = {"{": "{…}", "[": "[…]", "(": "(…)"}
_OPENING: Final = "([{<"
_OPENS: Final = re.compile(r"[(\[{<]")
_CLOSING: Final = ")]}>"
_TOKEN: Final = re.compile(r"[-=]>|[(\[{<>}\]),]")
_STRING: Final = re.compile(
    r"""(?<!\\)\"[^"\\]*+(?:\\.[^"\\]*+)*+\"|(?<![&<\w\\])'[^'\\]*+(?:\\.[^'\\]*+)*+'"""
)
_DEFAULT: Final = re.compile(r"=(?!>)")
_FIRST_NAME: Final = re.compile(r"(?:\.\.\.|\*{0,2}|&)[^\W\d][\w$]*|\.\.\.")
_FIRST_DOTTED: Final = re.compile(r"\.?[^\W\d][\w.]*|\.\.\.")
_LAST_LETTER: Final = re.compile(r"\w(?=\W*+\Z)")
_FROM_NAME: Final = re.compile(r"[^\W\d].*", re.DOTALL)
_POINTER_NAME: Final = re.compile(r"\(\s*[*&^]\s*(\w+)")
_MODIFIER: Final = re.compile(
    r"^(?:@[\w.]+(?:\([^)]*\))?\s+|(?:public|private|protected|internal|readonly|override|mut|ref|final|open"
    r"|var|val|vararg|crossinline|noinline|inline|implicit|using)(?:\[\w+\])?\s+)+(?=[^\W\d]|[.*&@({\[])"
)
_BASE: Final = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|\\)[^\W\d][\w$]*)*")
_NO_BASES: Final = frozenset(
    {"extends", "implements", "public", "private", "protected", "virtual", "with", "permits", "use"}
)


def short_parameters(text: str, order: Order, *, dotted: bool = False) -> str:
    """Return parameters by name, those that may be left out with `?`, in parentheses.

    Args:
        text: the list as written, with what surrounds it.
        order: where a parameter's name stands.
        dotted: whether a dot is a letter of a name.
    """
    inner = text.strip()
    if inner in _NO_PARAMETERS:
        return "()"
    if inner[:1] in {"(", "[", "|"}:
        inner = inner[1:-1]
    if not inner:
        return "()"
    plain = _STRING.sub("_", inner) if '"' in inner or "'" in inner else inner
    name = _FIRST_DOTTED if dotted else _FIRST_NAME
    names = [
        (_known_parameter if len(piece) <= _REMEMBERED else _parameter)(piece.strip(), order, name)
        for piece in pieces(plain)
    ]
    return _bounded(f"({','.join(filter(None, names))})")


def short_result(text: str) -> str:
    """Return a result's type as `->R`; "" for none."""
    plain = " ".join(text.strip().removeprefix("->").removeprefix(":").split())
    if not plain:
        return ""
    return f"->{plain if len(plain) <= _MAX_RESULT else plain[: _MAX_RESULT - 1] + '…'}"


def base_names(text: str, *, dotted: bool = False) -> tuple[str, ...]:
    """Return the last parts of the names of bases in a clause, without type arguments.

    Args:
        text: the clause.
        dotted: whether a dot is a letter of a name.
    """
    found: dict[str, None] = {}
    for piece in pieces(text.strip().removeprefix("(").removesuffix(")")):
        if "=" in piece:
            continue
        for name in _BASE.findall(_outermost(piece)):
            if name not in _NO_BASES:
                last = name.replace("\\", "::").rpartition("::")[2]
                found[last if dotted else last.rpartition(".")[2]] = None
    return tuple(found)


def one_line(text: str) -> str:
    """Return a declaration on one line, cut openly when it is long."""
    plain = text
    if "\n" in text or "  " in text or "\t" in text or "\r" in text:
        plain = " ".join(text.split())
    plain = plain.rstrip(" {:=")
    plain = plain.removesuffix("=>").rstrip()
    return plain if len(plain) <= MAX_DETAIL else plain[: MAX_DETAIL - 1] + "…"


def pieces(text: str) -> list[str]:
    """Split at the commas that stand in no brackets."""
    if _OPENS.search(text) is None:
        return text.split(",")
    found: list[str] = []
    depth = begin = 0
    for token in _TOKEN.finditer(text):
        kind = token[0]
        if kind == "," and depth == 0:
            found.append(text[begin : token.start()])
            begin = token.end()
        elif kind in _OPENING:
            depth += 1
        elif kind in _CLOSING and depth:
            depth -= 1
    return [*found, text[begin:]]


def _outermost(text: str) -> str:
    """Leave out what stands in brackets."""
    kept, depth = [], 0
    for character in text:
        if character in _OPENING:
            depth += 1
            kept.append(" " if depth == 1 else "")
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(character)
    return "".join(kept)


def _parameter(piece: str, order: Order, name: re.Pattern[str]) -> str:
    if not piece or piece in _SELVES or piece == "/":
        return ""
    if piece == "*":
        return piece
    declared, *default = _DEFAULT.split(piece, maxsplit=1)
    if order == "name last":
        return _named_last(declared) + ("?" if default else "")
    declared = declared.strip()
    if " " in declared or "@" in declared:
        declared = _MODIFIER.sub("", declared)
    if shape := _SHAPES.get(declared[:1]):
        return shape
    head, _, _ = declared.partition(":")
    found = name.match(head.strip())
    if found is None:
        return ""
    optional = bool(default) or head.rstrip().endswith("?")
    return found.group() + ("?" if optional else "")


_known_parameter: Final = lru_cache(maxsize=1 << 13)(_parameter)
"""Most parameters are written alike in many places."""


def _named_last(declared: str) -> str:
    if "..." in declared and not declared.strip(". "):
        return "..."
    if pointer := _POINTER_NAME.search(declared):
        return pointer.group(1)
    found = _last_name(_without_brackets(declared))
    dots = "..." if "..." in declared else ""
    return dots + found if found else ""


def _last_name(text: str) -> str:
    """Return the last word, with every `$` in it and at its end."""
    last = _LAST_LETTER.search(text)
    if last is None:
        return ""
    begin, end = last.span()
    while begin and (text[begin - 1].isalnum() or text[begin - 1] in "_$"):
        begin -= 1
    while text[end : end + 1] == "$":
        end += 1
    name = _FROM_NAME.search(text, begin, end)
    return name[0] if name is not None else ""


def _without_brackets(text: str) -> str:
    end = text.rfind("]") + 1
    return re.sub(r"\[[^\]]*+(?:\]|\Z)", "", text[:end]) + text[end:]


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_SIGNATURE else f"{text[: MAX_SIGNATURE - 2]}…)"
