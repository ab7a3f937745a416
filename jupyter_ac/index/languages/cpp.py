"""C++; its files and those of C can refer to each other."""

from typing import Final

from jupyter_ac.index.languages.c import IMPORTS, NAMES, C
from jupyter_ac.index.languages.language import Language, Reading

_SOURCES: Final = (".cpp", ".cc", ".cxx", ".c++", ".cu")
_HEADERS: Final = (".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".cuh")

CPP: Final = Language(
    "cpp",
    (*_SOURCES, *_HEADERS),
    ("tree_sitter_cpp", "language"),
    declaring=(".hh", ".hpp", ".hxx"),
    family=C.name,
    reading=Reading(
        queries=("cpp", "function_pointers"), order="name last", separators=("->", "::")
    ),
    names=NAMES,
    imports=IMPORTS,
)
