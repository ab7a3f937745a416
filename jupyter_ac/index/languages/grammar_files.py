"""Locates compiled grammars without loading them; those of an extra may not be installed."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from jupyter_ac.index.languages.language import Language

_PACKAGE: Final = "jupyter_ac"


def grammar_files(module: str) -> list[Path]:
    """Return the files of a grammar's compiled code; none if it isn't installed.

    Args:
        module: as `Language.grammar` names it: a package, or a compiled module inside of one.
    """
    # To ask for a module inside of a package would import the package.
    package, _, inner = module.partition(".")
    found = find_spec(package)
    pattern = f"{inner.replace('.', '/')}.*" if inner else "*binding*"
    folders = (found.submodule_search_locations or ()) if found else ()
    return [file for folder in folders for file in sorted(Path(folder).glob(pattern))]


def missing_package(language: Language) -> str:
    """Return what to install for a language to be read; "" when its grammar is there."""
    if not language.extra or grammar_files(language.grammar[0]):
        return ""
    return f"{_PACKAGE}[{language.extra}]"
