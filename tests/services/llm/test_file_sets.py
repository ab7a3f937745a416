from pathlib import Path

import pytest

from jupyter_ac.chat.history.file_sets import FileSetStore
from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.file_sets import MAX_NAME, FileSetMethods
from tests.services.llm.pages import Page, connect
from tests.support.conformance import problems
from tests.support.histories import history_in
from tools.api.surface import result_of


async def test_sets_are_saved_listed_renamed_and_deleted(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    table = MethodTable(Namespace("LLMService", FileSetMethods(FileSetStore(database))))
    page, other = Page(), Page()
    connections = [await connect(page, table), await connect(other, table, Identity("bob"))]
    saved = await page.call("save_file_set", "  tests ", ["b.py", "./a.py", "a.py"])
    assert saved == [{"name": "tests", "paths": ["b.py", "a.py"]}]
    assert await page.call("list_file_sets") == saved
    assert await other.call("list_file_sets") == []
    renamed = await page.call("rename_file_set", "tests", "all tests")
    assert [row["name"] for row in await page.rows("list_file_sets")] == ["all tests"]
    for name, answer in (("save_file_set", saved), ("rename_file_set", renamed)):
        assert problems(answer, result_of(table[f"LLMService.{name}"]), name) == []
    assert await page.call("delete_file_set", "all tests") == []
    for name in ("", " ", "x" * (MAX_NAME + 1), "two\nlines"):
        assert "name must be" in str(await page.call("save_file_set", name, []))
    assert "no set" in str(await page.call("delete_file_set", "gone"))
    assert "no set" in str(await page.call("rename_file_set", "gone", "x"))
    for files in ("a.py", [1], ["a"] * 10_001):
        with pytest.raises(RemoteError):
            await page.call("save_file_set", "x", files)
    assert await page.call("list_file_sets") == []
    for connection in connections:
        await connection.close()
    await database.aclose()
