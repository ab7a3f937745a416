"""The methods on cells of notebooks, through a connection."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.ids import ConversationKey
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.notebook_cells import NotebookCellMethods
from jupyter_ac.services.llm.open_documents import EDIT, NOTEBOOKS, OpenDocuments
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.edited import editing
from tests.chat.memory import ADA
from tests.chat.test_notebook_views import BOOK, FILES, views_of
from tests.services.llm.pages import WITH_DELTAS, Page, connect

OPEN = {
    "path": BOOK,
    "language": "python",
    "nbformat_minor": 5,
    "cells": [{"id": "live", "cell_type": "code", "source": "typed"}],
    "unsaved": True,
    "idle_ms": 0,
}


@asynccontextmanager
async def _page(folder: Path, *, is_open: bool = False) -> AsyncIterator[Page]:
    async def answers(name: str) -> object:
        return [OPEN] if name == NOTEBOOKS else True

    async with editing(folder, FILES) as world:
        audience = Subscribers()
        documents = OpenDocuments(audience, world.repository.root)
        part = NotebookCellMethods(world.book, views_of(world), documents, audience)
        page = Page((*WITH_DELTAS, *((NOTEBOOKS, EDIT) if is_open else ())), answers)
        connection = await connect(page, MethodTable(Namespace("LLMService", part)))
        audience.join(connection.host, ConversationKey(ADA))
        try:
            yield page
        finally:
            await audience.aclose()
            await connection.close()


async def _cells(page: Page) -> list[tuple[object, ...]]:
    answer = await page.call("get_notebook_cells", BOOK)
    assert isinstance(answer, dict)
    assert answer["missing"] == 0
    return [(row["id"], row["excluded"], row["outputs"]) for row in answer["cells"]]


async def _images(page: Page) -> list[tuple[object, ...]]:
    answer = await page.call("get_notebook_cells", BOOK)
    assert isinstance(answer, dict)
    return [(row["id"], row["images_sent"]) for row in answer["cells"]]


async def test_cells_are_left_out_and_outputs_added(tmp_path: Path) -> None:
    async with _page(tmp_path) as page:
        assert await _cells(page) == [("a", False, False), ("b", False, False)]
        assert await page.call("set_excluded_cells", BOOK, ["b", "gone"]) == ["b"]
        assert await page.call("set_shown_outputs", BOOK, ["a"]) == ["a"]
        assert await _cells(page) == [("a", False, True), ("b", True, False)]
        await page.until(lambda page: len(page.named("filesChanged")) == 2)


async def test_images_go_with_outputs_and_older_callers_keep_them(tmp_path: Path) -> None:
    async with _page(tmp_path) as page:
        assert await page.call("set_shown_outputs", BOOK, ["a"], ["a", "b"]) == ["a"]
        assert await _images(page) == [("a", True), ("b", False)]
        await page.call("set_shown_outputs", BOOK, ["a", "b"])
        assert await _images(page) == [("a", True), ("b", False)]
        await page.call("set_shown_outputs", BOOK, ["a", "b"], [])
        assert await _images(page) == [("a", False), ("b", False)]
        with pytest.raises(AcError):
            await page.call("set_shown_outputs", BOOK, ["a"], "a")


async def test_cells_of_an_open_notebook_are_those_of_the_page(tmp_path: Path) -> None:
    async with _page(tmp_path, is_open=True) as page:
        await page.call("set_shown_outputs", BOOK, ["live"])
        assert await _cells(page) == [("live", False, True)]
        assert page.named("getOpenNotebooks") == [([BOOK], ["live"])]
        assert await page.call("set_excluded_cells", BOOK, ["live", "a"]) == ["live"]


@pytest.mark.parametrize(
    ("path", "ids"), [("none.ipynb", []), ("a.txt", []), (BOOK, "a"), (BOOK, [3])]
)
async def test_wrong_arguments_are_refused(tmp_path: Path, path: str, ids: object) -> None:
    async with _page(tmp_path) as page:
        with pytest.raises(AcError):
            await page.call("set_excluded_cells", path, ids)
        assert await _cells(page) == [("a", False, False), ("b", False, False)]
