"""Computes the cache's version from the sources and grammars that determine the records."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from jupyter_ac.index.languages.grammar_files import grammar_files
from jupyter_ac.index.languages.registry import LANGUAGES

_HERE: Final = Path(__file__).parent
_SOURCES: Final = (
    "encoding.py",
    "parsing.py",
    "records.py",
    "languages/*.py",
    "languages/*.scm",
    "project/*.py",
    "extraction/*.py",
    "documents/*.py",
    "graph/*.py",
    "../notebook/*.py",
    "../git/likely_secrets.py",
)


def record_format() -> str:
    """Return a name that changes whenever any record could change; part of the cache's name."""
    name = sha256(source_name(_SOURCES).encode())
    for module in sorted({language.grammar[0] for language in LANGUAGES}):
        name.update("\n".join([module, *_state(module)]).encode())
    return name.hexdigest()[:16]


def source_name(patterns: Iterable[str]) -> str:
    """Return a name for the text of some files of this package."""
    name = sha256()
    for pattern in patterns:
        for file in sorted(_HERE.glob(pattern)):
            name.update(f"{pattern} {file.name}\n".encode() + file.read_bytes())
    return name.hexdigest()


def _state(module: str) -> Iterator[str]:
    """Tell one version of a grammar from another; to ask for the version itself takes longer."""
    for file in grammar_files(module):
        about = file.stat()
        yield f"{file.name} {about.st_size} {about.st_mtime_ns}"
