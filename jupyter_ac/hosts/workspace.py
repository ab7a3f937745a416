"""One open repository: the life cycle of its objects (`composition`), its connections.

Entering builds the objects and the table of methods, which takes milliseconds; what takes longer
runs afterwards in a task of the workspace, and its progress is sent to all pages. A page can
read and tick files meanwhile; a question waits for the end of the start.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Final, Self

from jupyter_ac.chat.history.schema import history_database
from jupyter_ac.errors import AcError
from jupyter_ac.events import SettingsChange, SettingsChanged, StartupProgress
from jupyter_ac.git.allowed_programs import FILE as ALLOWED_FILE
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.state import review_state
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.method_table import method_table
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.panel_composition import WorkspacePanels
from jupyter_ac.hosts.panels.connected_panels import AskedPanel
from jupyter_ac.hosts.panels.plugin_transport import QueueingTransport
from jupyter_ac.hosts.planner_composition import PlannerParts, make_planner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.signing import row_signer
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.dispatch import Authorize
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.rpc.overload import CallAges
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.repo.refcounted_task import RefcountedTask
from jupyter_ac.services.repo.watch import LINGER_S
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.settings.ports import ModelSummary
from jupyter_ac.services.state_feed.feed import StateFeed
from jupyter_ac.store.state_paths import state_folder

logger = logging.getLogger(__name__)

GOING_AWAY: Final = 1001


@dataclass(frozen=True, slots=True)
class OpenWorkspace:
    """The objects of an open workspace.

    Attributes:
        made: its objects.
        plans: its planner.
        panels: its panels.
        table: the methods that every connection gets.
        watching: the watch on the tree, as long as a page is there.
        notices: notices for the user about the location of its state.
    """

    made: Composition
    plans: PlannerParts
    panels: WorkspacePanels
    table: MethodTable
    watching: RefcountedTask
    notices: tuple[str | None, ...]


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
        permissions = planner.config_dir / ALLOWED_FILE
        self._shows_jupyter_files = planner.settings.shows_jupyter_files
        self.repository = replace(
            repository, permissions=permissions, shows_jupyter_files=self._shows_jupyter_files
        )
        self._showed_jupyter_files = False
        self._resources, self._guards = resources, resources.guards
        self._planner = planner
        self._closing = AsyncExitStack()
        self._open: OpenWorkspace | None = None
        self._peers: set[Peer] = set()
        self._progress = StartupProgress("workers", "Starting …", 0)

    async def __aenter__(self) -> Self:
        """Open it; the start goes on in the background.

        Raises:
            AcError: there is no place for the repository's state.
        """
        self._open = opened = await self._build()
        made = opened.made
        # Left in the opposite order of this list.
        for close in (
            made.database.aclose,
            opened.plans.aclose,
            *made.reading,
            self._end_connections,
            *made.working,
            opened.plans.runner.aclose,
            opened.panels.aclose,
            opened.watching.aclose,
        ):
            self._closing.push_async_callback(close)
        for work, name in ((self._start(opened), "start"), (made.model.follow(), "settings")):
            task = asyncio.create_task(work, name=f"{name} of {self.repository.name}")
            self._closing.push_async_callback(_cancel, task)
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
        """Whether a turn, a cell or a plan runs."""
        if self._open is None:
            return False
        made, plans = self._open.made, self._open.plans
        return made.turns.active > 0 or made.cell_runner.is_running or plans.runner.is_busy

    @property
    def table(self) -> MethodTable:
        """The methods that every connection gets."""
        return self._opened().table

    async def serve(
        self,
        transport: Transport,
        remote: Remote,
        authorize: Authorize,
        profile: WireDialect = JRPC_OO,
    ) -> None:
        """Serve one connection until it ends.

        Args:
            transport: the open connection; closed at the end.
            remote: who sits at its other end.
            authorize: asked before each call.
            profile: the dialect that the other end speaks.
        """
        opened = self._opened()
        peer = self._peer(transport, remote, authorize, profile)
        deliveries = opened.made.deliveries
        with self._subscribed(peer):
            async with opened.watching.attended():
                await peer.run(lambda: deliveries.see_through(peer))

    async def serve_exchange(
        self,
        transport: Transport,
        remote: Remote,
        authorize: Authorize,
        profile: WireDialect,
        *,
        takes_events: bool,
    ) -> None:
        """Serve one request, as of a POST, until its calls are answered.

        Args:
            transport: carries the request; closed at the end.
            remote: who sent it.
            authorize: asked before each call.
            profile: the dialect of the request.
            takes_events: whether the caller gets events, and the parts of answers, until then.
        """
        peer, opened = self._peer(transport, remote, authorize, profile), self._opened()
        if not takes_events:
            try:
                await peer.run(is_exchange=True, takes_events=False)
            finally:
                opened.panels.leave(peer)
            return
        deliveries = opened.made.deliveries
        with self._subscribed(peer):
            await peer.run(lambda: deliveries.see_through(peer), is_exchange=True)

    async def serve_panel(
        self, transport: QueueingTransport, remote: Remote, asked: AskedPanel
    ) -> None:
        """Show a plugin that has connected to all pages of a person, until its connection ends.

        Args:
            transport: the open connection; closed at the end.
            remote: the person.
            asked: what it has said of itself.

        Raises:
            Busy: too many panels are listed.
        """
        await self._opened().panels.of(remote).connect(transport, asked)

    def _peer(
        self, transport: Transport, remote: Remote, authorize: Authorize, profile: WireDialect
    ) -> Peer:
        opened, guards = self._opened(), self._guards
        remote = opened.made.opened.of(remote)
        if guards.authorize is not authorize:
            # Kept for the next one: where everything is allowed, all connections have the same.
            guards = replace(guards, authorize=authorize, targets=opened.made.targets)
            self._guards = guards
        peer = Peer(transport, opened.table, profile=profile, remote=remote, guards=guards)
        peer.calls.ages = CallAges(self._resources.load)
        return peer

    @contextmanager
    def _subscribed(self, peer: Peer) -> Iterator[None]:
        """Send the workspace's events to a page within the block."""
        opened = self._opened()
        subscribers = opened.made.subscribers
        subscribers.join(peer, peer.remote.conversation_key)
        subscribers.publish(self._progress, but=self._peers)
        self._peers.add(peer)
        try:
            yield
        finally:
            self._peers.discard(peer)
            subscribers.leave(peer)
            opened.panels.leave(peer)

    @asynccontextmanager
    async def follow(self, remote: Remote) -> AsyncIterator[StateFeed]:
        """Give the state of the conversation that a client has now, kept up to date in the block.

        Raises:
            NotReady: the workspace is being closed.
        """
        opened = self._opened()
        key = opened.made.opened.of(remote).conversation_key
        async with opened.watching.attended():
            yield await opened.made.feeds.feed(key)

    @asynccontextmanager
    async def attended(self) -> AsyncIterator[OpenWorkspace]:
        """Give the objects to a host that calls them itself, kept up to date within the block.

        Raises:
            NotReady: the workspace is being closed.
        """
        opened = self._opened()
        async with opened.watching.attended():
            yield opened

    def _opened(self) -> OpenWorkspace:
        if self._open is None:
            raise RuntimeError("the workspace was not entered")
        return self._open

    async def _build(self) -> OpenWorkspace:
        repository = self.repository
        catalogue = self._resources.models.catalogue
        model = LiveModel(self._planner, catalogue, partial(review_state, repository))
        place, _ = await asyncio.gather(
            asyncio.to_thread(state_folder, repository.common_dir), model.renew()
        )
        self._showed_jupyter_files = self._shows_jupyter_files()
        key, signer = await asyncio.to_thread(row_signer, repository, self._planner.config_dir)
        database = history_database(place.directory, signer)
        made = Composition(repository, self._resources, self._planner, model, database)
        model.listen(partial(self._settings_changed, made))
        watching = RefcountedTask(made.watch, LINGER_S)
        plans, panels = make_planner(made), WorkspacePanels(made)
        table = method_table(made, plans.ports, panels.directory_of)
        panels.offer(table)
        if (metrics := self._resources.guards.metrics) is not None:
            metrics.know(method.key for method in table.values())
        return OpenWorkspace(made, plans, panels, table, watching, (place.notice, key.notice))

    def _settings_changed(self, made: Composition, current: ModelSummary, message: str) -> None:
        """Make ready for the next question, and tell all pages."""
        if self._open is not None:
            self._resources.prepare(made.model.plan.choice)
            self._publish_jupyter_files(made.writers)
        change = SettingsChange(
            model=current.model,
            source=current.source,
            message=message,
            edits_review=self._planner.settings.app.edits.review,
            urls_fetch=self._planner.settings.app.urls.fetch,
        )
        made.subscribers.publish(SettingsChanged(change))

    def _publish_jupyter_files(self, writers: Writers) -> None:
        """Have the index and the pages look again when other files are to be shown."""
        shows = self._shows_jupyter_files()
        if shows is not self._showed_jupyter_files:
            self._showed_jupyter_files = shows
            writers.tell([])

    async def _start(self, opened: OpenWorkspace) -> None:
        """Do what a question needs; open the gate whatever comes of it."""
        made, notices = opened.made, list[str]()
        try:
            self._publish("symbol_index", "Indexing in the background …", 10)
            self._publish("workers", "Starting the workers …", 20)
            await self._resources.start(made.model.plan.choice)
            self._publish("session_restore", "Opening the conversation …", 50)
            notices += await self._restore(opened)
            self._publish("model", "Choosing the model …", 80)
            notices.append(made.model.told())
        except Exception:
            logger.exception("the start of a workspace failed")
            notices.append("The start was not complete; the server's log says why.")
        finally:
            made.ports.gate.open()
        self._publish("ready", " ".join(filter(None, notices)) or "Ready", 100)
        choice = made.model.plan.choice
        self._resources.prepare(choice)
        await self._tidy(made)
        # Parsing would hold up the first tree; whoever asks before gets the index at once.
        made.indexing.start()
        if choice is not None and not choice.demo:
            made.maps.prepare()
            await made.review.prepare()
        await made.archive.prepare_search()

    async def _restore(self, opened: OpenWorkspace) -> list[str]:
        """Open the history and the conversations of who is here; returns what to tell the user."""
        made = opened.made
        try:
            await made.database.open()
        except AcError as error:
            return [str(error)]
        for conversation_key in {peer.remote.conversation_key for peer in self._peers}:
            await made.book.open(conversation_key)
        notices = (*opened.notices, made.database.notice, made.database.read_only)
        return [notice for notice in notices if notice]

    async def _tidy(self, made: Composition) -> None:
        """Bring the repository's index and folders into the machine's memory; sweep them."""
        try:
            await made.tree.snapshot()
            await made.writers.files.remove_temp_files()
        except AcError as error:
            logger.info("the first listing failed: %s", error)

    def _publish(self, stage: str, message: str, percent: int) -> None:
        self._progress = StartupProgress(stage, message, percent)
        self._opened().made.subscribers.publish(self._progress)

    async def _end_connections(self) -> None:
        """Tell whoever is connected that the server goes away, so that they may come back."""
        peers = list(self._peers)
        await asyncio.gather(*(peer.close(GOING_AWAY, "The server is stopping.") for peer in peers))


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait({task})
