"""The methods on the wire: all namespaces, each with all of its parts."""

from functools import partial
from pathlib import Path
from typing import Final

from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.edits.edit_decisions import Decider
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.chat.history.importing import HistoryImport
from jupyter_ac.chat.history.trust import HistoryTrust
from jupyter_ac.chat.prompt.texts import template
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.state import review_state
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.branches import SessionBranches
from jupyter_ac.services.llm.chat import Chat
from jupyter_ac.services.llm.commit import Commits
from jupyter_ac.services.llm.commit_form import CommitForm
from jupyter_ac.services.llm.context_trimming import Log
from jupyter_ac.services.llm.edits import Edits
from jupyter_ac.services.llm.history import HistoryViews
from jupyter_ac.services.llm.images import Images
from jupyter_ac.services.llm.inspect import Inspect
from jupyter_ac.services.llm.messages import Messages
from jupyter_ac.services.llm.modes import Modes
from jupyter_ac.services.llm.navigation import NavigationMethods
from jupyter_ac.services.llm.review import Review
from jupyter_ac.services.llm.selection import Selection
from jupyter_ac.services.llm.sessions import Sessions
from jupyter_ac.services.llm.snippets import Snippets
from jupyter_ac.services.llm.state import StateSnapshot
from jupyter_ac.services.llm.symbols import SymbolQueries
from jupyter_ac.services.llm.transfer import Transfer
from jupyter_ac.services.llm.trust import Trust
from jupyter_ac.services.repo.branches import BranchesPart
from jupyter_ac.services.repo.diffs import DiffsPart
from jupyter_ac.services.repo.files import FilesPart
from jupyter_ac.services.repo.history import HistoryPart
from jupyter_ac.services.repo.moves import MovesPart
from jupyter_ac.services.repo.programs import ProgramsPart
from jupyter_ac.services.repo.review import ReviewPart
from jupyter_ac.services.repo.search import SearchPart
from jupyter_ac.services.repo.staging import StagingPart
from jupyter_ac.services.repo.tree import TreePart
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.repo.writes import WritesPart
from jupyter_ac.services.settings.content import ContentPart
from jupyter_ac.services.settings.info import InfoPart
from jupyter_ac.services.settings.keys import KeysPart
from jupyter_ac.services.settings.models import ModelsPart
from jupyter_ac.services.settings.ports import Catalogue, SettingsPorts
from jupyter_ac.services.settings.reload import ReloadPart
from jupyter_ac.services.settings.snippets import SnippetsPart, snippet_rows
from jupyter_ac.settings.editing import Editor
from jupyter_ac.settings.files import SNIPPETS, SYSTEM_EXTRA
from jupyter_ac.settings.snippet_store import SnippetShelf

LLM_ALIASES: Final = ("LLM", "LiteLLM")


def method_table(made: Composition) -> MethodTable:
    """List what a workspace's pages can call."""
    settings = settings_ports(
        made.planner, made.model, made.resources.models.catalogue, made.repository.root
    )
    return MethodTable(
        repo_methods(made.repository, made.writers, made.tree),
        llm_methods(made, settings),
        settings_methods(settings),
    )


def repo_methods(repository: Repository, writers: Writers, tree: TreeCache) -> Namespace:
    """List the methods on a repository.

    Args:
        repository: read by them.
        writers: change it.
        tree: of its files.
    """
    return Namespace(
        "Repo",
        FilesPart(repository),
        TreePart(repository, tree),
        SearchPart(repository),
        BranchesPart(repository),
        HistoryPart(repository),
        DiffsPart(repository),
        WritesPart(writers.files, writers.audience),
        StagingPart(repository, writers),
        MovesPart(repository, writers),
        ReviewPart(repository, writers),
        ProgramsPart(repository, writers),
    )


def llm_methods(made: Composition, settings: SettingsPorts) -> Namespace:
    """List the methods on conversations, what the model is sent, and what it answers."""
    repository, database, writers = made.repository, made.database, made.writers
    book, ports, pages = made.book, made.ports, made.subscribers
    review = partial(review_state, repository)
    branching = Branching(book, HistoryBranches(database))
    importer = HistoryImport(database, repository.worktree)
    messages, work = made.commit_messages, made.commit_work
    return Namespace(
        "LLMService",
        Chat(book, made.turns, made.deliveries, pages, ports.images),
        Images(ports.images),
        Sessions(book, pages),
        Messages(book),
        Selection(book, pages),
        Inspect(book, ports, pages),
        Log(book, ports, made.compactor),
        HistoryViews(book, ports, made.archive),
        StateSnapshot(book, ports, pages, repository.root, review, made.state_files()),
        Modes(book, ports.maps, pages, ports.events),
        Snippets(partial(snippet_rows, settings.shelf), review, book),
        Review(repository, ReviewPart(repository, writers).leave),
        Edits(book, Decider(ports.edits), pages, settings.keep_edits_review),
        NavigationMethods(made.navigator),
        SymbolQueries(made.navigator),
        Commits(book, messages, work, writers, pages),
        CommitForm(repository, book, messages, work, writers, made.deliveries),
        Transfer(made.archive, importer, ports.images.get),
        Trust(book, HistoryTrust(database, repository.worktree), pages),
        SessionBranches(book, branching, pages),
        aliases=LLM_ALIASES,
    )


def settings_methods(ports: SettingsPorts) -> Namespace:
    """List the methods on the user's settings."""
    return Namespace(
        "Settings",
        InfoPart(ports),
        ContentPart(ports),
        ReloadPart(ports),
        ModelsPart(ports),
        KeysPart(ports),
        SnippetsPart(ports.shelf),
    )


def settings_ports(
    planner: ModelPlanner, model: LiveModel, catalogue: Catalogue, repo_root: Path
) -> SettingsPorts:
    """Gather what the methods of `Settings` work with."""
    admin = planner.admin
    return SettingsPorts(
        editor=Editor(planner.config_dir, admin, _own_prompt),
        live=planner.settings,
        admin=admin,
        keyring=planner.keyring,
        model=model,
        catalogue=catalogue,
        has_demo=planner.embedded_available,
        shelf=SnippetShelf(
            planner.settings, repo_root, uses_repository=not admin.is_locked(SNIPPETS)
        ),
        repo_root=repo_root,
        config_dir=planner.config_dir,
    )


def _own_prompt(name: str) -> str:
    return "" if name == SYSTEM_EXTRA else template(f"{name}.md")
