"""A world in which nothing is made up: git, SQLite, the workers, and litellm behind them."""

import importlib.util
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import tiktoken

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import ModelGateway, ModelOptions
from jupyter_ac.chat.ports import LogPorts, Maps, StartGate, TurnPorts
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.git.repository import discover
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.settings.app import AppSettings
from jupyter_ac.workers.process import Worker
from tests.chat.memory import MemoryImages, MemoryMaps, Notes
from tests.services.llm.pages import Service
from tests.support.exclusions import none_excluded
from tests.support.histories import history_in
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder


@dataclass
class RealWorld:
    """What a host would put together, around a scripted provider.

    Attributes:
        folder: the repository.
        state: the folder of the history.
        models: the client of the worker with litellm.
        choice: which model answers.
        settings: as `app.json` has them.
        terms: how models are asked.
        maps: of the repository.
    """

    folder: RepositoryFolder
    state: Path
    models: ModelsClient
    choice: ModelChoice | None = None
    settings: AppSettings = field(default_factory=AppSettings)
    terms: ModelOptions = field(default_factory=ModelOptions)
    maps: Maps = field(default_factory=MemoryMaps)

    def use(self, model: str, server: RunningModelServer) -> None:
        """Answer with this model of the scripted server from now on."""
        base = server.anthropic if model.startswith("anthropic/") else server.openai
        self.choice = ModelChoice(model, "flag", api_base=base)


@asynccontextmanager
async def hosting(world: RealWorld) -> AsyncIterator[Service]:
    """Run a host over the world, from its start to its end."""
    repository = await discover(world.folder.root)
    database = history_in(world.state)
    counting = Worker("tokens")
    gate = StartGate()
    gate.open()
    ports = TurnPorts(
        models=ModelGateway(world.models, lambda: world.choice, lambda: world.terms),
        files=RepositoryFiles(repository, excluded=none_excluded),
        counts=BlockCounts(TokenCounter(counting)),
        history=HistoryStore(database, repository.worktree),
        gate=gate,
        log=LogPorts(CompactionStore(database), lambda: world.settings),
        images=MemoryImages(),
        events=Notes(),
        maps=world.maps,
        review=ReviewContext(repository, none_excluded),
    )
    service = Service(ports, HistoryArchive(database, repository.worktree))
    try:
        yield service
    finally:
        await service.aclose()
        await counting.aclose()
        await database.aclose()


def texts_of(body: Mapping[str, object]) -> Iterator[str]:
    """Every text part of a request in either wire format, in order."""
    system = body.get("system")
    messages = body["messages"]
    assert isinstance(messages, list)
    for content in [system, *(message["content"] for message in messages)]:
        if isinstance(content, str):
            yield content
        for part in content if isinstance(content, list) else []:
            yield part["text"]


def messages_in(body: Mapping[str, object]) -> int:
    """How many messages a request has, a separate system text included."""
    messages = body["messages"]
    assert isinstance(messages, list)
    return len(messages) + ("system" in body)


def count(encoding: str, body: Mapping[str, object]) -> int:
    """Count a request's texts by the tables that come with litellm, without our code."""
    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    tables = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(tables))
    table = tiktoken.get_encoding(encoding)
    return sum(len(table.encode_ordinary(text)) for text in texts_of(body))
