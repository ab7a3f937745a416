"""The tools over the index, with a real one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from jupyter_ac.agent.tool import Tool
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.agent.tools.symbols import (
    FindSymbolTool,
    OutlineTool,
    ReferencesTool,
    SymbolIndex,
)
from jupyter_ac.errors import InvalidParams, NotFound, NotReady, RefusedPath, RemoteError
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexClient, IndexState, IndexStatus
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.index.navigation.navigator import Navigator
from tests.agent.tools.calls import KEY, Caller, checked, folder_of, opened
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder

LIMIT_S = 90.0
PUMP = """\
class Pump:
    def start(self, force: bool) -> int:
        return 1


µ = "ü"; p = Pump()
"""
FILES: dict[str, str | bytes] = {
    "pump.py": PUMP,
    "use.py": "from pump import Pump\n\np = Pump()\np.start(True)\n",
    "docs/guide.md": "# Guide\n\n## Pumps\n\nText.\n",
    "secret.py": f"from pump import Pump\nKEY = '{KEY}'\nPump()\n",
}


class NoJedi:
    """Knows nothing."""

    async def ask(
        self, question: str, path: RepoPath, line: int, column: int, *, patient: bool = True
    ) -> object:
        del question, path, line, column, patient
        return None


class Tools:
    """The three tools over one repository."""

    def __init__(self, folder: RepositoryFolder, symbols: SymbolIndex, references: Tool) -> None:
        masker = ResultMasker({})
        self.folder = folder
        self.symbols = symbols
        self.find = FindSymbolTool(symbols, masker, none_excluded)
        self.outline = OutlineTool(symbols, masker, none_excluded)
        self.references = references
        self.caller = Caller()


@asynccontextmanager
async def tools_of(tmp_path: Path, *, ready: bool = True) -> AsyncIterator[Tools]:
    folder = folder_of(tmp_path, FILES)
    repository = await opened(folder)
    client = IndexClient(folder.root, tmp_path / "cache")
    try:
        if ready:
            await client.refresh()
        symbols = SymbolIndex(client, Navigator(repository, client, NoJedi()))
        references = ReferencesTool(symbols, checked(repository), ResultMasker({}))
        yield Tools(folder, symbols, references)
    finally:
        await client.aclose()


async def test_symbols_outlines_and_references_of_a_real_index(tmp_path: Path) -> None:
    async with tools_of(tmp_path) as tools:
        caller = tools.caller
        found = await caller.text(tools.find, name="start")
        assert found.splitlines()[0].startswith("method Pump.start(")
        assert found.splitlines()[0].endswith("pump.py:2:9")
        assert "pump.py:1:7" in await caller.text(tools.find, name="Pump")
        nothing = await caller.text(tools.find, name="nowhere_at_all")
        assert nothing == "No symbol has such a name; search finds text."

        outline = await caller.text(tools.outline, path="pump.py")
        assert "Pump" in outline
        assert "start" in outline
        assert "Pumps" in await caller.text(tools.outline, path="docs/guide.md")

        by_name = await caller.text(tools.references, name="Pump")
        assert "use.py\n  1: from pump import Pump\n  3: p = Pump()" in by_name
        by_column = await caller.text(tools.references, path="pump.py", line=1, column=7)
        by_line = await caller.text(tools.references, path="pump.py", line=1, name="Pump")
        assert by_column == by_line == by_name
        behind = await caller.text(tools.references, path="pump.py", line=6, name="Pump")
        assert "use.py" in behind

        # Lines of a file that seems to hold a secret aren't shown.
        assert "secret.py\n  1\n  3" in by_name
        assert KEY not in by_name


async def test_what_names_no_symbol(tmp_path: Path) -> None:
    async with tools_of(tmp_path) as tools:
        call = tools.caller.allowed
        with pytest.raises(InvalidParams, match="Give a name"):
            await call(tools.references)
        with pytest.raises(InvalidParams, match="Line 2 has no 'Pump'"):
            await call(tools.references, path="use.py", line=2, name="Pump")
        with pytest.raises(NotFound, match="knows no symbol"):
            await call(tools.references, name="nowhere_at_all")
        with pytest.raises(RemoteError, match="the index has no such file"):
            await call(tools.outline, path="gone.py")

        async def hidden() -> ExcludedPaths:
            return ExcludedPaths((RepoPath("gone.py"),))

        outline = OutlineTool(tools.symbols, ResultMasker({}), hidden)
        with pytest.raises(RefusedPath, match="it is excluded"):
            await call(outline, path="gone.py")
        for path in ("../x.py", ".git/config", "/etc/passwd"):
            with pytest.raises(RefusedPath):
                await call(tools.outline, path=path)
            with pytest.raises(RefusedPath):
                await call(tools.references, path=path, line=1, column=1)
        assert "No references" in await tools.caller.text(
            tools.references, path="use.py", line=2, column=1
        )


async def test_an_index_that_isnt_there_yet_is_waited_for(tmp_path: Path) -> None:
    async with tools_of(tmp_path, ready=False) as tools:
        found = ""
        async with asyncio.timeout(LIMIT_S):
            while not found:  # on a slow machine the first call says that it isn't ready
                with suppress(NotReady):
                    found = await tools.caller.text(tools.find, name="start")
        assert "pump.py" in found


class Never:
    """An index that can't be made."""

    status = IndexStatus(IndexState.FAILED, RefreshProgress(0, 0), reason="The disk is full.")

    async def ready(self, wait_s: float) -> bool:
        assert wait_s <= 5
        return False

    async def call(self, name: str, *args: object, timeout_s: float) -> object:
        raise AssertionError(name, args, timeout_s)


async def test_one_that_cant_be_made_says_why(tmp_path: Path) -> None:
    repository = await opened(folder_of(tmp_path))
    symbols = SymbolIndex(Never(), Navigator(repository, Never(), NoJedi()))
    with pytest.raises(NotReady, match=r"The disk is full\."):
        await Caller().allowed(FindSymbolTool(symbols, ResultMasker({}), none_excluded), name="x")


async def test_titles(tmp_path: Path) -> None:
    repository = await opened(folder_of(tmp_path))
    symbols = SymbolIndex(Never(), Navigator(repository, Never(), NoJedi()))
    references = ReferencesTool(symbols, checked(repository), ResultMasker({}))
    assert FindSymbolTool(symbols, ResultMasker({}), none_excluded).title({"name": "a\nb"}) == "a b"
    assert OutlineTool(symbols, ResultMasker({}), none_excluded).title({"path": "a.py"}) == "a.py"
    assert references.title({"name": "Pump", "path": "a.py", "line": 3}) == "Pump a.py:3"
