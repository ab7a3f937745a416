"""Maps for sessions that are played: of the real index, and waited for, so that runs are equal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Self

from jupyter_ac.chat.ports import MapAsk, MapState, MapText
from jupyter_ac.errors import NotReady, RemoteError
from jupyter_ac.events import Mode
from jupyter_ac.index.client import IndexClient
from jupyter_ac.services.llm.maps import shown_wire
from jupyter_ac.settings.app import PromptSettings
from tests.support.repositories import RepositoryFolder

LIMIT_S: Final = 60.0
ATTEMPTS: Final = 60
"""A worker that isn't ready in time gives nothing."""


class IndexMaps:
    """The maps of one repository, as a host has them.

    Args:
        client: the index worker.
    """

    def __init__(self, client: IndexClient) -> None:
        self._client = client

    @classmethod
    @asynccontextmanager
    async def of(cls, made: RepositoryFolder, cache: Path) -> AsyncIterator[Self]:
        """Index a repository."""
        client = IndexClient(made.root, cache)
        try:
            assert await client.ready(LIMIT_S)
            yield cls(client)
        finally:
            await client.aclose()

    async def renew(self) -> None:
        """Look at the tree again."""
        await self._client.refresh()

    async def head(self, mode: Mode, wait_s: float) -> MapText | None:
        """Return the map for the head."""
        assert wait_s >= 0
        name = "Index.document_map" if mode == "doc" else "Index.stable_map"
        budget = PromptSettings().map_tokens
        found = await self._client.call(name, budget, timeout_s=LIMIT_S)
        assert isinstance(found, dict)
        return MapText(str(found["text"]), str(found.get("legend", "")))

    async def ranked(self, ask: MapAsk, /) -> str:
        """Return what a question is likely to need."""
        shown = shown_wire(ask.shown)
        args = list(ask.selected), ask.question, list(ask.talk), ask.budget_tokens, shown
        for _ in range(ATTEMPTS):
            try:
                found = await self._client.call("Index.ranked_map", *args, timeout_s=LIMIT_S)
            except RemoteError:  # the words are still being counted
                continue
            assert isinstance(found, dict)
            return str(found["text"])
        raise NotReady("the words were never counted")

    def state(self) -> MapState:
        """Say that all is ready."""
        return MapState(code_ready=True, doc_ready=True)
