"""The composition root of one repository: everything that serves it in this process.

Entering builds the objects and the table of methods, which takes milliseconds; what takes longer
runs afterwards in a task of the workspace's own, with its progress told to all pages. A page can
read and tick files meanwhile; a question waits at the gate.
"""

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.desk import ModelDesk
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.gate import StartGate
from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.turns import Turns
from jupyter_ac.errors import AcError
from jupyter_ac.events import StartupProgress
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree import file_tree
from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dispatch import Authorize
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.audience import Audience
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.wiring import Domain, llm_namespace
from jupyter_ac.services.repo.wiring import repo_namespace
from jupyter_ac.services.settings import settings_namespace
from jupyter_ac.store.places import StatePlace, state_place
from jupyter_ac.store.sqlite import Database

logger = logging.getLogger(__name__)

HISTORY_FILE: Final = "history.sqlite"
GOING_AWAY: Final = 1001


@dataclass(frozen=True, slots=True)
class Parts:
    """What a workspace consists of, once it is open."""

    place: StatePlace
    database: Database
    plan: ModelPlan
    domain: Domain
    table: MethodTable


class Workspace:
    """One repository, served to any number of connections; an async context manager.

    Args:
        repository: which one.
        resources: the host's workers; not closed here.
        planner: says which model answers.
    """

    def __init__(
        self, repository: Repository, resources: HostResources, planner: ModelPlanner
    ) -> None:
        self.repository = repository
        self._resources = resources
        self._planner = planner
        self._closing = AsyncExitStack()
        self._parts: Parts | None = None
        self._peers: set[Peer] = set()
        self._progress = StartupProgress("workers", "Starting …", 0)

    async def __aenter__(self) -> Self:
        """Open it; the start goes on in the background.

        Raises:
            AcError: there is no place for the repository's state.
        """
        parts = await self._build()
        self._parts = parts
        domain = parts.domain
        # Left in the opposite order of this list.
        self._closing.push_async_callback(parts.database.aclose)
        self._closing.push_async_callback(self._close_peers)
        self._closing.push_async_callback(domain.audience.aclose)
        self._closing.push_async_callback(domain.deliveries.aclose)
        self._closing.push_async_callback(domain.turns.aclose)
        start = asyncio.create_task(self._start(parts), name=f"start of {domain.repo_name}")
        self._closing.push_async_callback(_cancel, start)
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Stop the turns and keep them, close the connections and the database; bounded."""
        await self._closing.aclose()

    @property
    def is_busy(self) -> bool:
        """Whether a turn runs."""
        return self._parts is not None and self._parts.domain.turns.active > 0

    @property
    def table(self) -> MethodTable:
        """The methods that every connection gets."""
        return self._open_parts().table

    async def serve(self, transport: Transport, remote: Remote, authorize: Authorize) -> None:
        """Serve one connection until it ends.

        Args:
            transport: the open connection; closed at the end.
            remote: who sits at its other end.
            authorize: asked before each call.
        """
        parts = self._open_parts()
        peer = Peer(transport, parts.table, remote=remote, authorize=authorize)
        audience = parts.domain.audience
        audience.join(peer, remote.seat)
        audience.publish(self._progress, but=self._peers)
        self._peers.add(peer)
        try:
            await peer.run()
        finally:
            self._peers.discard(peer)
            audience.leave(peer)

    def _open_parts(self) -> Parts:
        if self._parts is None:
            raise RuntimeError("the workspace was not entered")
        return self._parts

    async def _build(self) -> Parts:
        repository, resources = self.repository, self._resources
        place, plan = await asyncio.gather(
            asyncio.to_thread(state_place, repository.common_dir),
            asyncio.to_thread(self._planner.plan),
        )
        database = Database(place.directory / HISTORY_FILE, MIGRATIONS)
        history = HistoryStore(database, repository.worktree)
        files = RepositoryFiles(repository)
        desk = ModelDesk(
            resources.models,
            choice=lambda: plan.choice,
            environment=lambda: plan.environment,
            embedded_base=resources.embedded.api_base,
            why_none=lambda: plan.message,
        )
        ports = TurnPorts(desk, files, BlockCounts(resources.counter), history, StartGate())
        audience = Audience()
        domain = Domain(
            ports=ports,
            book=ConversationBook(history, files),
            turns=Turns(ports, audience),
            deliveries=Deliveries(),
            audience=audience,
            repo_name=repository.name,
        )
        return Parts(place, database, plan, domain, self._table(domain, plan))

    def _table(self, domain: Domain, plan: ModelPlan) -> MethodTable:
        return MethodTable(
            repo_namespace(self.repository),
            llm_namespace(domain),
            settings_namespace(plan.summary, self._planner.config_dir, self.repository.root),
        )

    async def _start(self, parts: Parts) -> None:
        """Do what a question needs; open the gate whatever comes of it."""
        notices: list[str] = []
        try:
            self._tell("workers", "Starting the workers …", 20)
            await self._resources.start(parts.plan.choice)
            self._tell("session_restore", "Opening the conversation …", 50)
            notices += await self._restore(parts)
            self._tell("model", "Choosing the model …", 80)
            notices.append(parts.plan.message)
        except Exception:
            logger.exception("the start of a workspace failed")
            notices.append("The start was not complete; the server's log says why.")
        finally:
            parts.domain.ports.gate.open()
        self._tell("ready", " ".join(filter(None, notices)) or "Ready", 100)
        self._resources.prepare(parts.plan.choice)
        await self._warm_tree()

    async def _restore(self, parts: Parts) -> list[str]:
        """Open the history and the conversations of who is here; returns what to tell the user."""
        try:
            await parts.database.open()
        except AcError as error:
            return [str(error)]
        for seat in {peer.remote.seat for peer in self._peers}:
            await parts.domain.book.open(seat)
        notices = (parts.place.notice, parts.database.notice, parts.database.read_only)
        return [notice for notice in notices if notice]

    async def _warm_tree(self) -> None:
        """Bring the repository's index and folders into the machine's memory."""
        try:
            await file_tree(self.repository)
        except AcError as error:
            logger.info("the first listing failed: %s", error)

    def _tell(self, stage: str, message: str, percent: int) -> None:
        self._progress = StartupProgress(stage, message, percent)
        self._open_parts().domain.audience.publish(self._progress)

    async def _close_peers(self) -> None:
        peers = list(self._peers)
        await asyncio.gather(
            *(peer.close(GOING_AWAY, "The Jupyter server is stopping.") for peer in peers)
        )


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait({task})
