"""Puts together the chat of one repository: its models, its history, and what changes files."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jupyter_ac.chat.chat_events import PageEvent
from jupyter_ac.chat.commit_message import MessageWriter
from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.edits.recovery import Recovery
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.compactions import CompactionStore
from jupyter_ac.chat.history.events import HistoryEvents
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.side_costs import SideCosts
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.ports import LogPorts, TurnPorts
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.startup_gate import StartGate
from jupyter_ac.chat.system_events import SystemEventRecorder
from jupyter_ac.chat.turns import Turns
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import Event, FilesModified
from jupyter_ac.git.file_locks import FileLocks
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.state import review_state
from jupyter_ac.git.write_commands import Changer
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.hosts.edit_parts import edit_ports
from jupyter_ac.hosts.index_parts import IndexParts, index_parts
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.services.activity_log import CallersDiary
from jupyter_ac.services.llm.commit import Commits
from jupyter_ac.services.llm.commit_form import CommitForm
from jupyter_ac.services.llm.commit_work import CommitMessages, CommitWork
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.selection import SelectionUpdate
from jupyter_ac.services.llm.unsaved_documents import OpenDocuments
from jupyter_ac.services.llm.wiring import Domain
from jupyter_ac.services.repo.own_changes import OwnChanges
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.settings.files import COMMIT, COMPACTION
from jupyter_ac.store.exclusive import Exclusive
from jupyter_ac.store.sqlite import Database
from jupyter_ac.store.state_paths import StatePlace, is_local


@dataclass(frozen=True, slots=True)
class ChatDependencies:
    """What the parts of one workspace stand on.

    Attributes:
        repository: which one is served.
        resources: the host's workers.
        planner: has the settings in force.
        model: which model answers.
        place: the folder of the repository's state.
        database: the history.
    """

    repository: Repository
    resources: HostResources
    planner: ModelPlanner
    model: LiveModel
    place: StatePlace
    database: Database


@dataclass(frozen=True, slots=True)
class ChatParts:
    """What is made of it.

    Attributes:
        domain: what `LLMService` works on.
        writers: the ways to change the repository.
        own: knows what this host has changed.
        elsewhere: carries what others have changed.
        commit_work: the commit that is being made.
        commits: what the wire calls to commit.
        index: of the working tree.
    """

    domain: Domain
    writers: Writers
    own: OwnChanges
    elsewhere: EventBus
    commit_work: CommitWork
    commits: tuple[Commits, CommitForm]
    index: IndexParts


def chat_parts(ground: ChatDependencies) -> ChatParts:
    """Make them; nothing is opened or started yet."""
    repository, database, model = ground.repository, ground.database, ground.model
    history = HistoryStore(database, repository.worktree)
    files = RepositoryFiles(repository)
    audience, bus, elsewhere = Subscribers(), EventBus(), EventBus()
    book = ConversationBook(history, files, FocusStore(database, repository.worktree))
    events = SystemEventRecorder(book, HistoryEvents(database, repository.worktree), bus)
    exclusive = Exclusive(ground.place.directory)
    index = index_parts(
        repository,
        ground.planner.environ,
        lambda: ground.planner.settings.app.prompt,
        audience,
    )
    own = OwnChanges(repository, lambda: exclusive.is_held)
    bus.subscribe(FilesModified, own.files_modified)
    for changes in (bus, elsewhere):
        changes.subscribe(FilesModified, index.indexing.files_modified)
        changes.subscribe(Event, audience.publish)
    bus.subscribe(PageEvent, audience.deliver)
    writers = _writers(repository, exclusive, bus, CallersDiary(book, events))
    ports = TurnPorts(
        models=_desk(ground),
        files=files,
        counts=BlockCounts(ground.resources.counter),
        history=history,
        gate=StartGate(),
        log=LogPorts(
            CompactionStore(database),
            lambda: ground.planner.settings.app,
            lambda: model.prompt(COMPACTION),
        ),
        images=ImageFolder(ground.place.directory),
        events=events,
        maps=index.maps,
        edits=edit_ports(
            repository,
            writers,
            database,
            lambda: ground.planner.settings.app.edits,
            OpenDocuments(audience, repository.root),
            SelectionUpdate(book, audience),
        ),
        profile_for=model.profile,
    )
    book.mend = Recovery(ports.edits).mend
    compactor = Compactor(ports, bus)
    domain = Domain(
        ports=ports,
        book=book,
        turns=Turns(ports, bus),
        compactor=compactor,
        deliveries=Deliveries(),
        audience=audience,
        archive=HistoryArchive(database, repository.worktree),
        repo_root=repository.root,
        review=partial(review_state, repository),
        state_files=_state_files(ground),
    )
    writer = MessageWriter(ports.models, lambda: model.prompt(COMMIT))
    messages = CommitMessages(book, writer, SideCosts(database, repository.worktree))
    work = CommitWork(audience, events)
    commits = _commits(repository, domain, messages, work, writers)
    return ChatParts(domain, writers, own, elsewhere, work, commits, index)


def _commits(
    repository: Repository,
    domain: Domain,
    messages: CommitMessages,
    work: CommitWork,
    writers: Writers,
) -> tuple[Commits, CommitForm]:
    """Make the two ways to commit: everything, and what is chosen."""
    book = domain.book
    return (
        Commits(book, messages, work, writers, domain.audience),
        CommitForm(repository, book, messages, work, writers, domain.deliveries),
    )


def _writers(
    repository: Repository, exclusive: Exclusive, bus: EventBus, diary: CallersDiary
) -> Writers:
    locks = FileLocks(repository, exclusive)
    changer = Changer(repository, exclusive)
    return Writers(FileWriter(repository, locks), locks, changer, bus, diary)


def _desk(ground: ChatDependencies) -> ModelGateway:
    model = ground.model
    return ModelGateway(
        ground.resources.models,
        choice=lambda: model.plan.choice,
        terms=lambda: model.plan.terms,
        embedded_base=ground.resources.embedded.api_base,
        why_none=lambda: model.plan.message,
        renew=model.renew,
    )


def _state_files(ground: ChatDependencies) -> tuple[Path, ...]:
    """List the files by which other hosts change what a page is shown; none on a network disk."""
    history = ground.database.path
    review = ground.repository.git_dir / review_journal.NAME
    if not (is_local(history.parent) and is_local(review.parent)):
        return ()
    return history, history.with_name(f"{history.name}-wal"), review
