"""Composition root: creates and wires all objects that serve one repository.

Each object depends on those above it. Nothing is opened or started here: `Workspace` does that, and
closes all in reverse order. `method_table` defines the RPC methods over them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from jupyter_ac.agent.tools.catalogue import KernelPart, ToolParts, WebPart
from jupyter_ac.agent.tools.cell_running import ApprovedCells
from jupyter_ac.agent.tools.symbols import SymbolIndex
from jupyter_ac.chat.chat_events import PageEvent, SystemEventRecorder, TurnEnded, TurnStarted
from jupyter_ac.chat.commit_message import MessageWriter
from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.edits.recovery import Recovery
from jupyter_ac.chat.fetched_pages import FetchedPages
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.edit_journals import EditedTurns
from jupyter_ac.chat.history.events import HistoryEvents
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.side_costs import SideCosts
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.notebook_views import NotebookViews
from jupyter_ac.chat.ports import LogPorts, StartGate, TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.counts import BlockCounts, scale_for
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.chat.writing_turns import WritingTurns
from jupyter_ac.errors import AcError
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import Event, FilesModified
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer
from jupyter_ac.git.checkpoints.store import CheckpointStore
from jupyter_ac.git.paths import locate
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.state import review_state
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileLocks, FileWriter
from jupyter_ac.hosts.agent_composition import (
    AgentParts,
    CommandParts,
    WorkspaceParts,
    make_agent,
)
from jupyter_ac.hosts.file_composition import make_applier, make_excluded
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.outside_composition import (
    make_browser,
    make_cell_runner,
    make_page_fetching,
)
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.index.client import IndexClient, IndexState
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.index.navigation.jedi_client import JediClient
from jupyter_ac.index.navigation.navigator import Navigator
from jupyter_ac.services.activity_log import ActivityLog
from jupyter_ac.services.llm.cell_execution import CellExecution
from jupyter_ac.services.llm.commit_work import CommitMessages, CommitWork, Spent
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.indexing import Indexing
from jupyter_ac.services.llm.maps import IndexMaps
from jupyter_ac.services.llm.notebook_kernels import NotebookKernels
from jupyter_ac.services.llm.open_documents import OpenDocuments
from jupyter_ac.services.llm.opened_conversations import OpenedConversations
from jupyter_ac.services.llm.page_summaries import PageSummaries
from jupyter_ac.services.llm.question_pages import QuestionPages
from jupyter_ac.services.llm.sample_repository import SampleRepository
from jupyter_ac.services.llm.selection import SelectionUpdate
from jupyter_ac.services.repo.own_changes import OwnChanges
from jupyter_ac.services.repo.watch import RepositoryWatch
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.spending import Spending
from jupyter_ac.services.state_feed.feeds import ConversationFeeds
from jupyter_ac.services.state_feed.source import StateSource
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.settings.app import EditSettings
from jupyter_ac.settings.files import COMMIT, COMPACTION
from jupyter_ac.settings.paths import cache_dir
from jupyter_ac.store.locks import NamedLocks
from jupyter_ac.store.sqlite import Database
from jupyter_ac.store.state_paths import is_local
from jupyter_ac.web.host_rules import HostRules

Close: TypeAlias = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class TaskOf:
    """That a workspace's repository is the worktree of a task of another one's plan.

    Attributes:
        user: the workspace of the user's own files. Its pages are asked, and its maps are sent:
            the same to all tasks, so that the provider's cache serves them.
        links: folders of the user's that the worktree has links to.
    """

    user: "Composition"
    links: tuple[Path, ...] = ()


class Composition:
    """The objects of one workspace.

    Args:
        repository: which one is served.
        resources: the host's workers.
        planner: has the settings in force.
        model: which model answers.
        database: the history, in the folder of the repository's state.
        task_of: says that it is the worktree of a task; None: it is the user's own.
    """

    def __init__(
        self,
        repository: Repository,
        resources: HostResources,
        planner: ModelPlanner,
        model: LiveModel,
        database: Database,
        task_of: TaskOf | None = None,
    ) -> None:
        self.repository, self.tree, self.model = repository, TreeCache(repository), model
        self._task_of, self.resources, self.planner = task_of, resources, planner
        self.database, state_folder, worktree = database, database.path.parent, repository.worktree
        # Conversations, and the pages that show them.
        self.subscribers, self.deliveries = Subscribers(), Deliveries()
        self.targets, self.browser, self.browser_page = make_browser(repository, self.subscribers)
        self.documents = OpenDocuments(self.subscribers, repository.root, resources.server_root)
        self.excluded = make_excluded(repository, database, self.subscribers)
        self.outside_changes, bus, excluded = EventBus(), EventBus(), self.excluded.read
        self.review = ReviewContext(repository, excluded)
        files = RepositoryFiles(repository, excluded, self.review.without_text)
        history, focuses = HistoryStore(database, worktree), FocusStore(database, worktree)
        web_pages, views = PageStore(database, worktree), NotebookViewStore(database, worktree)
        self.book = ConversationRegistry(history, files, focuses, web_pages, views)
        self.opened = OpenedConversations(self.book, history)
        self.archive, costs = HistoryArchive(database, worktree), SideCosts(database, worktree)
        self.events = SystemEventRecorder(self.book, HistoryEvents(database, worktree), bus)
        # The index. Whoever changes files tells it, and it tells the pages.
        self.index = index = self._index(cache := cache_dir(planner.environ))
        self.indexing = Indexing(index, self.subscribers)
        maps = IndexMaps(index, self.indexing, lambda: planner.settings.app.prompt, files.excluded)
        self.maps: IndexMaps = maps if task_of is None else task_of.user.maps
        self.python = JediClient(repository.root, cache)
        self.navigator = Navigator(repository, index, self.python)
        # What changes the repository, one at a time among all hosts.
        exclusive = NamedLocks(state_folder)
        self.own = OwnChanges(repository, lambda: exclusive.is_held)
        self.writers = self._writers(exclusive, bus)
        self.spending = None if (metrics := resources.guards.metrics) is None else Spending(metrics)
        self._subscribe(bus)
        # Web pages of the conversations, their turns, and commits beside them.
        self.page_fetching, fetched = make_page_fetching(planner, web_pages, self.subscribers)
        self.ports = self._turn_ports(history, files)
        counts, models = self.ports.counts, self.ports.models
        self.notebook_views = NotebookViews(views, files, counts, models.choice)
        self.book.mend = Recovery(self.ports.edits).mend
        self.compactor = Compactor(self.ports, bus)
        self.commit_work = CommitWork(self.subscribers, self.events)
        self.sample = SampleRepository(repository, self.writers, lambda: planner.settings.app)
        self.commit_messages = self._commit_messages(costs.spent)
        self.page_summaries = PageSummaries(self.page_fetching, models, costs.spent)
        # Cells that the program runs in the user's kernels; runs of an agent, whose tools reach all
        # of this.
        cells = self.cell_execution = CellExecution(self.subscribers, resources.kernels)
        self.cell_runner = make_cell_runner(repository, database, planner, cells, self.subscribers)
        store, writers = CheckpointStore(repository, state_folder), self.writers
        self.restorer = CheckpointRestorer(store, writers.locks, writers.changer, writers.tell)
        self.agent = self._agent(index, files, fetched)
        self.ports = replace(self.ports, agent=self.agent.agent)
        self.turns = Turns(self.ports, bus)
        self.feeds = self._state_feeds(bus)

    @property
    def working(self) -> tuple[Close, ...]:
        """What ends its turns and other work, in the opposite order."""
        return (
            self.feeds.aclose,
            self.subscribers.aclose,
            self.deliveries.aclose,
            self.compactor.aclose,
            self.turns.aclose,
            self.commit_work.aclose,
            self.page_fetching.aclose,
            self.cell_runner.aclose,
            self.agent.background.aclose,
            self.agent.suites.aclose,
            self.agent.servers.aclose,
            self.browser.aclose,
        )

    @property
    def reading(self) -> tuple[Close, ...]:
        """What ends the processes that read its files, in the opposite order."""
        maps = () if self._task_of else (self.maps.aclose,)
        return (
            self.python.aclose,
            self.indexing.aclose,
            *maps,
            self.review.aclose,
        )

    async def watch(self) -> None:
        """Watch the tree; starts with a scan for the changes while it was not watched."""
        self.indexing.rescan()
        await RepositoryWatch(
            self.repository, self.tree.snapshot, self.own, self.outside_changes
        ).run()

    def state_files(self) -> tuple[Path, ...]:
        """List the files by which other hosts change what a page is shown.

        Returns:
            none on a network disk, whose stamps can't be trusted.
        """
        history = self.database.path
        review = self.repository.git_dir / review_journal.NAME
        if not (is_local(history.parent) and is_local(review.parent)):
            return ()
        return history, history.with_name(f"{history.name}-wal"), review

    def _subscribe(self, bus: EventBus) -> None:
        """Pass on the changes of this host, and those of others."""
        self.book.shown = self.subscribers.conversation_keys
        bus.subscribe(FilesModified, self.own.files_modified)
        for changes in (bus, self.outside_changes):
            changes.subscribe(FilesModified, self._files_modified)
            changes.subscribe(Event, self.subscribers.publish)
        bus.subscribe(PageEvent, self.subscribers.deliver)
        if self.spending is not None:
            bus.subscribe(TurnEnded, self.spending.turn_ended)

    def _files_modified(self, event: FilesModified) -> None:
        """Index changed files again; for a task only once it has looked anything up."""
        if self._task_of is None or self.index.status.state is not IndexState.OFF:
            self.indexing.files_modified(event)

    def _state_feeds(self, bus: EventBus) -> ConversationFeeds:
        """Make what clients follow that call nothing."""
        review = partial(review_state, self.repository)
        source = StateSource(self.repository.name, self.ports, review, self.browser_page.state)
        feeds = ConversationFeeds(self.book, source)
        self.subscribers.observe(feeds.notice)
        bus.subscribe(TurnStarted, feeds.turn)
        bus.subscribe(TurnEnded, feeds.turn)
        return feeds

    def _index(self, cache: Path) -> IndexClient:
        shows = self.repository.shows_jupyter_files
        return IndexClient(
            self.repository.root, cache, report=self._indexed, shows_jupyter_files=shows
        )

    def _indexed(self, progress: RefreshProgress) -> None:
        self.indexing.progressed(progress)

    def _writers(self, exclusive: NamedLocks, bus: EventBus) -> Writers:
        locks = FileLocks(self.repository, exclusive)
        return Writers(
            FileWriter(self.repository, locks),
            locks,
            RepositoryWriter(self.repository, exclusive),
            bus,
            ActivityLog(self.book, self.events).open,
            self.excluded.moving,
        )

    def _commit_messages(self, spent: Spent) -> CommitMessages:
        prompt, excluded = partial(self.model.prompt, COMMIT), self.excluded.read
        writer = MessageWriter(self.ports.models, prompt, excluded)
        return CommitMessages(self.book, writer, spent, self.sample.commit_message)

    def _turn_ports(self, history: HistoryStore, files: RepositoryFiles) -> TurnPorts:
        settings = self.planner.settings
        return TurnPorts(
            models=self._model_gateway(),
            files=files,
            counts=BlockCounts(self.resources.counter),
            history=history,
            gate=StartGate(),
            log=self._log_ports(),
            images=ImageFolder(self.database.path.parent),
            events=self.events,
            maps=self.maps,
            review=self.review,
            edits=self._edit_ports(),
            fetch_pages=QuestionPages(self.page_fetching, lambda: settings.app.urls.fetch).fetch,
            profile_for=self.model.profile,
        )

    def _agent(
        self, index: IndexClient, files: RepositoryFiles, fetched: FetchedPages
    ) -> AgentParts:
        """Make what carries out the tool calls of answers; nothing is started."""
        planner, kernels = self.planner, NotebookKernels(self.subscribers)
        admin, settings = planner.admin, planner.settings
        task_of = self._task_of
        commands = CommandParts.of(self.repository, task_of.links if task_of else ())
        counts, choice = self.ports.counts, self.ports.models.choice
        tools = ToolParts(
            repository=self.repository,
            files=files,
            symbols=SymbolIndex(index, self.navigator),
            web=WebPart(
                fetched,
                lambda: HostRules(admin.allowed_hosts, admin.denied_hosts),
                lambda: settings.app.urls.fetch == "never",
            ),
            kernels=KernelPart(
                self.documents.notebooks,
                kernels.variables,
                ApprovedCells(
                    self.cell_runner, kernels.kernel_of, lambda: settings.app.kernel.run_cells
                ),
            ),
            browser=self.browser,
            images=self.ports.images,
            runner=commands.runner,
            background=commands.background,
            environment=planner.environ,
        )

        async def count(text: str) -> int:
            return await scale_for(counts, choice()).total([Block(Category.RESULT, text)])

        workspace = WorkspaceParts(
            planner=planner,
            subscribers=self.subscribers,
            restorer=self.restorer,
            count_tokens=count,
            keep=self.ports.edits.keep,
            asking=task_of.user.agent if task_of else None,
        )
        return make_agent(workspace, tools, commands.sandbox)

    def _model_gateway(self) -> ModelGateway:
        model, resources = self.model, self.resources
        gateway = ModelGateway(
            resources.models,
            choice=lambda: model.plan.choice,
            terms=lambda: model.plan.terms,
            embedded_base=resources.embedded.api_base,
            why_none=lambda: model.plan.message,
            renew=model.renew,
        )
        if self.spending is not None:
            gateway.side_task_done = self.spending.side_task
        return gateway

    def _log_ports(self) -> LogPorts:
        settings, model = self.planner.settings, self.model
        store = CompactionStore(self.database)
        return LogPorts(store, lambda: settings.app, lambda: model.prompt(COMPACTION))

    def _edit_ports(self) -> EditPorts:
        repository, database, writers = self.repository, self.database, self.writers
        return EditPorts(
            applier=make_applier(repository, database, writers, self.excluded),
            exists=partial(is_file, repository),
            settings=self._edit_settings,
            is_reviewing=lambda: review_state(repository)["active"],
            unsaved=self.documents.unsaved,
            open_notebooks=self.documents.notebooks,
            keep=EditedTurns(database).keep,
            select=SelectionUpdate(self.book, self.subscribers).replace,
            writing=WritingTurns(database.path.parent, repository.worktree),
        )

    def _edit_settings(self) -> EditSettings:
        """Return the user's; edits of tasks are reviewed with the whole plan."""
        settings = self.planner.settings.app.edits
        return replace(settings, review=False) if self._task_of else settings


def is_file(repository: Repository, path: str) -> bool:
    """Say whether a path names a file of a repository; looks at the disk."""
    try:
        return locate(repository, path).real.is_file()
    except AcError:
        return False
