"""The outline of a document, whatever it is written in."""

from collections.abc import Callable, Mapping
from typing import Final

from jupyter_ac.index.documents.markdown import markdown_outline
from jupyter_ac.index.documents.notebook import notebook_outline
from jupyter_ac.index.documents.rst import rst_outline
from jupyter_ac.index.documents.svg import svg_outline
from jupyter_ac.index.documents.txt import txt_outline
from jupyter_ac.index.languages.registry import TEXT
from jupyter_ac.index.records import Outline

_READERS: Final[Mapping[str, Callable[[str], Outline]]] = {
    "markdown": markdown_outline,
    "notebook": notebook_outline,
    "rst": rst_outline,
    "svg": svg_outline,
    TEXT: txt_outline,
}

LANGUAGES: Final = frozenset(_READERS)
"""Names of the languages, as `jupyter_ac.index.parsing` gives them, that have an outline."""


def outline(language: str, text: str) -> Outline:
    """Read the structure of a document.

    Args:
        language: one of `LANGUAGES`. Of a notebook the text is its percent format, whose lines
            the outline then counts.
        text: any text at all; what makes no sense in the language is left out.
    """
    return _READERS[language](text)
