"""All tools of agent runs, in the order in which models are told of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jupyter_ac.agent.commands.background import BackgroundCommands
from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.tool import Tool
from jupyter_ac.agent.tools.browser import (
    BrowserConsoleTool,
    BrowserNetworkTool,
    BrowserScreenshotTool,
    WatchedPages,
)
from jupyter_ac.agent.tools.browser_actions import (
    AskedPages,
    BrowserClickTool,
    BrowserJsTool,
    BrowserNavigateTool,
)
from jupyter_ac.agent.tools.cell_running import ApprovedCells, RunCellTool
from jupyter_ac.agent.tools.checked_files import CheckedFiles, OpenNotebookReader
from jupyter_ac.agent.tools.git_history import GitDiffTool, GitLogTool
from jupyter_ac.agent.tools.notebook import (
    ListVariablesTool,
    NotebookSources,
    ReadCellTool,
    VariableLister,
)
from jupyter_ac.agent.tools.pages import FetchUrlTool
from jupyter_ac.agent.tools.reading import ReadFileTool
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.agent.tools.running import (
    AskedCommands,
    ReadOutputTool,
    RunCommandTool,
    RunTestsTool,
    StopTool,
)
from jupyter_ac.agent.tools.searching import ListFilesTool, SearchTool
from jupyter_ac.agent.tools.symbols import (
    FindSymbolTool,
    OutlineTool,
    ReferencesTool,
    SymbolIndex,
)
from jupyter_ac.agent.tools.user import AskUserTool, DoneTool
from jupyter_ac.chat.fetched_pages import FetchedPages
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.git.repository import Repository
from jupyter_ac.web.host_rules import HostRules


@dataclass(frozen=True, slots=True)
class WebPart:
    """What fetches web pages.

    Attributes:
        pages: fetches them, through the cache.
        rules: returns the rules about hosts that are in force.
        is_off: returns whether nothing is to be fetched.
    """

    pages: FetchedPages
    rules: Callable[[], HostRules]
    is_off: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class KernelPart:
    """What reaches notebooks and their kernels.

    Attributes:
        open_notebooks: asks for notebooks that are open in pages.
        variables: lists the variables of a notebook's kernel.
        cells: runs cells.
    """

    open_notebooks: OpenNotebookReader
    variables: VariableLister
    cells: ApprovedCells


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What the tools of a workspace use.

    Attributes:
        repository: of the workspace.
        files: reads its files.
        symbols: its index.
        web: fetches pages.
        kernels: notebooks and kernels.
        browser: the watched pages.
        images: keeps pictures.
        runner: runs commands.
        background: runs those that go on.
        environment: of the host, whose secrets are masked in results.
    """

    repository: Repository
    files: RepositoryFiles
    symbols: SymbolIndex
    web: WebPart
    kernels: KernelPart
    browser: WatchedPages
    images: ImageFolder
    runner: CommandRunner
    background: BackgroundCommands
    environment: Mapping[str, str]


def make_tools(parts: ToolParts) -> tuple[Tool, ...]:
    """Return all tools; the order is always the same, since it is part of each request."""
    repository, masker = parts.repository, ResultMasker(parts.environment)
    files = CheckedFiles(repository, parts.files, parts.kernels.open_notebooks)
    notebooks, excluded = NotebookSources(files, parts.files), parts.files.excluded
    pages = AskedPages(parts.browser, masker)
    commands = AskedCommands(parts.runner, parts.background, masker)
    return (
        ReadFileTool(files, masker),
        ListFilesTool(repository, masker, excluded),
        SearchTool(repository, masker, excluded),
        FindSymbolTool(parts.symbols, masker, excluded),
        ReferencesTool(parts.symbols, files, masker),
        OutlineTool(parts.symbols, masker, excluded),
        GitDiffTool(repository, masker, excluded),
        GitLogTool(repository, masker, excluded),
        FetchUrlTool(parts.web.pages, parts.web.rules, parts.web.is_off, masker),
        ReadCellTool(notebooks, masker),
        ListVariablesTool(parts.kernels.variables, masker),
        RunCellTool(notebooks, parts.kernels.cells, masker),
        BrowserConsoleTool(parts.browser, masker),
        BrowserNetworkTool(parts.browser, masker),
        BrowserScreenshotTool(parts.browser, parts.images),
        BrowserJsTool(pages),
        BrowserClickTool(pages),
        BrowserNavigateTool(pages),
        RunCommandTool(commands),
        ReadOutputTool(commands),
        StopTool(commands),
        RunTestsTool(repository, commands),
        AskUserTool(),
        DoneTool(),
    )
