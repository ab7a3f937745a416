"""The `Settings` of a workspace in memory: real files, a real plan, a keyring in a dictionary."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.method_table import settings_methods, settings_ports
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.models.client import CompletedAnswer
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access, MethodTable
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.settings.ports import ModelSummary, SettingsPorts
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.workers.wire import (
    CompletionRequest,
    ListedModel,
    ServedModels,
    ServedModelsRequest,
    Usage,
)
from tests.support.checked_peer import CheckedPeer
from tests.support.conformance import problems
from tools.api.surface import result_of

KEY = "sk-ant-0123456789abcdefghijkl"
WAIT_S = 90.0


class MemoryKeyring:
    """A backend as the package `keyring` has them."""

    priority = 1.0

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.refuses = False

    def get_password(self, _service: str, username: str, /) -> str | None:
        return self.kept.get(username)

    def set_password(self, _service: str, username: str, password: str, /) -> None:
        if self.refuses:
            raise RuntimeError(f"locked, {password} is not kept")
        self.kept[username] = password

    def delete_password(self, _service: str, username: str, /) -> None:
        del self.kept[username]


class NoModels:
    """Answers requests to models as a test wants it, without a process.

    Attributes:
        asked: the requests for answers.
        searched: the requests for names of models.
        fails: what every request raises, or None.
        text: of each answer.
    """

    def __init__(self) -> None:
        self.asked: list[CompletionRequest] = []
        self.searched: list[ServedModelsRequest] = []
        self.fails: Exception | None = None
        self.text = "ready"

    async def load(self) -> None:
        pass

    async def complete(
        self, request: CompletionRequest, on_text: Callable[[str], None]
    ) -> CompletedAnswer:
        self.asked.append(request)
        if self.fails:
            raise self.fails
        on_text(self.text)
        return CompletedAnswer(self.text, "stop", Usage())

    async def served(self, request: ServedModelsRequest) -> ServedModels:
        self.searched.append(request)
        if self.fails:
            raise self.fails
        return ServedModels(f"{request.api_base}/v1", ("small", "large:7b"))


def listed(name: str) -> ListedModel:
    return {
        "name": name,
        "provider": name.partition("/")[0],
        "max_input_tokens": 1000,
        "input_cost": 1e-6,
        "output_cost": None,
    }


@dataclass
class World:
    """What a test sets up, and what it sees.

    Attributes:
        folder: has the configuration in `config` and the repository in `repo`.
        environ: the host's environment.
        admin: what the administrator allows.
        keyring: None for a system without one.
        allowed: what the caller may do.
        models: the catalogue.
        endpoints: answers requests to models.
        heard: the changes that were announced.
        came: everything that went to the caller, as text.
    """

    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    admin: JupyterAC = field(default_factory=JupyterAC)
    keyring: MemoryKeyring | None = None
    allowed: Sequence[Access] = tuple(Access)
    models: Sequence[str] = ("openai/gpt-5.4", "anthropic/claude-x", "ollama/llama3")
    endpoints: NoModels = field(default_factory=NoModels)
    has_demo: bool = False
    flag: str | None = None
    heard: list[tuple[ModelSummary, str]] = field(default_factory=list)
    came: list[str] = field(default_factory=list)

    @property
    def config(self) -> Path:
        return self.folder / "config"

    def write(self, name: str, value: object) -> None:
        self.config.mkdir(exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        (self.config / name).write_text(text, encoding="utf-8")

    def said(self, name: str = "llm.json") -> dict[str, object]:
        value: dict[str, object] = json.loads((self.config / name).read_text(encoding="utf-8"))
        return value


def rows(value: object) -> list[dict[str, object]]:
    """Return a list of objects as one."""
    assert isinstance(value, list)
    return value


@dataclass
class Page:
    """A page that calls `Settings`, each answer checked against its type."""

    world: World
    peer: Peer
    table: MethodTable
    model: LiveModel
    ports: SettingsPorts

    async def call(self, name: str, *args: object) -> dict[str, object]:
        answer = await self.ask(name, *args)
        assert isinstance(answer, dict)
        return answer

    async def ask(self, name: str, *args: object) -> object:
        async with asyncio.timeout(WAIT_S):
            answer = await self.peer.call(f"Settings.{name}", *args)
        assert problems(answer, result_of(self.table[f"Settings.{name}"]), name) == []
        self.world.came.append(json.dumps(answer, ensure_ascii=False))
        return answer


@asynccontextmanager
async def page(world: World) -> AsyncIterator[Page]:
    """Serve the settings to one page."""
    backend = world.keyring
    planner = ModelPlanner(
        world.environ,
        world.config,
        world.admin,
        lambda: world.has_demo,
        world.flag,
        Keyring(lambda: backend),
    )
    model = LiveModel(planner)
    await model.renew()
    model.listen(lambda summary, message: world.heard.append((summary, message)))

    async def catalogue() -> Sequence[ListedModel]:
        return [listed(name) for name in world.models]

    ports = settings_ports(planner, model, catalogue, world.folder / "repo", world.endpoints)
    table = MethodTable(settings_methods(ports))

    def authorize(_caller: Caller, access: Access) -> bool:
        return access in world.allowed

    ours, theirs = direct_pair()
    host, guest = Peer(ours, table, guards=CallGuards(authorize)), CheckedPeer(theirs, {})
    running = [asyncio.create_task(host.run()), asyncio.create_task(guest.run())]
    try:
        yield Page(world, guest, table, model, ports)
    finally:
        await guest.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*running)
