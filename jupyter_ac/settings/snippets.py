"""Texts that a click puts into the input: ours, the user's, the repository's.

The repository's file is anybody's: it is plain data of a bounded size, which the user sees in the
input before it is sent.
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
    """One text.

    Attributes:
        message: what goes into the input.
        icon: a sign or two.
        tooltip: what it is for.
    """

    message: str = field(metadata={"most": 20_000})
    icon: str = field(default="", metadata={"most": 16})
    tooltip: str = field(default="", metadata={"most": 200})


@dataclass(frozen=True, slots=True)
class _FlatSnippet:
    """One text in the older form of the file."""

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
"""Lists by mode; a mode that isn't in it is left to whoever is asked next."""


def read_snippets(source: SettingsText) -> Snippets:
    """Return what a `snippets.json` says: `{code, review, doc}`, or the flat `{snippets: […]}`.

    Raises:
        BrokenSettings: it can't be used; the message names the line and the key.
    """
    if _FLAT not in source.said:
        lists = build(_Lists, source)
        found = {"code": lists.code, "review": lists.review, "doc": lists.doc}
        return {mode: found[mode] for mode in MODES if mode in source.said}
    flat = build(_Flat, source).snippets
    by_mode: dict[str, tuple[Snippet, ...]] = {}
    for one in flat:
        snippet = Snippet(one.message, one.icon, one.tooltip)
        by_mode[one.mode] = (*by_mode.get(one.mode, ()), snippet)
    return by_mode


def bundled_snippets() -> Snippets:
    """Return ours."""
    return read_snippets(parse("snippets.json", bundled_text()))


def bundled_text() -> str:
    """Return our `snippets.json`."""
    folder = resources.files("jupyter_ac.settings") / "defaults"
    return (folder / "snippets.json").read_text(encoding="utf-8")
