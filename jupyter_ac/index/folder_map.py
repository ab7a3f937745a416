"""Maps a folder that is not the user's repository, by an index of its own that is thrown away."""

import logging
from contextlib import aclosing
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import initialise
from jupyter_ac.index.client import IndexClient

_logger = logging.getLogger(__name__)

_INDEX_S: Final = 60.0
_MAP_S: Final = 60.0


async def folder_map(folder: Path, cache: Path, budget_tokens: int) -> str:
    """Return the map of a folder's files; "" if there is none.

    Args:
        folder: holds the files; becomes a git repository.
        cache: an empty folder for the index.
        budget_tokens: size of the map.
    """
    try:
        repository = await initialise(folder)
        index = IndexClient(repository.root, cache)
        async with aclosing(index):
            if not await index.ready(_INDEX_S):
                return ""
            found = await index.call("Index.whole_map", [], "", budget_tokens, timeout_s=_MAP_S)
    except AcError as error:
        _logger.info("no map of a folder: %s", error)
        return ""
    return str(found["text"]) if isinstance(found, dict) else ""
