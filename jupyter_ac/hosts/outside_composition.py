"""Makes what reaches out of a repository: to browsers, web pages, kernels. Nothing is started."""

from functools import partial

from jupyter_ac.browser.client import BrowserClient
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.fetched_pages import FetchedPages
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.events import BrowserChanged, CellRunUpdated
from jupyter_ac.execution.cell_runner import CellRunner
from jupyter_ac.execution.cell_runs import CellRun
from jupyter_ac.execution.run_journal import RunJournal, journal_database
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.rpc.target_states import TargetStates
from jupyter_ac.services.browser.page_connection import PageConnection
from jupyter_ac.services.browser.watched_targets import WatchedTargets
from jupyter_ac.services.llm.cell_execution import CellExecution
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.settings.paths import url_cache_folder
from jupyter_ac.store.sqlite import Database
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.url_cache import UrlCache


def make_browser(
    repository: Repository, subscribers: Subscribers
) -> tuple[TargetStates, WatchedTargets, PageConnection]:
    """Make what follows the pages of browsers, with the machines of their states."""

    def changed() -> None:
        subscribers.publish(BrowserChanged(page.state()))

    machines = TargetStates()
    targets = WatchedTargets(partial(BrowserClient, repository.root), machines, changed)
    page = PageConnection(targets, machines, changed)
    return machines, targets, page


def make_page_fetching(
    planner: ModelPlanner, web_pages: PageStore, subscribers: Subscribers
) -> tuple[PageFetching, FetchedPages]:
    """Make what fetches web pages: into conversations, and for others.

    Args:
        planner: has the settings in force.
        web_pages: stores those of conversations.
        subscribers: the pages of this program.
    """
    admin = planner.admin
    folder = url_cache_folder(planner.environ, planner.settings.app.url_cache.path)
    fetcher = Fetcher(lambda: HostRules(admin.allowed_hosts, admin.denied_hosts))
    cache = UrlCache(folder, lambda: planner.settings.app.url_cache.ttl_hours)
    fetching = PageFetching(
        ConversationPages(web_pages),
        fetcher,
        cache,
        subscribers,
        lambda: planner.settings.app.urls.fetch == "never",
    )
    return fetching, FetchedPages(fetcher, cache)


def make_cell_runner(
    repository: Repository,
    database: Database,
    planner: ModelPlanner,
    execution: CellExecution,
    subscribers: Subscribers,
) -> CellRunner:
    """Make what runs cells in the user's kernels.

    Args:
        repository: of the notebooks.
        database: the history, beside which its journal lies.
        planner: has the settings in force.
        execution: runs one cell.
        subscribers: the pages.
    """
    owner = Owner()
    journal = RunJournal(
        journal_database(database),
        repository.worktree,
        str(owner),
        lambda signature, silent_ms, limit_ms: owner.is_gone(signature, silent_ms, 3 * limit_ms),
    )

    def publish(run: CellRun) -> None:
        for key in subscribers.conversation_keys():
            if key.identity == run.identity:
                subscribers.publish(CellRunUpdated(run.row()), key)

    return CellRunner(execution, journal, lambda: planner.settings.app.kernel.run_cells, publish)
