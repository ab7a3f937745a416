"""Files that a question names: by path, by their own name, or by a symbol that only they define."""

import posixpath
import re
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.inverted_index import Field, InvertedIndex
from jupyter_ac.index.map.words import names
from jupyter_ac.index.view import NamesView

_MAX_PIECES: Final = 400
_FEW: Final = 3
"""Files that define a name up to which its mention is theirs."""
_CODE: Final = re.compile(r"_|[a-z\d][A-Z]")
"""A name that is no word of a language."""


def mentioned_files(view: NamesView, library: InvertedIndex, question: str) -> set[RepoPath]:
    """Return the files that a question is likely to speak of."""
    found: set[RepoPath] = set()
    for piece in question.split()[:_MAX_PIECES]:
        path = RepoPath(piece.strip("`'\"()[]{}<>,;:.?!*"))
        if path in library:
            found.add(path)
        elif "." in path:
            same = library.find(Field.FILE, posixpath.basename(path).lower())
            found.update(same if len(same) <= _FEW else ())
    for name in sorted(set(names(question)))[:_MAX_PIECES]:
        if _CODE.search(name):
            definers = {definition.path for definition in view.defining(name)}
            found.update(definers if len(definers) <= _FEW else ())
    return found
