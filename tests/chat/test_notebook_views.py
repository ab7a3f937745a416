"""What a conversation shows of notebooks."""

from base64 import b64encode
from pathlib import Path

import pytest

from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.notebook_views import NotebookViews
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.errors import InvalidParams, NotFound, TooLarge, Unsupported
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.notebook.percent import MAX_CELLS
from tests.chat.edited import EditWorld, edit, editing
from tests.chat.memory import ADA, QuarterCounter
from tests.notebook.files import code, markdown, notebook_file
from tests.support.open_notebooks import PageDocument, cell
from tests.support.pictures import png

BOOK = RepoPath("book.ipynb")
OUTPUT = {"output_type": "stream", "name": "stdout", "text": "password=hunter2-hunter2\n"}
FILES: dict[str, str | bytes] = {
    BOOK: notebook_file(
        code("first = 1\nmore", id="a", outputs=[OUTPUT]), markdown("\n# Second", id="b")
    ),
    "bad.ipynb": "{}",
    "a.txt": "one\n",
}


def views_of(world: EditWorld) -> NotebookViews:
    store = NotebookViewStore(world.database, world.repository.worktree)
    return NotebookViews(
        store, world.ports.files, BlockCounts(QuarterCounter()), world.ports.models.choice
    )


def _sent(world: EditWorld) -> str:
    return str(world.model.requests[-1].messages)


async def test_cells_are_listed_with_their_tokens(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        assert await views.exclude(conversation, BOOK, ["b", "gone"], {}) == ["b"]
        rows = (await views.cells(conversation, BOOK, {}))["cells"]
        named = [(row["id"], row["cell_type"], row["title"], row["excluded"]) for row in rows]
        assert named == [("a", "code", "first = 1", False), ("b", "markdown", "# Second", True)]
        assert rows[0]["tokens"] == (len('# %% id="a"\nfirst = 1\nmore\n') + 3) // 4
        assert await views.show_outputs(conversation, BOOK, ["a"]) == ["a"]
        more = (await views.cells(conversation, BOOK, {}))["cells"]
        assert more[0]["tokens"] > rows[0]["tokens"]
        opened = PageDocument([cell("n", "typed")]).notebook
        listed = await views.cells(conversation, BOOK, {BOOK: opened})
        assert [row["id"] for row in listed["cells"]] == ["n"]


async def test_a_question_sends_what_is_shown_with_masked_outputs(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        await views.exclude(conversation, BOOK, ["b"], {})
        await views.show_outputs(conversation, BOOK, ["a"])
        await world.ask(conversation, "Fine.")
        assert "# Second" not in _sent(world)
        assert "the user has left this cell out" in _sent(world)
        assert "password=[output secret 1]" in _sent(world)
        assert "hunter2" not in _sent(world)
        await views.exclude(conversation, BOOK, [], {})
        await views.show_outputs(conversation, BOOK, [])
        assert conversation.notebook_views == {}
        await world.ask(conversation, "Fine.", number=2)
        assert "# Second" in _sent(world)


async def test_an_output_that_is_a_secret_by_its_cell_is_masked(tmp_path: Path) -> None:
    output = {"output_type": "execute_result", "data": {"text/plain": "'pw-of-db'"}}
    book = notebook_file(code("os.environ['DB_PASSWORD']", id="a", outputs=[output]))
    async with editing(tmp_path, {BOOK: book}) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        await views.show_outputs(conversation, BOOK, ["a"])
        await world.ask(conversation, "Fine.")
        assert "pw-of-db" not in _sent(world)
        assert "[output secret 1]" in _sent(world)


async def test_what_is_left_out_is_not_sent_with_a_correction_nor_changed(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        await views.exclude(conversation, BOOK, ["b"], {})
        near = edit(BOOK, "# # Secund\n", "# # Other\n")
        over = edit(BOOK, "# (the user has left this cell out)\n", "# # Mine\n")
        result = await world.ask(conversation, near + over, "Sorry.")
        assert [row["status"] for row in result["edit_results"]] == ["failed", "skipped"]
        assert "left out" in result["edit_results"][1]["message"]
        assert all("# Second" not in str(request.messages) for request in world.model.requests)
        assert world.text(BOOK) == FILES[BOOK]
        result = await world.ask(conversation, edit(BOOK, "more\n", "less\n"), number=2)
        assert [row["status"] for row in result["edit_results"]] == ["applied"]
        assert "# Second" in world.text(BOOK)


async def test_a_cell_that_cannot_be_found_stops_the_notebook_and_says_so(tmp_path: Path) -> None:
    plain = notebook_file(code("x = 1"), code("private = 1"), minor=4)
    async with editing(tmp_path, {BOOK: plain}) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        await views.exclude(conversation, BOOK, ["cell=2"], {})
        changed = notebook_file(code("x = 1"), code("private = 2"), minor=4)
        (world.folder.root / BOOK).write_text(changed)
        result = await world.ask(conversation, "Fine.")
        assert "private" not in _sent(world)
        assert any("can't be found any more" in notice for notice in result["notices"])
        assert (await views.cells(conversation, BOOK, {}))["missing"] == 1
        await views.exclude(conversation, BOOK, [], {})
        await world.ask(conversation, "Fine.", number=2)
        assert "private = 2" in _sent(world)


async def test_views_are_kept_but_not_of_a_conversation_aside(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        views = views_of(world)
        conversation = await world.conversation(BOOK)
        await views.exclude(conversation, BOOK, ["b"], {})
        store = NotebookViewStore(world.database, world.repository.worktree)
        kept = await store.read(ADA)
        assert kept == dict(conversation.notebook_views)
        assert list(kept[BOOK].excluded) == ["b"]
        aside = await world.book.open(ConversationKey(ADA, "cells"))
        await views.exclude(aside, BOOK, ["a"], {})
        assert await store.read(ADA) == kept


async def test_images_are_counted_and_kept_with_the_outputs(tmp_path: Path) -> None:
    image = {"output_type": "display_data", "data": {"image/png": b64encode(png()).decode()}}
    book = notebook_file(code("plot()", id="a", outputs=[image, image]), markdown("x", id="b"))
    async with editing(tmp_path, {BOOK: book}) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        await views.show_outputs(conversation, BOOK, ["a", "b"])
        without = (await views.cells(conversation, BOOK, {}))["cells"]
        await views.show_outputs(conversation, BOOK, ["a", "b"], ["a", "gone"])
        rows = (await views.cells(conversation, BOOK, {}))["cells"]
        assert [(row["images"], row["images_sent"]) for row in rows] == [(2, True), (0, False)]
        assert rows[0]["tokens"] > without[0]["tokens"] + 2 * IMAGE_TOKENS
        kept = await NotebookViewStore(world.database, world.repository.worktree).read(ADA)
        assert kept == dict(conversation.notebook_views)
        assert kept[BOOK].images == {"a"}


async def test_wrong_arguments_change_nothing(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation, views = await world.conversation(BOOK), views_of(world)
        with pytest.raises(NotFound):
            await views.notebook("none.ipynb")
        with pytest.raises(InvalidParams, match="no notebook"):
            await views.notebook("a.txt")
        assert await views.notebook("./book.ipynb") == BOOK
        with pytest.raises(Unsupported):
            await views.cells(conversation, RepoPath("bad.ipynb"), {})
        with pytest.raises(InvalidParams):
            await views.exclude(conversation, BOOK, [3], {})
        with pytest.raises(TooLarge):
            await views.show_outputs(conversation, BOOK, ["x"] * (MAX_CELLS + 1))
        assert conversation.notebook_views == {}
