"""A history file that an earlier state of the code has written, with edits: it opens.

`data/written-at-version-11.sqlite.gz` is the whole file, schema version 11, signed with the tests'
key: three turns of Ada about `a.txt` and `b.txt`, of which the second edited `a.txt` and the third
left an edit of `b.txt` to be decided.
"""

import gzip
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.ids import SessionId
from tests.chat.edited import EditWorld, editing_again
from tests.chat.memory import ADA
from tests.support.repositories import make_repository

EARLIER: Final = Path(__file__).parent / "data" / "written-at-version-11.sqlite.gz"
QUESTIONS: Final = ["Question 1", "Question 2", "Question 3"]
PLAIN: Final = "A plain answer about a garden."


@asynccontextmanager
async def reopened(folder: Path) -> AsyncIterator[EditWorld]:
    """The repository as the edits left it, with the earlier file as its history."""
    repository = make_repository(folder / "repo", {"a.txt": "one\ntwo\n", "b.txt": "left\nright\n"})
    repository.write("a.txt", "1\ntwo\n")
    repository.git("add", "a.txt")
    (folder / "state").mkdir()
    with gzip.open(EARLIER) as packed, (folder / "state" / "history.sqlite").open("wb") as file:
        shutil.copyfileobj(packed, file)
    async with editing_again(repository, folder) as world:
        yield world


async def test_its_conversation_goes_on_where_it_ended(tmp_path: Path) -> None:
    async with reopened(tmp_path) as world:
        conversation = await world.conversation()
        assert [turn.question for turn in conversation.session.turns] == QUESTIONS
        assert conversation.session.turns[0].answer == PLAIN
        costs = [turn.usage.cost_usd for turn in conversation.session.turns if turn.usage]
        assert costs == [0.5] * 3
        await world.ask(conversation, "It goes on.", number=4)
        request = world.model.requests[-1]
        assert PLAIN in str(request.messages)
    async with editing_again(world.folder, tmp_path) as world:
        again = await world.conversation()
        assert [turn.question for turn in again.session.turns] == [*QUESTIONS, "Question 4"]


async def test_its_edits_can_be_decided_and_taken_back(tmp_path: Path) -> None:
    async with reopened(tmp_path) as world:
        conversation = await world.conversation()
        await world.decider.accept(conversation, "r3", ())
        assert world.text("b.txt") == "west\nright\n"
        await world.undo(conversation, "r3")
        await world.undo(conversation, "r2")
        assert (world.text("a.txt"), world.text("b.txt")) == ("one\ntwo\n", "left\nright\n")


async def test_it_is_listed_searched_and_priced(tmp_path: Path) -> None:
    async with reopened(tmp_path) as world:
        archive = HistoryArchive(world.database, world.repository.worktree)
        (session,) = await archive.sessions(ADA, 10)
        session_id = SessionId(session["session_id"])
        messages = await archive.messages(ADA, session_id)
        assert [row["content"] for row in messages if row["role"] == "user"] == QUESTIONS
        await archive.prepare_search()
        (found,) = await archive.search(ADA, MessageQuery("garden", "", 10))
        assert found["content"] == PLAIN
        spend = await archive.spend(ADA, session_id, 0)
        assert spend["session_usd"] == 1.5
