"""Asks a person's JupyterLab pages for their files with unsaved changes.

A page in JupyterLab lists `AcApp.getUnsavedFiles`. It answers with the paths of documents: relative
to the repository, absolute, or below `~`, the only form in which a page knows the server's folder.
"""

import asyncio
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.subscribers import Subscribers

log = logging.getLogger(__name__)

QUESTION: Final = "AcApp.getUnsavedFiles"
_TIMEOUT_S: Final = 0.5
_MOST: Final = 1000


class OpenDocuments:
    """Asks the pages that support `AcApp.getUnsavedFiles`.

    Args:
        audience: the connected pages.
        root: the repository's top folder.
    """

    def __init__(self, audience: Subscribers, root: Path) -> None:
        self._subscribers = audience
        self._root = root

    async def unsaved(self, conversation_key: ConversationKey) -> frozenset[RepoPath]:
        """Return the files that a person has open with unsaved changes.

        All the person's pages are asked, also those beside this conversation; one that
        doesn't answer soon has none.
        """
        pages = self._subscribers.pages_of(conversation_key.identity)
        asked = [page for page in pages if QUESTION in page.remote_methods]
        if not asked:
            return frozenset()
        answers = await asyncio.gather(*map(_ask, asked))
        names = [name for answer in answers for name in answer]
        return await asyncio.to_thread(lambda: frozenset(_inside(self._root, names)))


async def _ask(page: Peer) -> list[str]:
    try:
        answer = await page.call(QUESTION, timeout_s=_TIMEOUT_S)
    except AcError as error:
        log.debug("a page did not tell its unsaved files: %s", error)
        return []
    if not isinstance(answer, list):
        return []
    return [name for name in answer[:_MOST] if isinstance(name, str)]


def _inside(root: Path, names: list[str]) -> Iterator[RepoPath]:
    """Return the names that are in the repository; for a link, also its target."""
    top = Path(os.path.realpath(root))
    for name in names:
        try:
            place = root / Path(name).expanduser()
            for real in (Path(os.path.realpath(place.parent), place.name), place.resolve()):
                if real != top and real.is_relative_to(top):
                    yield RepoPath(real.relative_to(top).as_posix())
        except (OSError, RuntimeError, ValueError) as error:
            log.debug("the name of an unsaved file is not usable: %s", error)
