"""Takes out of the prompt log what it says of files that were excluded after it was sent.

Copies and differences of such a file go, and what belongs to a review and names it. The result of a
tool call has to stay where its call is, so its text is replaced, as is that of what the user has
added. Maps go as a whole; a new one is sent. The words of questions and answers stay: they are the
user's and the model's own.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Final

from jupyter_ac.chat.prompt.blocks import (
    REVIEW_SCHEME,
    TOOL_SCHEME,
    Block,
    Category,
    shown_path,
    wellformed,
)
from jupyter_ac.chat.prompt.log import COPIES, MAPS, Exchange
from jupyter_ac.chat.prompt.maps import is_switch
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath

LEFT_OUT: Final = "[left out: it names a file that the user has excluded since]\n"

_CHANGES: Final = f"{REVIEW_SCHEME}changes/"
_REPLACED: Final = frozenset({Category.RESULT, Category.CONTEXT, Category.RETRY})
_OF_FILES: Final = COPIES | {Category.NOTE}
_SHOWING: Final = MAPS | {Category.RANKED}
_OUTLINE: Final = f"{TOOL_SCHEME}outline/"
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_FOLDER: Final = re.compile(rf"({_QUOTED}|[^\s\"]+)/(?=\s|$)")
_FILE: Final = re.compile(rf"\s+({_QUOTED}|[^\s\":]+)")
_CACHED: Final = 4096
_LISTS: Final = 16


def shows(block: Block, excluded: ExcludedPaths) -> bool:
    """Tell whether a block says something of excluded files; of a map, whether it may."""
    if block.category in _SHOWING:
        return _as_written(excluded).may_be_named_in(block.text)
    if block.category in _REPLACED:
        return _is_named(block, _as_written(excluded))
    if block.category is Category.NOTE and block.path is None:
        return bool(_as_written(excluded).mentioned_in(block.text))
    if block.category not in _OF_FILES or block.path is None:
        return False
    if block.path.startswith(REVIEW_SCHEME) and not block.path.startswith(_CHANGES):
        return _as_written(excluded).may_be_named_in(block.text)
    return excluded.covers(block.path.removeprefix(_CHANGES))


def _is_named(block: Block, excluded: ExcludedPaths) -> bool:
    text = block.text
    if block.category is Category.CONTEXT:  # sources are named from the server's folder
        return bool(excluded.mentioned_in(text, from_any_folder=True))
    if block.path is not None and block.path.startswith(_OUTLINE):
        text = "\n".join(_with_paths(text))
    return bool(excluded.mentioned_in(text))


def _with_paths(outline: str) -> Iterator[str]:
    """Return the lines of an outline, and the paths of the files that stand below folders."""
    folder = ""
    for line in outline.splitlines():
        yield line
        first = _FOLDER.match(line)
        if first is not None:
            folder = _plain(first[1])
        name = _FILE.match(line, first.end() if first is not None else 0)
        if name is not None and folder:
            yield _plain(name[1]) if folder == "." else f"{folder}/{_plain(name[1])}"


def _plain(word: str) -> str:
    """Return a name as it is; outlines have it as JSON where it could mislead."""
    if word.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(word))
    return word


@lru_cache(maxsize=_LISTS)
def _as_written(excluded: ExcludedPaths) -> ExcludedPaths:
    """Return what is excluded with the forms in which texts have names, some with escapes."""
    forms = (
        (path, shown_path(path), shown_path(wellformed(path)), wellformed(path))
        for path in excluded.paths
    )
    paths = dict.fromkeys(RepoPath(form) for one in forms for form in one)
    return replace(excluded, paths=tuple(paths), since=())


def withheld(exchange: Exchange, excluded: ExcludedPaths) -> Exchange:
    """Return an exchange without what it says of excluded files, and without maps."""
    left = (_left(block, excluded) for block in exchange.sent)
    sent = tuple(block for block in left if block is not None)
    return exchange if sent == exchange.sent else replace(exchange, sent=sent)


@lru_cache(maxsize=_CACHED)
def _left(block: Block, excluded: ExcludedPaths) -> Block | None:
    if block.category in _SHOWING or is_switch(block):
        return None
    if not shows(block, excluded):
        return block
    is_replaced = block.category in _REPLACED
    return Block(block.category, LEFT_OUT, block.path) if is_replaced else None
