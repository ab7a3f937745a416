"""All tools together: what models are told of them, and that hostile calls end as errors."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import fastjsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.agent.commands.background import BackgroundCommands
from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.agent.tool import Right, Tool
from jupyter_ac.agent.tools.catalogue import KernelPart, ToolParts, WebPart, make_tools
from jupyter_ac.agent.tools.cell_running import ApprovedCells
from jupyter_ac.agent.tools.symbols import SymbolIndex
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.fetched_pages import FetchedPages
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.open_notebooks import NONE_OPEN, OpenNotebook
from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.navigator import Navigator
from jupyter_ac.inspection.variables import VariableList
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.url_cache import UrlCache
from tests.agent.tools.calls import Caller
from tests.agent.tools.pages_in_memory import MemoryPages
from tests.agent.tools.test_notebook import notebook
from tests.agent.tools.test_symbols import Never, NoJedi
from tests.support.cells import Kernel, runner_in
from tests.support.examples import examples
from tests.support.exclusions import none_excluded
from tests.support.repositories import make_repository

NAMES = (
    *("read_file", "list_files", "search", "find_symbol", "references", "outline", "git_diff"),
    *("git_log", "fetch_url", "read_cell", "list_variables", "run_cell", "browser_console"),
    *("browser_network", "browser_screenshot", "browser_js", "browser_click", "browser_navigate"),
    *("run_command", "read_output", "stop", "run_tests", "ask_user", "done"),
)
SECRET = "outside-of-the-repository"
HOSTILE = (
    *(
        "",
        ".",
        "..",
        "../outside.txt",
        "/etc/passwd",
        ".git/config",
        "a\0b",
        "x" * 5000,
        "caf\udce9",
    ),
    *("out", "out/passwd", "loop", "a.py", "n.ipynb", ".env", "logo.png", "C:\\x", "folder", "-x"),
    *(
        "(a+)+$",
        "((a{1,255}){1,255}){1,255}",
        "*" * 400,
        "\n",
        "$(id)",
        "about:blank",
        "http://[::1",
    ),
    *(
        "--output=made",
        ":(glob)**",
        "https://user:pw@example.org",
        "https://x.example/\ud83d",
        "file:///etc/passwd",
        "\ud800",
    ),
)


async def no_kernel(_conversation: Conversation, _notebook: str) -> str:
    raise NotReady("The notebook has no kernel; start one.")


async def no_variables(_conversation: Conversation, _notebook: str) -> VariableList:
    return {"variables": [], "left_out": 0}


async def nothing_open(*_asked: object) -> Mapping[RepoPath, OpenNotebook]:
    return NONE_OPEN


def parts_of(repository: Repository, folder: Path) -> ToolParts:
    runner = CommandRunner(repository.root, Sandbox(repository))
    cells = ApprovedCells(runner_in(folder, Kernel()), no_kernel, lambda: True)
    return ToolParts(
        repository=repository,
        files=RepositoryFiles(repository, excluded=none_excluded),
        symbols=SymbolIndex(Never(), Navigator(repository, Never(), NoJedi())),
        web=WebPart(
            FetchedPages(Fetcher(HostRules), UrlCache(folder / "urls", lambda: 1.0)),
            HostRules,
            lambda: False,
        ),
        kernels=KernelPart(nothing_open, no_variables, cells),
        browser=MemoryPages(),
        images=ImageFolder(folder),
        runner=runner,
        background=BackgroundCommands(runner),
        environment={},
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what is hostile."""
    folder = make_repository(
        tmp_path_factory.mktemp("catalogue") / "repo",
        {"a.py": "x = 1\n", "folder/b.py": "", "n.ipynb": notebook(("x", "")), ".env": "A=1\n"},
    )
    (folder.root.parent / "outside.txt").write_text(SECRET)
    (folder.root / "out").symlink_to("/etc")
    (folder.root / "loop").symlink_to("loop")
    folder.write("logo.png", b"\x89PNG\0\0")
    return folder.root


async def tools_in(place: Path) -> tuple[Tool, ...]:
    return make_tools(parts_of(await discover(place), place.parent))


async def test_the_tools_and_their_order(place: Path) -> None:
    tools = await tools_in(place)
    assert tuple(tool.definition.name for tool in tools) == NAMES
    rights = {tool.definition.name: tool.definition.right for tool in tools}
    asking = {name for name, right in rights.items() if right is not Right.READ}
    assert asking == {
        *("fetch_url", "run_cell", "browser_js", "browser_click", "browser_navigate"),
        *("run_command", "run_tests", "ask_user", "done"),
    }


async def test_what_models_are_told_is_short_and_valid(place: Path) -> None:
    definitions = [tool.definition for tool in await tools_in(place)]
    for definition in definitions:
        fastjsonschema.compile(dict(definition.parameters))
        assert definition.parameters["additionalProperties"] is False
        assert definition.description.endswith(".")
        assert len(definition.description) <= 300
    told = [[one.name, one.description, one.parameters] for one in definitions]
    assert len(json.dumps(told)) < 8000


ARGUMENTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, object]]:
    """A tool and values for all arguments that the tools have."""
    values: dict[str, object] = {}
    texts = ("path", "folder", "pattern", "text", "name", "cell", "notebook", "url", "command")
    for name in (*texts, "id", "question", "summary", "arguments", "code", "selector", "target"):
        if draw(st.booleans()):
            values[name] = draw(ARGUMENTS)
    for name in ("first_line", "last_line", "line", "column", "count", "limit", "timeout_s"):
        if draw(st.booleans()):
            values[name] = draw(st.sampled_from([1, 2, 10**9, 10**30]))
    for name in ("is_regex", "ignore_case", "staged", "full", "background"):
        if draw(st.booleans()):
            values[name] = True
    return draw(st.sampled_from(NAMES)), values


@settings(max_examples=examples(300))
@given(calls())
def test_hostile_calls_end_in_results_or_errors(
    place: Path, call: tuple[str, dict[str, object]]
) -> None:
    name, arguments = call

    async def said() -> str:
        tool = next(one for one in await tools_in(place) if one.definition.name == name)
        context = Caller().context()
        try:
            tool.title(arguments).encode()
            question = await tool.question(arguments, context)
            if question is not None:
                question.text.encode()
            if tool.definition.right is not Right.READ:
                return "not run"
            result = await tool.run(arguments, context)
        except AcError as error:
            return error.message
        assert "A=1" not in result.text or question is not None
        return result.text

    text = asyncio.run(said())
    assert 0 < len(text.encode("utf-8", "surrogatepass")) < 30_000
    assert SECRET not in text
    assert "root:" not in text
    assert not (place / "made").exists()
