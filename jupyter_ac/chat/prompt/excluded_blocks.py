"""Takes out of the prompt log what it says of files that were excluded after it was sent.

Copies and differences of such a file go, and what belongs to a review and names it. The result of a
tool call has to stay where its call is, so its text is replaced, as is that of what the user has
added. Maps go as a whole; a new one is sent. The words of questions and answers stay: they are the
user's and the model's own.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from jupyter_ac.chat.prompt.blocks import REVIEW_SCHEME, Block, Category
from jupyter_ac.chat.prompt.log import COPIES, MAPS, Exchange
from jupyter_ac.chat.prompt.maps import is_switch
from jupyter_ac.git.excluded_paths import ExcludedPaths

LEFT_OUT: Final = "[left out: it names a file that the user has excluded since]\n"

_CHANGES: Final = f"{REVIEW_SCHEME}changes/"
_REPLACED: Final = frozenset({Category.RESULT, Category.CONTEXT, Category.RETRY})
_OF_FILES: Final = COPIES | {Category.NOTE}
_SHOWING: Final = MAPS | {Category.RANKED}
_CACHED: Final = 4096


def shows(block: Block, excluded: ExcludedPaths) -> bool:
    """Tell whether a block says something of excluded files; of a map, whether it may."""
    if block.category in _SHOWING:
        return excluded.may_be_named_in(block.text)
    if block.category in _REPLACED:
        return bool(excluded.mentioned_in(block.text))
    if block.category not in _OF_FILES or block.path is None:
        return False
    if block.path.startswith(REVIEW_SCHEME) and not block.path.startswith(_CHANGES):
        return excluded.may_be_named_in(block.text)
    return excluded.covers(block.path.removeprefix(_CHANGES))


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
