"""A turn whose process died between applying and recording does not lie afterwards."""

import json
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path

from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.records import INTERRUPTED, TurnState
from tests.chat.edited import EditWorld, edit, editing, editing_again

A = "one\ntwo\nthree\n"
FILES: dict[str, str | bytes] = {"a.txt": A, "b.txt": A, "gone.txt": "x\n", "old.txt": "o\n"}
ANSWER = (
    edit("a.txt", "one\n", "1\n")
    + edit("b.txt", "two\n", "")
    + "gone.txt\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n"
    + "old.txt\n🟧🟧🟧 RENAME\nnew.txt\n🟩🟩🟩 END\n"
    + edit("a.txt", "nothing like it\n", "?\n")
)


async def lose(world: EditWorld, turn_id: str) -> None:
    """Make the history as it is when the process dies before the turn is recorded."""
    running = TurnState.RUNNING.value
    failure = json.dumps(asdict(INTERRUPTED))

    def write(db: sqlite3.Connection) -> None:
        with row_signatures.changing_turn(db, turn_id):
            db.execute(
                "UPDATE turns SET state = ?, edits = '', failure = ?, owner = 'nobody'"
                " WHERE turn_id = ?",
                (running, failure, turn_id),
            )

    await world.database.run(write)


async def test_what_was_applied_before_the_process_died_is_found(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation = await world.conversation(*FILES)
        world.settings = replace(world.settings, retries=0)
        await world.ask(conversation, ANSWER)
        await lose(world, conversation.session.turns[0].turn_id)
        folder = world.folder
    for _ in range(2):  # a second start finds the same, and does nothing twice
        async with editing_again(folder, tmp_path) as world:
            conversation = await world.conversation()
            (turn,) = conversation.session.turns
            assert turn.failure == INTERRUPTED
            found = [row["status"] for row in turn.edits.results]
            assert found == ["applied", "applied", "applied", "applied", "skipped"]
            assert set(turn.edits.modified) >= {"a.txt", "b.txt", "gone.txt", "old.txt"}
            assert world.text("a.txt") == "1\ntwo\nthree\n"
    async with editing_again(folder, tmp_path) as world:
        await world.undo(await world.conversation())
        assert [world.text(path) for path in FILES] == list(FILES.values())


async def test_what_was_not_applied_is_not_said_to_be(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation = await world.conversation(*FILES)
        world.is_reviewing = True  # so that nothing is applied
        await world.ask(conversation, ANSWER)
        await lose(world, conversation.session.turns[0].turn_id)
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        (turn,) = (await world.conversation()).session.turns
        assert {row["status"] for row in turn.edits.results} == {"skipped"}
        assert turn.edits.modified == ()
        assert [world.text(path) for path in FILES] == list(FILES.values())


async def test_a_lost_answer_without_blocks_stays_as_it_is(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        conversation = await world.conversation(*FILES)
        await world.ask(conversation, "Nothing to edit.")
        await lose(world, conversation.session.turns[0].turn_id)
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        (turn,) = (await world.conversation()).session.turns
        assert turn.edits == TurnEdits()
