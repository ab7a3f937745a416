"""A question about a notebook that is open in a page sends what stands there."""

from pathlib import Path

from jupyter_ac.chat.open_notebooks import none_open
from jupyter_ac.ids import RepoPath
from tests.chat.edited import EditWorld, editing
from tests.notebook.files import code, notebook_file
from tests.support.open_notebooks import PageDocument, cell

BOOK = notebook_file(code("on_disk = 1", id="a"))


def _sent(world: EditWorld) -> str:
    return str(world.model.requests[-1].messages)


async def test_the_open_cells_are_sent_in_place_of_the_file(tmp_path: Path) -> None:
    async with editing(tmp_path, {"book.ipynb": BOOK, "a.txt": "plain\n"}) as world:
        world.documents["book.ipynb"] = PageDocument([cell("a", "typed = 1"), cell("n", "more")])
        conversation = await world.conversation("book.ipynb", "a.txt")
        await world.ask(conversation, "Fine.")
        assert "typed = 1" in _sent(world)
        assert 'id=\\"n\\"' in _sent(world) or 'id="n"' in _sent(world)
        assert "plain" in _sent(world)
        assert "on_disk" not in _sent(world)
        world.documents.clear()
        await world.ask(conversation, "Fine.", number=2)
        assert "on_disk" in _sent(world)


async def test_a_secret_in_open_cells_is_announced(tmp_path: Path) -> None:
    async with editing(tmp_path, {"book.ipynb": BOOK}) as world:
        secret = "sk-ant-api03-" + "Ab9_" * 20
        world.documents["book.ipynb"] = PageDocument([cell("a", f"key = '{secret}'")])
        conversation = await world.conversation("book.ipynb")
        result = await world.ask(conversation, "Fine.")
        assert any("book.ipynb" in notice for notice in result["notices"])


async def test_open_cells_that_are_no_notebook_are_not_sent(tmp_path: Path) -> None:
    async with editing(tmp_path, {"book.ipynb": BOOK}) as world:
        page = PageDocument([cell(str(n), "x") for n in range(10_000)])
        world.documents["book.ipynb"] = page
        conversation = await world.conversation("book.ipynb")
        await world.ask(conversation, "Fine.")
        assert 'id="9999"' in _sent(world).replace("\\", "")


async def test_without_pages_nothing_is_open() -> None:
    assert await none_open([RepoPath("a.ipynb")]) == {}
