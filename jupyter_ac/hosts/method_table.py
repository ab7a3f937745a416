"""Builds the RPC method table: all namespaces, each with all of its parts."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from jupyter_ac.chat.auto_selection import AutoSelectionRule
from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.edits.edit_decisions import Decider
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.chat.history.file_sets import FileSetStore
from jupyter_ac.chat.history.importing import HistoryImport
from jupyter_ac.chat.history.session_management import SessionManagement
from jupyter_ac.chat.history.side_costs import SideCosts
from jupyter_ac.chat.history.trust import HistoryTrust
from jupyter_ac.chat.history.versions import VersionArchive
from jupyter_ac.chat.inline.completer import InlineCompleter
from jupyter_ac.chat.prompt.profiles import template
from jupyter_ac.errors import NotFound
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.state import review_state
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.models.endpoints import Models
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.methods import Method, MethodTable, Namespace
from jupyter_ac.services.browser.names import browser_methods
from jupyter_ac.services.host import DiscoveryMethods, MetricsMethods
from jupyter_ac.services.llm.agent import AgentMethods
from jupyter_ac.services.llm.cell_runs import CellRunMethods
from jupyter_ac.services.llm.chat import ChatMethods, ImageMethods, QuestionContext, StartedAnswers
from jupyter_ac.services.llm.commit import CommitMethods
from jupyter_ac.services.llm.commit_form import CommitFormMethods
from jupyter_ac.services.llm.context import InspectionMethods, SymbolTokenMethods, TrimmingMethods
from jupyter_ac.services.llm.context_items import ContextItemMethods
from jupyter_ac.services.llm.edits import EditMethods
from jupyter_ac.services.llm.example import ExampleMethods, ExampleRemovalMethods
from jupyter_ac.services.llm.excluded_files import ExcludedFileMethods
from jupyter_ac.services.llm.file_sets import FileSetMethods
from jupyter_ac.services.llm.history import MessageMethods, SessionHistoryMethods
from jupyter_ac.services.llm.inline import InlineMethods
from jupyter_ac.services.llm.kernel_values import KernelValueMethods
from jupyter_ac.services.llm.marks import TurnMarkMethods
from jupyter_ac.services.llm.modes import ModeMethods
from jupyter_ac.services.llm.navigation import NavigationMethods, SymbolMethods
from jupyter_ac.services.llm.notebook_cells import NotebookCellMethods
from jupyter_ac.services.llm.notebook_kernels import NotebookKernels
from jupyter_ac.services.llm.opened_conversations import OpenConversationMethods
from jupyter_ac.services.llm.question_files import QuestionFileMethods
from jupyter_ac.services.llm.review import LlmReviewMethods
from jupyter_ac.services.llm.selection import SelectionMethods
from jupyter_ac.services.llm.sessions import (
    SessionBranchMethods,
    SessionManagementMethods,
    SessionMethods,
    TransferMethods,
)
from jupyter_ac.services.llm.snippets import ModeSnippetMethods
from jupyter_ac.services.llm.state import StateMethods
from jupyter_ac.services.llm.trust import TrustMethods
from jupyter_ac.services.llm.urls import UrlMethods
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.panel_methods import panel_methods
from jupyter_ac.services.planner.plan_execution import PlanExecutionMethods
from jupyter_ac.services.planner.planner_names import PlannerPorts, planner_methods
from jupyter_ac.services.planner.task_execution import TaskExecutionMethods
from jupyter_ac.services.repo.activity import ActivityMethods
from jupyter_ac.services.repo.files import DiffMethods, FileMethods
from jupyter_ac.services.repo.history import BranchMethods, CommitHistoryMethods
from jupyter_ac.services.repo.programs import ProgramMethods
from jupyter_ac.services.repo.review import ReviewMethods
from jupyter_ac.services.repo.search import SearchMethods
from jupyter_ac.services.repo.staging import StagingMethods
from jupyter_ac.services.repo.tree import TreeMethods
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.repo.writes import MoveMethods, WriteMethods
from jupyter_ac.services.review_selections import ReviewSelections
from jupyter_ac.services.settings.content import ContentMethods, ReloadMethods
from jupyter_ac.services.settings.endpoints import EndpointMethods
from jupyter_ac.services.settings.info import InfoMethods
from jupyter_ac.services.settings.keys import KeyMethods
from jupyter_ac.services.settings.models import ModelMethods
from jupyter_ac.services.settings.ports import Catalogue, SettingsPorts
from jupyter_ac.services.settings.snippets import SnippetMethods, snippet_rows
from jupyter_ac.services.suites.suite_methods import SuiteMethods
from jupyter_ac.settings.editing import Editor
from jupyter_ac.settings.files import SNIPPETS, SYSTEM_EXTRA
from jupyter_ac.settings.snippet_store import SnippetStore

LLM_ALIASES: Final = ("LLM", "LiteLLM")
WITHOUT_GIT: Final = (
    "This folder is in no git repository, so there are no branches, commits and reviews, and no "
    "plans are carried out; make a repository of it with `git init`."
)
_OF_GIT: Final = (
    *(BranchMethods, CommitHistoryMethods, DiffMethods, StagingMethods, ReviewMethods),
    *(ActivityMethods, CommitMethods, CommitFormMethods, LlmReviewMethods),
    *(PlanExecutionMethods, TaskExecutionMethods),
)
_WITHOUT_GIT_TOO: Final = frozenset({"Repo.get_review_state", "LLMService.get_review_state"})
"""Methods that say that there is no review."""


def method_table(
    made: Composition, plans: PlannerPorts, panels: Callable[[Caller], PanelDirectory]
) -> MethodTable:
    """List what a workspace's pages can call.

    Args:
        made: the workspace.
        plans: what the methods of its planner work with.
        panels: returns those of a caller.
    """
    settings = settings_ports(
        made.planner,
        made.model,
        made.resources.models.catalogue,
        made.repository.root,
        made.resources.models,
    )
    commits = CommitHistoryMethods(made.repository)
    selections = ReviewSelections(made.book, made.ports.history, made.subscribers, made.review)
    metrics = made.resources.guards.metrics
    table = MethodTable(
        repo_methods(made.repository, made.writers, made.tree, commits, selections),
        llm_methods(made, settings, commits, selections),
        Namespace(
            "LLMService",
            AgentMethods(made.book, made.agent.approvals, made.agent.undo, made.subscribers),
            aliases=LLM_ALIASES,
            needs_login=True,
        ),
        Namespace(
            "Tests",
            SuiteMethods(made.repository, made.book, made.agent.suites),
            needs_login=True,
        ),
        Namespace(
            "Kernel", KernelValueMethods(NotebookKernels(made.subscribers)), needs_login=True
        ),
        settings_methods(settings),
        *browser_methods(made.browser, made.browser_page),
        *planner_methods(plans),
        panel_methods(panels, needs_login=True),
        Namespace("", MetricsMethods(metrics), aliases=("Planner",)),
        Namespace("rpc", DiscoveryMethods(lambda: table)),
    )
    if made.repository.is_plain_folder:
        table.refuse(_needs_git, NotFound, WITHOUT_GIT)
    return table


def _needs_git(method: Method) -> bool:
    return isinstance(getattr(method.handler, "__self__", None), _OF_GIT) and (
        method.key not in _WITHOUT_GIT_TOO
    )


def repo_methods(
    repository: Repository,
    writers: Writers,
    tree: TreeCache,
    commits: CommitHistoryMethods,
    selections: ReviewSelections | None = None,
) -> Namespace:
    """List the methods on a repository.

    Args:
        repository: read by them.
        writers: change it.
        tree: of its files.
        commits: the methods on its commits.
        selections: the files that people have ticked; None: nobody has.
    """
    return Namespace(
        "Repo",
        FileMethods(repository),
        TreeMethods(repository, tree),
        SearchMethods(repository),
        BranchMethods(repository),
        commits,
        DiffMethods(repository),
        WriteMethods(writers.files, writers.audience),
        StagingMethods(repository, writers),
        MoveMethods(repository, writers),
        ReviewMethods(repository, writers, selections),
        ProgramMethods(repository, writers),
        ActivityMethods(repository),
    )


def llm_methods(
    made: Composition,
    settings: SettingsPorts,
    commits: CommitHistoryMethods,
    selections: ReviewSelections,
) -> Namespace:
    """List the methods on conversations, what the model is sent, and what it answers."""
    repository, database, writers = made.repository, made.database, made.writers
    book, ports, pages = made.book, made.ports, made.subscribers
    review = partial(review_state, repository)
    branching = Branching(book, HistoryBranches(database))
    importer = HistoryImport(database, repository.worktree)
    messages, work = made.commit_messages, made.commit_work
    context = QuestionContext(book, pages, made.page_fetching)
    management = SessionManagement(database, repository.worktree, ports.history.owner, ports.images)
    sessions = SessionManagementMethods(book, management, pages)
    started = StartedAnswers(made.turns, made.deliveries)
    return Namespace(
        "LLMService",
        ChatMethods(book, made.turns, made.deliveries, context, ports.images),
        ImageMethods(ports.images),
        SessionMethods(book, pages),
        sessions,
        MessageMethods(book),
        SelectionMethods(book, pages),
        FileSetMethods(FileSetStore(database)),
        ExcludedFileMethods(book, made.excluded, pages),
        ContextItemMethods(book, ports, pages, made.documents.names_of),
        NotebookCellMethods(book, made.notebook_views, made.documents, pages),
        InspectionMethods(book, ports, pages),
        SymbolTokenMethods(book, ports, made.navigator.outline),
        TrimmingMethods(book, ports, made.compactor),
        TurnMarkMethods(book, ports, pages),
        SessionHistoryMethods(book, ports, made.archive),
        StateMethods(book, ports, pages, repository, review, made.state_files()),
        ModeMethods(book, ports.maps, pages, ports.events),
        ModeSnippetMethods(partial(snippet_rows, settings.snippets), review, book),
        LlmReviewMethods(repository, ReviewMethods(repository, writers, selections), commits),
        EditMethods(book, Decider(ports.edits), pages, settings.keep_edits_review),
        NavigationMethods(made.navigator),
        SymbolMethods(made.navigator),
        CommitMethods(book, messages, work, writers, pages),
        CommitFormMethods(repository, book, messages, work, writers, made.deliveries),
        TransferMethods(made.archive, importer, ports.images.get),
        UrlMethods(book, made.page_fetching, made.page_summaries),
        TrustMethods(book, HistoryTrust(database, repository.worktree), pages),
        SessionBranchMethods(book, branching, VersionArchive(database, repository.worktree), pages),
        QuestionFileMethods(book, AutoSelectionRule(repository, made.excluded.read)),
        ExampleMethods(book, made.sample, started, context),
        ExampleRemovalMethods(book, management, sessions, settings.hide_example),
        OpenConversationMethods(book, made.opened, pages),
        inline_methods(made),
        CellRunMethods(made.cell_runner, made.cell_execution, made.model.renew),
        aliases=LLM_ALIASES,
    )


def inline_methods(made: Composition) -> InlineMethods:
    """Make the methods that complete code at the cursor."""
    planner = made.planner
    completer = InlineCompleter(
        made.ports.models,
        lambda: planner.settings.app.inline_completion,
        planner.admin.model_allowed,
    )
    costs = SideCosts(made.database, made.repository.worktree)
    return InlineMethods(
        made.repository, made.book, made.documents, completer, costs.spent, made.excluded.read
    )


def settings_methods(ports: SettingsPorts) -> Namespace:
    """List the methods on the user's settings."""
    return Namespace(
        "Settings",
        InfoMethods(ports),
        ContentMethods(ports),
        ReloadMethods(ports),
        ModelMethods(ports),
        KeyMethods(ports),
        EndpointMethods(ports),
        SnippetMethods(ports.snippets),
    )


def settings_ports(
    planner: ModelPlanner, model: LiveModel, catalogue: Catalogue, repo_root: Path, models: Models
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
        endpoints=models,
        variables=lambda: model.plan.environment,
        has_demo=planner.embedded_available,
        snippets=SnippetStore(
            planner.settings, repo_root, uses_repository=not admin.is_locked(SNIPPETS)
        ),
        repo_root=repo_root,
        config_dir=planner.config_dir,
    )


def _own_prompt(name: str) -> str:
    return "" if name == SYSTEM_EXTRA else template(f"{name}.md")
