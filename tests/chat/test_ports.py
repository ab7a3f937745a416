import asyncio
from pathlib import Path

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.events import HistoryEvents
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.ports import LogPorts, StartGate, TurnPorts
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.event_bus import EventBus
from jupyter_ac.git.repository import Repository
from jupyter_ac.index.client import IndexClient
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.services.llm.indexing import Indexing
from jupyter_ac.services.llm.maps import IndexMaps
from jupyter_ac.settings.app import AppSettings, PromptSettings
from jupyter_ac.workers.process import Worker
from tests.support.exclusions import none_excluded
from tests.support.histories import history_in


async def test_the_real_parts_fit_the_ports(tmp_path: Path) -> None:
    """What is checked is their types, by the type checker."""
    database = history_in(tmp_path)
    repository, bus = Repository(tmp_path, tmp_path, tmp_path, "x"), EventBus()
    files = RepositoryFiles(repository, excluded=none_excluded)
    history, client = HistoryStore(database, ""), IndexClient(tmp_path, tmp_path)
    book = ConversationRegistry(
        history,
        files,
        FocusStore(database, ""),
        PageStore(database, ""),
        NotebookViewStore(database, ""),
    )
    ports = TurnPorts(
        models=ModelGateway(ModelsClient(Worker("models")), lambda: None),
        files=files,
        counts=BlockCounts(TokenCounter(Worker("tokens"))),
        history=history,
        gate=StartGate(),
        log=LogPorts(CompactionStore(database), AppSettings),
        images=ImageFolder(tmp_path),
        events=SystemEventRecorder(book, HistoryEvents(database, ""), bus),
        review=ReviewContext(repository, none_excluded),
        maps=IndexMaps(client, Indexing(client, bus), PromptSettings, none_excluded),
    )
    assert Turns(ports, bus).active == 0
    await database.aclose()


async def test_who_waits_passes_when_the_gate_opens_and_later_comers_at_once() -> None:
    gate = StartGate()
    waiting = asyncio.create_task(gate.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert not gate.is_open
    gate.open()
    await asyncio.wait_for(waiting, 30)
    await asyncio.wait_for(gate.wait(), 30)
    assert gate.is_open
