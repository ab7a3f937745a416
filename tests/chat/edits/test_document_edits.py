"""Edits that an answer makes in an open notebook: saved, staged, taken back."""

import json
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.stored_edits import from_json
from jupyter_ac.chat.edits.document_edits import TAKEN_BACK
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.ids import RepoPath
from jupyter_ac.settings.app import EditSettings
from tests.chat.edited import EditWorld, edit, editing, editing_again
from tests.notebook.files import code, notebook_file
from tests.support.open_notebooks import PageDocument, cell

PATH = RepoPath("book.ipynb")
FILES: dict[str, str | bytes] = {
    "book.ipynb": notebook_file(code("x = 1", id="a"), code("y = 1", id="b")),
    "a.txt": "one\n",
}
ANSWER = edit(PATH, "x = 1\n", "x = 2\n") + edit("a.txt", "one\n", "two\n")


def _open(world: EditWorld) -> PageDocument:
    page = PageDocument([cell("a", "typed = 0\nx = 1"), cell("b", "y = 1")])
    world.documents[PATH] = page
    return page


def _save(world: EditWorld, page: PageDocument) -> None:
    """Write the file as Jupyter does."""
    file = notebook_file(*(code(each["source"], id=each["id"]) for each in page.cells))
    (world.folder.root / PATH).write_text(file)


def _rows(turn: TurnRecord) -> list[tuple[str, str]]:
    return [(str(row["status"]), row["document"]) for row in turn.edits.results]


def _status(world: EditWorld) -> str:
    return world.folder.git("status", "--porcelain")


async def test_a_saved_notebook_is_staged_and_its_card_says_so(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH, "a.txt")
        result = await world.ask(conversation, ANSWER)
        assert result["files_modified"] == ["a.txt"]
        assert page.sources[0] == "typed = 0\nx = 2"
        assert "book.ipynb" not in _status(world)
        _save(world, page)
        assert await world.decider.saved(conversation, RepoPath("other.ipynb")) == []
        [turn] = await world.decider.saved(conversation, PATH)
        assert _rows(turn) == [("applied", "saved"), ("applied", "")]
        assert turn.edits.results[0]["notes"] == ["Saved and staged."]
        assert _status(world) == "M  a.txt\nM  book.ipynb"
        assert await world.decider.saved(conversation, PATH) == []


async def test_a_notebook_is_staged_also_after_another_conversation_began(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH, "a.txt")
        await world.ask(conversation, ANSWER)
        first = conversation.session
        await world.book.new_session(conversation)
        _save(world, page)
        [turn] = await world.decider.saved(conversation, PATH)
        assert _rows(turn)[0] == ("applied", "saved")
        assert first.turns[0].edits.results[0]["document"] == "saved"
        assert "M  book.ipynb" in _status(world)


async def test_an_edit_that_was_undone_before_saving_stages_nothing(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH, "a.txt")
        await world.ask(conversation, ANSWER)
        page.cells[0]["source"] = "typed = 0\nx = 1"
        _save(world, page)
        [turn] = await world.decider.saved(conversation, PATH)
        assert _rows(turn) == [("undone", "unsaved"), ("applied", "")]
        assert " M book.ipynb" in _status(world)


async def test_edits_are_taken_back_in_the_page_and_on_disk(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH, "a.txt")
        await world.ask(conversation, ANSWER)
        assert await world.decider.standings(conversation, ["r1"]) == [
            {
                "request_id": "r1",
                "edits": [{"index": 1, "standing": "applied", "can_undo": True}],
            }
        ]
        turn, undone = await world.decider.undo(conversation, "r1")
        assert undone.reason == ""
        assert _rows(turn) == [("undone", "unsaved"), ("undone", "")]
        assert turn.edits.results[0]["message"] == TAKEN_BACK
        assert page.sources[0] == "typed = 0\nx = 1"
        assert world.text("a.txt") == "one\n"


async def test_of_both_kinds_one_can_be_taken_back_alone(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH, "a.txt")
        await world.ask(conversation, ANSWER)
        turn, _ = await world.decider.undo(conversation, "r1", [0])
        assert _rows(turn) == [("undone", "unsaved"), ("applied", "")]
        assert (page.sources[0], world.text("a.txt")) == ("typed = 0\nx = 1", "two\n")
        turn, undone = await world.decider.undo(conversation, "r1", [1])
        assert (undone.reason, world.text("a.txt")) == ("", "one\n")


ADDING = edit(PATH, "y = 1\n", "y = 2\n\n# %%\nnew = 1\n") + edit(PATH, "new = 1\n", "new = 2\n")


async def test_added_cells_are_staged_and_taken_back_with_the_rest(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH)
        await world.ask(conversation, ADDING)
        assert page.sources == ["typed = 0\nx = 1", "y = 2", "new = 2"]
        page.cells[0]["source"] = "typed more"
        _save(world, page)
        [turn] = await world.decider.saved(conversation, PATH)
        assert _rows(turn) == [("applied", "saved")] * 2
        turn, undone = await world.decider.undo(conversation, "r1", [1])
        assert "undone together" in undone.reason
        turn, undone = await world.decider.undo(conversation, "r1")
        assert (undone.reason, _rows(turn)) == ("", [("undone", "saved")] * 2)
        assert page.sources == ["typed more", "y = 1"]


async def test_added_cells_that_were_undone_before_saving_stage_nothing(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH)
        await world.ask(conversation, ADDING)
        page.cells[1:] = [cell("b", "y = 1")]
        _save(world, page)
        [turn] = await world.decider.saved(conversation, PATH)
        assert _rows(turn) == [("undone", "unsaved")] * 2
        assert _status(world) == " M book.ipynb"


async def test_steps_in_documents_outlast_the_host(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH)
        await world.ask(conversation, ADDING)
        turn = conversation.session.turns[-1]
        assert from_json(turn.edits.to_json()) == turn.edits
        _save(world, page)
    async with editing_again(world.folder, tmp_path) as world:
        conversation = await world.conversation(PATH)
        [turn] = await world.decider.saved(conversation, PATH)
        assert _rows(turn) == [("applied", "saved")] * 2


@pytest.mark.parametrize("change", ["closed", "changed", "only removed lines", "removed a cell"])
async def test_what_cannot_be_taken_back_says_why_and_nothing_is(
    tmp_path: Path, change: str
) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH, "a.txt")
        new = "" if change == "only removed lines" else "x = 2\n"
        block = edit(PATH, "x = 1\n", new)
        if change == "removed a cell":
            block = edit(PATH, '# %% id="b"\ny = 1\n', "")
        await world.ask(conversation, block + edit("a.txt", "one\n", "two\n"))
        if change == "closed":
            world.documents.clear()
        elif change == "changed":
            page.cells[0]["source"] = "quite = 'another'"
        elif change == "only removed lines":
            page.cells[0]["source"] = "typed = 0\nmore"
        turn, undone = await world.decider.undo(conversation, "r1")
        said = {
            "closed": "is not open in a page any more",
            "changed": "have changed since",
            "only removed lines": "undone in the notebook itself",
            "removed a cell": "brings back their outputs",
        }
        assert said[change] in undone.reason
        assert _rows(turn) == [("applied", "unsaved"), ("applied", "")]
        assert world.text("a.txt") == "two\n"


async def test_an_edit_is_taken_back_around_what_was_typed_since(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        page = _open(world)
        conversation = await world.conversation(PATH)
        await world.ask(conversation, edit(PATH, "x = 1\n", "x = 2\n"))
        page.cells[0]["source"] += "\nmore = 3"
        turn, undone = await world.decider.undo(conversation, "r1")
        assert (undone.reason, _rows(turn)) == ("", [("undone", "unsaved")])
        assert page.sources[0] == "typed = 0\nx = 1\nmore = 3"


async def test_an_accepted_edit_is_made_in_the_page(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        world.settings, page = EditSettings(review=True), _open(world)
        world.unsaved = [PATH]
        conversation = await world.conversation(PATH, "a.txt")
        await world.ask(conversation, ANSWER)
        assert page.edits == []
        turn = await world.decider.accept(conversation, "r1", ())
        assert _rows(turn) == [("applied", "unsaved"), ("applied", "")]
        assert page.sources[0] == "typed = 0\nx = 2"
        assert json.loads(world.text(PATH))["cells"][0]["source"] == "x = 1"
