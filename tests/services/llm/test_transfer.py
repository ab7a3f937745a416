import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nbformat
import pytest

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.importing import HistoryImport
from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.transfer import TransferMethods
from tests.chat.memory import MemoryImages
from tests.services.llm.pages import Connection, Page, connect
from tests.support.histories import history_in

LINE = {"session_id": "sess_1700000000000_abcdef", "timestamp": "2023-11-14T22:13:20Z"}
CONTENT = "\n".join(
    json.dumps(LINE | {"id": role, "role": role, "content": content})
    for role, content in (("user", "Why?"), ("assistant", "So."))
)


@asynccontextmanager
async def transferring(folder: Path) -> AsyncIterator[MethodTable]:
    database = history_in(folder)
    archive, importer = HistoryArchive(database, ""), HistoryImport(database, "")
    yield MethodTable(
        Namespace("LLMService", TransferMethods(archive, importer, MemoryImages().get))
    )
    await database.aclose()


@asynccontextmanager
async def page_of(table: MethodTable, name: str = "ada") -> AsyncIterator[Page]:
    page = Page()
    connection: Connection = await connect(page, table, Identity(name))
    try:
        yield page
    finally:
        await connection.close()


async def test_what_is_taken_in_can_be_given_out_again(tmp_path: Path) -> None:
    async with transferring(tmp_path) as table, page_of(table) as page:
        taken = await page.ask("import_history", f"{CONTENT}\nbroken\n")
        assert taken == {
            "sessions": 1,
            "messages": 2,
            "known": 0,
            "images": 0,
            "bad": 1,
            "bad_lines": [3],
        }
        file = await page.ask("export_session", LINE["session_id"])
        assert file["filename"] == "jupyter-ac-sess_1700000000000_abcdef.md"
        assert "> Why?" in str(file["content"])
        file = await page.ask("export_session", LINE["session_id"], "ipynb")
        notebook = nbformat.reads(str(file["content"]), as_version=4)
        nbformat.validate(notebook)
        assert len(notebook.cells) == 3
        with pytest.raises(RemoteError, match="'markdown' or 'ipynb'"):
            await page.ask("export_session", LINE["session_id"], "pdf")


async def test_nobody_gets_what_is_not_theirs(tmp_path: Path) -> None:
    async with transferring(tmp_path) as table, page_of(table) as ada, page_of(table, "bob") as bob:
        await ada.ask("import_history", CONTENT)
        refused = await bob.ask("export_session", LINE["session_id"])
        assert "There is no session" in str(refused["error"])


async def test_the_form_can_be_named(tmp_path: Path) -> None:
    async with transferring(tmp_path) as table:
        page = Page()
        connection = await connect(page, table, profile=JSONRPC2)
        await page.ask("import_history", CONTENT)
        method = table["LLMService.export_session"]
        bound = JSONRPC2.bind(method, {"session_id": "x", "format": "ipynb"})
        assert bound[1] == {"session_id": "x", "format": "ipynb"}
        await connection.close()
