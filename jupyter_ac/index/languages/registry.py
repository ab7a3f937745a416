"""Lists the supported languages and detects a file's language by its name."""

import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from jupyter_ac.index.languages.bash import BASH
from jupyter_ac.index.languages.c import C
from jupyter_ac.index.languages.cpp import CPP
from jupyter_ac.index.languages.csharp import CSHARP
from jupyter_ac.index.languages.css import CSS
from jupyter_ac.index.languages.go import GO, module_rows
from jupyter_ac.index.languages.html import HTML
from jupyter_ac.index.languages.java import JAVA
from jupyter_ac.index.languages.javascript import JAVASCRIPT
from jupyter_ac.index.languages.json import JSON
from jupyter_ac.index.languages.julia import JULIA
from jupyter_ac.index.languages.kotlin import KOTLIN
from jupyter_ac.index.languages.language import UNKNOWN, Language, ReadManifest, no_rows
from jupyter_ac.index.languages.lua import LUA
from jupyter_ac.index.languages.php import PHP
from jupyter_ac.index.languages.python import PYTHON
from jupyter_ac.index.languages.r import R, package_rows
from jupyter_ac.index.languages.ruby import RUBY
from jupyter_ac.index.languages.rust import RUST
from jupyter_ac.index.languages.scala import SCALA
from jupyter_ac.index.languages.sql import SQL
from jupyter_ac.index.languages.toml import TOML
from jupyter_ac.index.languages.typescript import TSX, TYPESCRIPT
from jupyter_ac.index.languages.yaml import YAML

NOTEBOOK: Final = "notebook"
DOCUMENTS: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".svg": "svg",
    ".ipynb": NOTEBOOK,
}


TEXT: Final = "text"
PLAIN_MANIFESTS: Final[dict[str, ReadManifest]] = {
    "go.mod": module_rows,
    "DESCRIPTION": package_rows,
}
"""Files that are read for the imports of others, by their names; they have no symbols."""
_TEXT_NAMES: Final = re.compile(
    r"(?:read.?me|changes|changelog|history|news|install(?:ation)?|usage|todo|authors|credits"
    r"|contributing|hacking|notes|faq|design|overview|roadmap)\b"
)
_TEXT_FOLDERS: Final = frozenset({"doc", "docs", "documentation", "manual", "notes"})
_LOCKS: Final = frozenset({"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"})
"""Written by programs, in thousands of lines that nobody reads."""

_NO_TEXTS: Final = re.compile(r"cmakelists|requirements|constraints|robots|sources?$|entry_points")
"""Names of files that are read by programs though they end as texts."""


LANGUAGES: Final = (
    PYTHON,
    JAVASCRIPT,
    TYPESCRIPT,
    TSX,
    C,
    CPP,
    JAVA,
    KOTLIN,
    SCALA,
    CSHARP,
    GO,
    RUST,
    RUBY,
    PHP,
    LUA,
    R,
    JULIA,
    BASH,
    SQL,
    JSON,
    TOML,
    YAML,
    HTML,
    CSS,
)

SELF_NAMES: Final = frozenset(name for each in LANGUAGES for name in each.names.self_names)
SUPER_NAMES: Final = frozenset(name for each in LANGUAGES for name in each.names.super_names)
DECLARING: Final = tuple(end for each in LANGUAGES for end in each.declaring)
"""Endings of files that only declare what others define."""

_BY_NAME: Final = {language.name: language for language in LANGUAGES}
_OF_CELLS: Final = {
    language.name: replace(language, grammar=language.cells_grammar)
    for language in LANGUAGES
    if language.cells_grammar
}
_BY_EXTENSION: Final = {end: language.name for language in LANGUAGES for end in language.extensions}
_MANIFESTS: Final[dict[str, ReadManifest]] = {
    each.name: each.manifest for each in LANGUAGES
} | PLAIN_MANIFESTS
_BY_FILE_NAME: Final = {
    name: language.name for language in LANGUAGES for name in language.file_names
} | {name: name for name in PLAIN_MANIFESTS}


def language_of(path: str) -> str:
    """Return the language of a file by its name alone; "" when it is in none that is read.

    Args:
        path: with `/` between its parts.
    """
    name = PurePosixPath(path).name
    if name in _LOCKS:
        return ""
    if found := _BY_FILE_NAME.get(name):
        return found
    extension = PurePosixPath(name).suffix.lower()
    if extension == ".txt":
        return TEXT if _is_text(path) else ""
    return _BY_EXTENSION.get(extension) or DOCUMENTS.get(extension, "")


def _is_text(path: str) -> bool:
    """Tell whether a `.txt` is a document: by its name, or because it lies among documents."""
    folder, _, name = path.lower().rpartition("/")
    if _NO_TEXTS.match(name.removesuffix(".txt")):
        return False
    is_among = not _TEXT_FOLDERS.isdisjoint(folder.split("/"))
    return is_among or _TEXT_NAMES.match(name) is not None


def language_named(name: str) -> Language | None:
    """Return what is known of a language; None for documents and unknown names."""
    return _BY_NAME.get(name)


def language_of_cells(name: str) -> Language | None:
    """Return what is known of the cells of notebooks whose kernel has a language."""
    return _OF_CELLS.get(name) or language_named(name)


def described(name: str) -> Language:
    """Return what is known of a language; `UNKNOWN` for documents and unknown names."""
    return _BY_NAME.get(name, UNKNOWN)


def family_of(name: str) -> str:
    """Return a language, or the one that stands for all whose files name each other."""
    return described(name).family or name


def manifest_reader(name: str) -> ReadManifest:
    """Return what reads a language's files for what they tell of the project."""
    return _MANIFESTS.get(name, no_rows)
