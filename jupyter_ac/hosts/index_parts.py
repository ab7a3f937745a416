"""Puts together the index of one repository: its worker, jedi's, and the maps for prompts."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from jupyter_ac.git.repository import Repository
from jupyter_ac.index.client import IndexClient
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.index.navigation.jedi_client import JediClient
from jupyter_ac.index.navigation.navigator import Navigator
from jupyter_ac.services.llm.indexing import Indexing
from jupyter_ac.services.llm.maps import IndexMaps
from jupyter_ac.services.repo.write_context import ChangeListeners
from jupyter_ac.settings.app import PromptSettings
from jupyter_ac.settings.paths import cache_dir


@dataclass(frozen=True, slots=True)
class IndexParts:
    """What there is for one working tree; nothing is started yet.

    Attributes:
        indexing: keeps the index up to date.
        maps: for prompts.
        navigator: for the panel.
        python: jedi's child.
    """

    indexing: Indexing
    maps: IndexMaps
    navigator: Navigator
    python: JediClient

    async def aclose(self) -> None:
        """End the workers; bounded."""
        async with AsyncExitStack() as closing:
            # Left in the opposite order.
            closing.push_async_callback(self.python.aclose)
            closing.push_async_callback(self.indexing.aclose)
            closing.push_async_callback(self.maps.aclose)


def index_parts(
    repository: Repository,
    environ: Mapping[str, str],
    settings: Callable[[], PromptSettings],
    pages: ChangeListeners,
) -> IndexParts:
    """Make the parts.

    Args:
        repository: whose working tree.
        environ: names the machine's cache.
        settings: say how large maps are.
        pages: told of what happens.
    """
    cache = cache_dir(environ)

    def tell(progress: RefreshProgress) -> None:
        indexing.progressed(progress)

    client = IndexClient(
        repository.root, cache, tell=tell, shows_jupyter_files=repository.shows_jupyter_files
    )
    indexing = Indexing(client, pages)
    python = JediClient(repository.root, cache)
    maps = IndexMaps(client, indexing, settings)
    return IndexParts(indexing, maps, Navigator(repository, client, python), python)
