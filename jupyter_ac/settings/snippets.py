"""Reads snippets: texts that a click inserts into the input.

The repository's file is untrusted: it is plain data of limited size, and the user sees the text in
the input before it is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Final, Literal, TypeAlias, get_args

from jupyter_ac.settings.schema import SettingsText, build, parse

Mode: TypeAlias = Literal["code", "review", "doc"]

MODES: Final[tuple[Mode, ...]] = get_args(Mode)

_FLAT: Final = "snippets"
_LIST: Final = {"most": 200}


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text.

    Attributes:
        message: inserted into the input.
        icon: one or two characters.
        tooltip: its purpose.
    """

    message: str = field(metadata={"most": 20_000})
    icon: str = field(default="", metadata={"most": 16})
    tooltip: str = field(default="", metadata={"most": 200})


@dataclass(frozen=True, slots=True)
class _FlatSnippet:
    """A text in the older format of the file."""

    message: str = field(metadata={"most": 20_000})
    icon: str = field(default="", metadata={"most": 16})
    tooltip: str = field(default="", metadata={"most": 200})
    mode: str = field(default="code", metadata={"words": MODES})


@dataclass(frozen=True, slots=True)
class _Flat:
    snippets: tuple[_FlatSnippet, ...] = field(default=(), metadata=_LIST)


@dataclass(frozen=True, slots=True)
class _Lists:
    code: tuple[Snippet, ...] = field(default=(), metadata=_LIST)
    review: tuple[Snippet, ...] = field(default=(), metadata=_LIST)
    doc: tuple[Snippet, ...] = field(default=(), metadata=_LIST)


Snippets: TypeAlias = Mapping[str, tuple[Snippet, ...]]
"""Lists by mode; for a missing mode the next source is used."""


def read_snippets(source: SettingsText) -> Snippets:
    """Read a `snippets.json`: `{code, review, doc}`, or the flat `{snippets: […]}`.

    Raises:
        BrokenSettings: it is invalid; the message names the line and the key.
    """
    if _FLAT not in source.values:
        lists = build(_Lists, source)
        found = {"code": lists.code, "review": lists.review, "doc": lists.doc}
        return {mode: found[mode] for mode in MODES if mode in source.values}
    flat = build(_Flat, source).snippets
    by_mode: dict[str, tuple[Snippet, ...]] = {}
    for one in flat:
        snippet = Snippet(one.message, one.icon, one.tooltip)
        by_mode[one.mode] = (*by_mode.get(one.mode, ()), snippet)
    return by_mode


def bundled_snippets() -> Snippets:
    """Return the bundled snippets."""
    return read_snippets(parse("snippets.json", bundled_text()))


def bundled_text() -> str:
    """Return the bundled `snippets.json`."""
    folder = resources.files("jupyter_ac.settings") / "defaults"
    return (folder / "snippets.json").read_text(encoding="utf-8")
