"""Blocks that edit notebooks: by the text of their cells, with undo to the exact bytes."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edits.apply_options import Applied
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.notebook.percent import percent_text
from tests.notebook.files import code, markdown, notebook_file
from tests.support.edited import Editing, apply_options, delete, edit, editing_of, rename
from tests.support.open_notebooks import PageDocument, cell, opened
from tests.support.repositories import RepositoryFolder, make_repository

BOOK = notebook_file(
    code(["import os\n", "os.name"], id="a"), markdown("# Title", id="b"), code("x = 1", id="c")
)
MARKER = '# %% [markdown] id="b"'
FILES: dict[str, str | bytes] = {
    "book.ipynb": BOOK,
    "old.ipynb": json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": []}]}),
    "broken.ipynb": "{}",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", FILES)


@pytest.fixture
def work(folder: RepositoryFolder) -> Iterator[Editing]:
    made, database = editing_of(folder)
    yield made
    asyncio.run(database.aclose())


def sources(folder: RepositoryFolder, name: str = "book.ipynb") -> list[str]:
    book = nbformat.read(folder.root / name, 4)
    nbformat.validate(book)
    return [cell.source for cell in book.cells]


async def test_blocks_quote_the_text_of_cells_each_after_those_before(
    folder: RepositoryFolder, work: Editing
) -> None:
    applied = await work.apply(
        edit("book.ipynb", "os.name", "os.name\n\n# %%\nnew = 1"),
        edit("book.ipynb", "new = 1", "new = 2"),
        edit("book.ipynb", '# %% [markdown] id="b"\n# # Title', '# %% [markdown] id="b"\n# # T'),
        edit("book.ipynb", "nowhere", "x"),
        edit("book.ipynb", "x = 1", "x = 1"),
    )
    assert [one.status for one in applied.outcomes] == [
        *[BlockStatus.APPLIED] * 3,
        BlockStatus.FAILED,
        BlockStatus.ALREADY_APPLIED,
    ]
    assert applied.outcomes[3].error_type is ErrorType.ANCHOR_NOT_FOUND
    assert applied.outcomes[1].line == 6
    assert sources(folder) == ["import os\nos.name", "new = 2", "# T", "x = 1"]
    assert folder.git("status", "--porcelain") == "M  book.ipynb"
    assert (await work.undo()).reason == ""
    assert (folder.root / "book.ipynb").read_text() == BOOK


@pytest.mark.parametrize(
    ("old", "new", "is_refused"),
    [
        (
            'os.name\n\n# %% [markdown] id="b"\n# # Title',
            'os\n\n# %% [markdown] id="b"\n# # T',
            True,
        ),
        (f"{MARKER}\n# # Title", f"{MARKER}\n# # T", False),
        (f"os.name\n\n{MARKER}\n# # Title", "os.name\ntitle", False),
        (f"os.name\n\n{MARKER}", f"os\n\n{MARKER}", False),
        ("os.name", "os.name\n\n# %%\nnew", False),
    ],
)
async def test_a_block_over_a_border_must_change_cells(
    folder: RepositoryFolder, work: Editing, old: str, new: str, *, is_refused: bool
) -> None:
    outcome = await work.one(edit("book.ipynb", old, new))
    if is_refused:
        assert (outcome.status, outcome.error_type) == (
            BlockStatus.FAILED,
            ErrorType.VALIDATION_ERROR,
        )
        assert "one block for each cell" in outcome.message
        assert (folder.root / "book.ipynb").read_text() == BOOK
    else:
        assert outcome.status is BlockStatus.APPLIED


async def test_a_notebook_without_ids_keeps_the_names_that_the_model_saw(
    folder: RepositoryFolder, work: Editing
) -> None:
    folder.write("book.ipynb", notebook_file(*(code(f"x = {n}") for n in range(3)), minor=4))
    folder.commit("plain")
    applied = await work.apply(
        edit("book.ipynb", "# %% cell=1", "# %%\nfirst\n\n# %% cell=1"),
        edit("book.ipynb", "# %% cell=3\nx = 2", "# %% cell=3\nx = 3"),
    )
    assert [one.status for one in applied.outcomes] == [BlockStatus.APPLIED] * 2
    assert sources(folder) == ["first", "x = 0", "x = 1", "x = 3"]


async def test_a_new_notebook_is_written_from_its_text(
    folder: RepositoryFolder, work: Editing
) -> None:
    block = edit("new/one.ipynb", "", "# %% [markdown]\n# # One\n\n# %%\nx = 1")
    further = edit("new/one.ipynb", "x = 1", "x = 2")
    applied = await work.apply(block, further)
    assert [one.status for one in applied.outcomes] == [BlockStatus.APPLIED] * 2
    assert applied.created == ["new/one.ipynb"]
    assert sources(folder, "new/one.ipynb") == ["# One", "x = 2"]
    assert (await work.undo()).reason == ""
    assert not (folder.root / "new").exists()


async def test_a_link_to_a_notebook_is_edited_as_one(
    folder: RepositoryFolder, work: Editing
) -> None:
    (folder.root / "link.py").symlink_to("book.ipynb")
    outcome = await work.one(edit("link.py", "x = 1", "x = 2"))
    assert outcome.status is BlockStatus.APPLIED
    assert sources(folder)[-1] == "x = 2"


@pytest.mark.parametrize(
    ("path", "reason"), [("old.ipynb", "version 3"), ("broken.ipynb", "not a notebook")]
)
async def test_notebooks_that_may_not_be_edited_say_why(
    folder: RepositoryFolder, work: Editing, path: str, reason: str
) -> None:
    outcome = await work.one(edit(path, "", "# %%\nx = 1"))
    got = outcome.status, outcome.error_type
    assert got == (BlockStatus.SKIPPED, ErrorType.VALIDATION_ERROR)
    assert reason in outcome.message
    assert folder.git("status", "--porcelain") == ""


async def test_a_result_that_is_too_large_is_refused(
    folder: RepositoryFolder, work: Editing
) -> None:
    block = edit("book.ipynb", "x = 1", "x = '" + "long" * 9 + "'")
    (outcome,) = (await work.apply(block, limit=len(BOOK) + 10)).outcomes
    assert outcome.status is BlockStatus.SKIPPED
    assert "longer than" in outcome.message
    assert (folder.root / "book.ipynb").read_text() == BOOK


async def test_a_deletion_may_quote_the_text(folder: RepositoryFolder, work: Editing) -> None:
    text = tuple(percent_text(BOOK).removesuffix("\n").split("\n"))
    wrong = replace(delete("book.ipynb"), old=text[1:])
    assert (await work.one(wrong)).status is BlockStatus.FAILED
    assert (await work.one(replace(wrong, old=text))).status is BlockStatus.APPLIED
    assert not (folder.root / "book.ipynb").exists()


def _page(**sources: str) -> PageDocument:
    return PageDocument([cell(name, source) for name, source in sources.items()])


async def _apply_open(work: Editing, page: PageDocument, *blocks: EditBlock) -> Applied:
    options = replace(
        apply_options(["book.ipynb", "plain.txt"], unsaved=["book.ipynb"]),
        open_notebooks=opened({"book.ipynb": page}),
    )
    return await work.applier.apply(blocks, options, "turn")


async def test_an_open_notebook_is_edited_in_its_page_and_not_on_disk(
    folder: RepositoryFolder, work: Editing
) -> None:
    folder.write("plain.txt", "one\n")
    page = _page(a="typed = 1", b="x = 1", c="x = 2")
    applied = await _apply_open(
        work,
        page,
        edit("book.ipynb", "x = 1", "x = 9\n\n# %%\nnew"),
        edit("book.ipynb", "x = 9", "x = 10"),
        edit("plain.txt", "one", "two"),
        edit("book.ipynb", "import os", "never"),
    )
    assert [(one.status, one.document) for one in applied.outcomes] == [
        (BlockStatus.APPLIED, "unsaved"),
        (BlockStatus.APPLIED, "unsaved"),
        (BlockStatus.APPLIED, ""),
        (BlockStatus.FAILED, ""),
    ]
    assert "saving it stages the file" in applied.outcomes[0].notes[-1]
    assert page.sources == ["typed = 1", "x = 10", "new", "x = 2"]
    assert len(page.edits) == 1
    assert applied.modified == ["plain.txt"]
    assert (folder.root / "book.ipynb").read_text() == BOOK


async def test_what_is_typed_in_a_cell_meanwhile_stays(work: Editing) -> None:
    page = _page(a="x = 1")

    def types() -> None:
        if not page.sources[0].startswith("typed"):
            page.cells[0]["source"] = "typed = 0\nx = 1"

    page.before_edit = types
    applied = await _apply_open(work, page, edit("book.ipynb", "x = 1", "x = 2"))
    assert applied.outcomes[0].status is BlockStatus.APPLIED
    assert page.sources == ["typed = 0\nx = 2"]


async def test_an_edit_fails_when_the_page_refuses_or_always_changes(work: Editing) -> None:
    page = _page(a="x = 1")
    page.refusal = "A cell is read-only."
    [outcome] = (await _apply_open(work, page, edit("book.ipynb", "x = 1", "x = 2"))).outcomes
    assert (outcome.status, outcome.message) == (BlockStatus.FAILED, page.refusal)
    page.refusal = ""

    def types() -> None:
        page.cells[0]["source"] += "\ntyped"

    page.before_edit = types
    [outcome] = (await _apply_open(work, page, edit("book.ipynb", "x = 1", "x = 2"))).outcomes
    assert (outcome.status, outcome.message) == (BlockStatus.FAILED, "it has changed")


async def test_an_edit_whose_answer_was_lost_is_found_in_the_page(work: Editing) -> None:
    page = _page(a="x = 1")
    page.loses_answer = True
    applied = await _apply_open(work, page, edit("book.ipynb", "x = 1", "x = 2"))
    [outcome] = applied.outcomes
    assert (outcome.status, outcome.document) == (BlockStatus.APPLIED, "unsaved")
    assert page.sources == ["x = 2"]
    assert [step.path for step in applied.documents] == ["book.ipynb"]


async def test_nothing_goes_to_disk_while_a_page_may_show_the_notebook(
    folder: RepositoryFolder, work: Editing
) -> None:
    page = _page(a="x = 1")
    page.is_gone = True
    [outcome] = (await _apply_open(work, page, edit("book.ipynb", "x = 1", "x = 2"))).outcomes
    assert outcome.status is BlockStatus.PENDING
    assert "doesn't answer" in outcome.message
    documents = {"book.ipynb": _page(a="x = 1")}
    documents["book.ipynb"].loses_answer = True
    documents["book.ipynb"].before_edit = documents.clear
    options = replace(apply_options(["book.ipynb"]), open_notebooks=opened(documents))
    applied = await work.applier.apply([edit("book.ipynb", "x = 1", "x = 2")], options, "turn")
    assert applied.outcomes[0].status is BlockStatus.PENDING
    assert (folder.root / "book.ipynb").read_text() == BOOK


async def test_an_open_notebook_is_not_deleted_or_renamed(
    folder: RepositoryFolder, work: Editing
) -> None:
    blocks = delete("book.ipynb"), rename("book.ipynb", "other.ipynb")
    for block in blocks:
        [outcome] = (await _apply_open(work, _page(a="x"), block)).outcomes
        assert outcome.status is BlockStatus.PENDING
        assert "close it" in outcome.message
    assert folder.git("status", "--porcelain") == ""


async def test_an_invalid_cell_of_a_page_is_refused(work: Editing) -> None:
    page = PageDocument([cell("an id with blanks", "x = 1")])
    [outcome] = (await _apply_open(work, page, edit("book.ipynb", "x = 1", "x = 2"))).outcomes
    assert outcome.error_type is ErrorType.VALIDATION_ERROR
    assert page.edits == []
