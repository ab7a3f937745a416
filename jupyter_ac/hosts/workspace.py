"""The composition root of one repository: everything that serves it in this process.

Entering builds the objects and the table of methods, which takes milliseconds; what takes longer
runs afterwards in a task of the workspace's own, with its progress told to all pages. A page can
read and tick files meanwhile; a question waits at the gate.
"""

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Final, Self

from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.edits.edit_decisions import Decider
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.chat.history.database import history_database
from jupyter_ac.chat.history.importing import HistoryImport
from jupyter_ac.chat.history.trust import HistoryTrust
from jupyter_ac.errors import AcError
from jupyter_ac.events import FilesModified, SettingsChange, SettingsChanged, StartupProgress
from jupyter_ac.git.allowed_programs import FILE as ALLOWED_FILE
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.state import review_state
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.hosts.chat_parts import ChatDependencies, ChatParts, chat_parts
from jupyter_ac.hosts.live_model import LiveModel, settings_ports
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.signing import row_signer
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.dispatch import Authorize
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.rpc.overload import CallAges
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.llm.branches import SessionBranches
from jupyter_ac.services.llm.edits import Edits
from jupyter_ac.services.llm.navigation import NavigationMethods
from jupyter_ac.services.llm.review import Review
from jupyter_ac.services.llm.snippets import Snippets
from jupyter_ac.services.llm.symbols import SymbolQueries
from jupyter_ac.services.llm.transfer import Transfer
from jupyter_ac.services.llm.trust import Trust
from jupyter_ac.services.llm.wiring import Domain, llm_namespace
from jupyter_ac.services.repo.refcounted_task import RefcountedTask
from jupyter_ac.services.repo.review import ReviewPart
from jupyter_ac.services.repo.watch import LINGER_S, RepositoryWatch
from jupyter_ac.services.repo.wiring import repo_namespace
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.settings.ports import ModelSummary
from jupyter_ac.services.settings.snippets import snippet_rows
from jupyter_ac.services.settings.wiring import settings_namespace
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.store.sqlite import Database
from jupyter_ac.store.state_paths import state_place

logger = logging.getLogger(__name__)

GOING_AWAY: Final = 1001


@dataclass(frozen=True, slots=True)
class WorkspaceParts:
    """What a workspace consists of, once it is open; `notices` are about where its state is."""

    notices: tuple[str | None, ...]
    database: Database
    model: LiveModel
    chat: ChatParts
    watching: RefcountedTask
    table: MethodTable

    @property
    def domain(self) -> Domain:
        """What `LLMService` works on."""
        return self.chat.domain


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
        self._resources = resources
        self._planner = planner
        self._tree = TreeCache(self.repository)
        self._closing = AsyncExitStack()
        self._parts: WorkspaceParts | None = None
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
        self._closing.push_async_callback(parts.chat.index.aclose)
        self._closing.push_async_callback(self._end_connections)
        self._closing.push_async_callback(domain.audience.aclose)
        self._closing.push_async_callback(domain.deliveries.aclose)
        self._closing.push_async_callback(domain.compactor.aclose)
        self._closing.push_async_callback(domain.turns.aclose)
        self._closing.push_async_callback(parts.chat.commit_work.aclose)
        self._closing.push_async_callback(parts.watching.aclose)
        for work, name in ((self._start(parts), "start"), (parts.model.follow(), "settings")):
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
        """Whether a turn runs."""
        return self._parts is not None and self._parts.domain.turns.active > 0

    @property
    def table(self) -> MethodTable:
        """The methods that every connection gets."""
        return self._open_parts().table

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
        parts = self._open_parts()
        peer = Peer(transport, parts.table, profile=profile, remote=remote, authorize=authorize)
        peer.ages = CallAges(self._resources.load)
        audience = parts.domain.audience
        audience.join(peer, remote.seat)
        audience.publish(self._progress, but=self._peers)
        self._peers.add(peer)
        try:
            async with parts.watching.attended():
                await peer.run(lambda: parts.domain.deliveries.see_through(peer))
        finally:
            self._peers.discard(peer)
            audience.leave(peer)

    def _open_parts(self) -> WorkspaceParts:
        if self._parts is None:
            raise RuntimeError("the workspace was not entered")
        return self._parts

    async def _build(self) -> WorkspaceParts:
        repository = self.repository
        review = partial(review_state, repository)
        model = LiveModel(self._planner, self._resources.models.catalogue, review)
        place, _ = await asyncio.gather(
            asyncio.to_thread(state_place, repository.common_dir), model.renew()
        )
        self._showed_jupyter_files = self._shows_jupyter_files()
        key, signer = await asyncio.to_thread(row_signer, repository, self._planner.config_dir)
        database = history_database(place.directory, signer)
        ground = ChatDependencies(
            repository, self._resources, self._planner, model, place, database
        )
        chat = chat_parts(ground)
        domain = chat.domain
        watching = RefcountedTask(partial(self._watch, chat), LINGER_S)
        model.listen(partial(self._settings_changed, domain.audience))
        importer = HistoryImport(database, repository.worktree)
        transfer = Transfer(domain.archive, importer, domain.ports.images.get)
        trust = Trust(domain.book, HistoryTrust(database, repository.worktree), domain.audience)
        branching = Branching(domain.book, HistoryBranches(database))
        branches = SessionBranches(domain.book, branching, domain.audience)
        table = self._table(domain, model, chat, transfer, trust, branches)
        notices = (place.notice, key.notice)
        return WorkspaceParts(notices, database, model, chat, watching, table)

    async def _watch(self, chat: ChatParts) -> None:
        """Watch the tree; what has changed while nobody did is looked for first."""
        indexing = chat.index.indexing
        indexing.look_again()
        await RepositoryWatch(self.repository, self._tree, chat.own, chat.elsewhere).run()

    def _table(
        self, domain: Domain, model: LiveModel, chat: ChatParts, *history: object
    ) -> MethodTable:
        writers, navigator = chat.writers, chat.index.navigator
        catalogue, root = self._resources.models.catalogue, self.repository.root
        settings = settings_ports(self._planner, model, catalogue, root)
        snippets = Snippets(partial(snippet_rows, settings.shelf), domain.review, domain.book)
        leave = ReviewPart(self.repository, writers).leave
        decider = Decider(domain.ports.edits)
        edits = Edits(domain.book, decider, domain.audience, settings.keep_edits_review)
        return MethodTable(
            repo_namespace(self.repository, writers, self._tree),
            llm_namespace(
                domain,
                snippets,
                Review(self.repository, leave),
                edits,
                NavigationMethods(navigator),
                SymbolQueries(navigator),
                *chat.commits,
                *history,
            ),
            settings_namespace(settings),
        )

    def _settings_changed(self, audience: Subscribers, current: ModelSummary, message: str) -> None:
        """Make ready for the next question, and tell all pages."""
        if self._parts is not None:
            self._resources.prepare(self._parts.model.plan.choice)
            self._tell_of_jupyter_files(self._parts.chat.writers)
        change = SettingsChange(
            model=current.model,
            source=current.source,
            message=message,
            edits_review=self._planner.settings.app.edits.review,
        )
        audience.publish(SettingsChanged(change))

    def _tell_of_jupyter_files(self, writers: Writers) -> None:
        """Have the index and the pages look again when other files are to be shown."""
        shows = self._shows_jupyter_files()
        if shows is not self._showed_jupyter_files:
            self._showed_jupyter_files = shows
            writers.audience.publish(FilesModified([]))

    async def _start(self, parts: WorkspaceParts) -> None:
        """Do what a question needs; open the gate whatever comes of it."""
        notices: list[str] = []
        try:
            self._tell("symbol_index", "Indexing in the background …", 10)
            self._tell("workers", "Starting the workers …", 20)
            await self._resources.start(parts.model.plan.choice)
            self._tell("session_restore", "Opening the conversation …", 50)
            notices += await self._restore(parts)
            self._tell("model", "Choosing the model …", 80)
            notices.append(parts.model.told())
        except Exception:
            logger.exception("the start of a workspace failed")
            notices.append("The start was not complete; the server's log says why.")
        finally:
            parts.domain.ports.gate.open()
        self._tell("ready", " ".join(filter(None, notices)) or "Ready", 100)
        choice = parts.model.plan.choice
        self._resources.prepare(choice)
        await self._tidy(parts.chat.writers.files)
        # Parsing would hold up the first tree; whoever asks before gets the index at once.
        parts.chat.index.indexing.start()
        if choice is not None and not choice.demo:
            parts.chat.index.maps.prepare()
        await parts.domain.archive.prepare_search()

    async def _restore(self, parts: WorkspaceParts) -> list[str]:
        """Open the history and the conversations of who is here; returns what to tell the user."""
        try:
            await parts.database.open()
        except AcError as error:
            return [str(error)]
        for seat in {peer.remote.seat for peer in self._peers}:
            await parts.domain.book.open(seat)
        notices = (*parts.notices, parts.database.notice, parts.database.read_only)
        return [notice for notice in notices if notice]

    async def _tidy(self, writer: FileWriter) -> None:
        """Bring the repository's index and folders into the machine's memory; sweep them."""
        try:
            await self._tree.snapshot()
            await writer.sweep()
        except AcError as error:
            logger.info("the first listing failed: %s", error)

    def _tell(self, stage: str, message: str, percent: int) -> None:
        self._progress = StartupProgress(stage, message, percent)
        self._open_parts().domain.audience.publish(self._progress)

    async def _end_connections(self) -> None:
        """Tell whoever is connected that the server goes away, so that they may come back."""
        peers = list(self._peers)
        await asyncio.gather(*(peer.close(GOING_AWAY, "The server is stopping.") for peer in peers))


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait({task})
