from pathlib import Path

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.startup_gate import StartGate
from jupyter_ac.chat.turns import Turns
from jupyter_ac.git.repository import Repository
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.workers.process import Worker
from tests.support.histories import history_in


async def test_the_real_parts_fit_the_ports(tmp_path: Path) -> None:
    """What is checked is their types, by the type checker."""
    database = history_in(tmp_path)
    ports = TurnPorts(
        models=ModelGateway(ModelsClient(Worker("models")), lambda: None),
        files=RepositoryFiles(Repository(tmp_path, tmp_path, tmp_path, "x")),
        counts=BlockCounts(TokenCounter(Worker("tokens"))),
        history=HistoryStore(database, ""),
        gate=StartGate(),
    )
    assert Turns(ports, Subscribers()).active == 0
    await database.aclose()
