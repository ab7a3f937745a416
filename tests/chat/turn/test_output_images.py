"""Images of outputs in ticked notebooks, on their way into a question."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import IMAGE_TOKENS, image_of
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.turn.gather import FIRST_WAIT_S, gather
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.notebook.cell_selection import NotebookView
from tests.chat.edited import EditWorld, Reply, editing
from tests.chat.memory import INFO
from tests.notebook.files import code, notebook_file
from tests.support.open_notebooks import PageDocument, cell
from tests.support.pictures import JPEG, png

BOOK = RepoPath("book.ipynb")


def output(*images: bytes) -> list[dict[str, object]]:
    return [
        {
            "output_type": "display_data",
            "metadata": {},
            "data": {
                "image/jpeg" if data == JPEG else "image/png": base64.b64encode(data).decode()
            },
        }
        for data in images
    ]


def book_with(*images: bytes, source: str = "plot()") -> str:
    return notebook_file(code(source, id="a", outputs=output(*images)), code("other()", id="b"))


@asynccontextmanager
async def _world(folder: Path, *images: bytes, takes: bool = True) -> AsyncIterator[EditWorld]:
    async with editing(folder, {BOOK: book_with(*images)}) as world:
        world.world.choice = ModelChoice("openai/seeing", "flag")
        world.model.info = replace(INFO, takes_images=takes)
        world.ports = replace(world.ports, images=ImageFolder(world.state))
        world.turns = Turns(world.ports, world.world.pages)
        yield world


async def _asking(world: EditWorld) -> Conversation:
    conversation = await world.conversation(BOOK)
    view = NotebookView(outputs=frozenset("a"), images=frozenset("a"))
    conversation.notebook_views = {BOOK: view}
    return conversation


def _names(world: EditWorld) -> list[str]:
    """The names of the images of the last request."""
    last = world.model.requests[-1].messages[-1]["content"]
    assert isinstance(last, list)
    return [Path(part["path"]).name for part in last if part["type"] == "image_file"]


def _sent(world: EditWorld) -> str:
    return str(world.model.requests[-1].messages)


def _name(data: bytes) -> str:
    return image_of(data, "").name


async def test_an_image_goes_out_once_and_is_named_in_the_text(tmp_path: Path) -> None:
    async with _world(tmp_path, png(), JPEG) as world:
        conversation = await _asking(world)
        await world.ask(conversation, "Fine.")
        assert _names(world) == [_name(png()), _name(JPEG)]
        short = _name(png())[:12]
        assert f"(image {short}: image/png, {len(png())} bytes)" in _sent(world)
        assert f"in this order: image {short} (cell a of book.ipynb); image " in _sent(world)
        assert "2 images come with this message" in _sent(world)
        await world.ask(conversation, "Fine.", number=2)
        assert _names(world) == []
        (world.folder.root / BOOK).write_text(book_with(png(colour=9), JPEG, source="x()"))
        await world.ask(conversation, "Fine.", number=3)
        assert _names(world) == [_name(png(colour=9))]


async def test_an_image_whose_question_failed_goes_out_with_the_next(tmp_path: Path) -> None:
    async with _world(tmp_path, png()) as world:
        conversation = await _asking(world)
        await world.ask(conversation, Reply("", error=OSError("no network")))
        await world.ask(conversation, "Fine.", number=2)
        assert _names(world) == [_name(png())]


async def test_an_image_goes_out_again_after_its_question_was_compacted(tmp_path: Path) -> None:
    async with _world(tmp_path, png()) as world:
        conversation = await _asking(world)
        await world.ask(conversation, "Fine.")
        session = conversation.session
        session.log.remove(Removal("truncate", session.turns[-1].turn_id))
        await world.ask(conversation, "Fine.", number=2)
        assert _names(world) == [_name(png())]


async def test_a_model_that_takes_none_gets_the_text_and_the_user_a_notice(tmp_path: Path) -> None:
    async with _world(tmp_path, png(), takes=False) as world:
        result = await world.ask(await _asking(world), "Fine.")
        assert _names(world) == []
        assert _name(png())[:12] in _sent(world)
        assert "in this order" not in _sent(world)
        assert result["notices"] == [
            "The model openai/seeing takes no images; those of outputs are only named."
        ]


async def test_five_go_out_with_a_question_and_the_rest_with_the_next(tmp_path: Path) -> None:
    pictures = [png(colour=number) for number in range(4)]
    async with _world(tmp_path, *pictures) as world:
        conversation = await _asking(world)
        own = [image_of(png(colour=number), "") for number in (7, 8)]
        for image in own:
            await world.ports.images.put(image)
        names = tuple(image.name for image in own)
        question = Question("1-a", "Why?", names, index_wait_s=FIRST_WAIT_S)
        turn = Turn.of(conversation, question)
        gathered = await gather(turn.context, world.ports)
        expected = [*names, *map(_name, pictures[:3])]
        assert [path.name for path in gathered.images] == expected
        (notice,) = turn.context.notices
        assert notice.startswith("Only 3 of 4 images of outputs go out with this question; the")


async def test_a_preview_counts_the_images_and_keeps_none(tmp_path: Path) -> None:
    async with _world(tmp_path, png(), JPEG) as world:
        conversation = await _asking(world)
        shown = await context_breakdown(conversation, world.ports, "Why?", 1)
        assert shown["image_tokens"] == 3 * IMAGE_TOKENS
        assert not (world.state / "images").exists()
        await world.ask(conversation, "Fine.")
        shown = await context_breakdown(conversation, world.ports, "Why?")
        assert shown["image_tokens"] == 0


async def test_a_disk_that_fails_costs_the_images_not_the_question(tmp_path: Path) -> None:
    async with _world(tmp_path, png()) as world:
        conversation = await _asking(world)
        (world.state / "images").write_text("no folder")
        result = await world.ask(conversation, "Fine.")
        assert _names(world) == []
        assert "The images of outputs are not sent" in str(result["notices"])


async def test_an_open_notebook_gives_the_images_of_its_page(tmp_path: Path) -> None:
    async with _world(tmp_path, png()) as world:
        page = PageDocument([cell("a", "plot()", outputs=output(png(colour=3)))])
        world.documents[BOOK] = page
        await world.ask(await _asking(world), "Fine.")
        assert _names(world) == [_name(png(colour=3))]


async def test_cells_that_are_left_out_or_not_asked_for_give_none(tmp_path: Path) -> None:
    async with _world(tmp_path, png()) as world:
        conversation = await _asking(world)
        conversation.notebook_views = {BOOK: NotebookView(outputs=frozenset("a"))}
        await world.ask(conversation, "Fine.")
        assert "image_file" not in _sent(world)
        assert f"(image/png, {len(png())} bytes)" in _sent(world)
