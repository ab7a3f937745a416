from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.excluded_files import ExcludedFiles
from jupyter_ac.chat.history.exclusion_store import MAX_EXCLUDED, ExcludedPathStore
from jupyter_ac.errors import RemoteError
from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.excluded_files import ExcludedFileMethods
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import (
    MemoryFiles,
    MemoryFocuses,
    MemoryHistory,
    MemoryPages,
    MemoryViews,
)
from tests.services.llm.pages import Page, connect
from tests.support.conformance import problems
from tests.support.histories import history_in
from tests.support.repositories import make_repository
from tools.api.surface import result_of


async def test_files_are_excluded_and_bad_lists_change_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": "", "d/b.py": ""})
    database = history_in(tmp_path)
    excluded = ExcludedFiles(
        await discover(folder.root), ExcludedPathStore(database), lambda _: None
    )
    book = ConversationRegistry(
        MemoryHistory(), MemoryFiles(), MemoryFocuses(), MemoryPages(), MemoryViews()
    )
    table = MethodTable(Namespace("LLMService", ExcludedFileMethods(book, excluded, Subscribers())))
    page = Page()
    connection = await connect(page, table)
    kept = await page.call("set_excluded_index_files", ["d/", "a.py", "./a.py", "not/there"])
    assert kept == ["a.py", "d", "not/there"]
    shape = result_of(table["LLMService.set_excluded_index_files"])
    assert problems(kept, shape, "set_excluded_index_files") == []
    for files in ("a.py", None, [1], ["../x"], ["."], ["a"] * (MAX_EXCLUDED + 1)):
        with pytest.raises(RemoteError):
            await page.call("set_excluded_index_files", files)
    assert await page.call("get_excluded_index_files") == kept
    with pytest.raises(RemoteError, match="changed elsewhere"):
        await page.call("set_excluded_index_files", [], ["a.py"])
    assert await page.call("get_excluded_index_files") == kept
    assert await page.call("set_excluded_index_files", ["a.py"], [*reversed(kept)]) == ["a.py"]
    assert await page.call("set_excluded_index_files", [], True) == []
    await connection.close()
    await database.aclose()
