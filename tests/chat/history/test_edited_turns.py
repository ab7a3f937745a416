"""What was decided on edits is on disk, and other hosts see it."""

from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.history.edited_turns import EditedTurns
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import TurnPosition, TurnRecord, TurnState, new_session_id
from jupyter_ac.errors import NotFound
from jupyter_ac.ids import ConversationKey, RequestId
from tests.chat.memory import ADA
from tests.support.histories import history_in

TURN = TurnRecord("turn_1", RequestId("1-a"), "Why?", 1)


async def test_edits_are_kept_and_raise_the_revision(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    try:
        store, session_id = HistoryStore(database, ""), new_session_id()
        await store.begin(TurnPosition(ConversationKey(ADA), session_id, 0), TURN)
        done = replace(TURN, state=TurnState.DONE, edits=TurnEdits(modified=("a",)))
        await store.finish(done)
        before = await store.session(session_id)
        assert before is not None
        assert before.turns[0].edits == TurnEdits(modified=("a",))
        undone = replace(done, edits=TurnEdits(commands=("ls",)))
        await EditedTurns(database).keep(session_id, undone)
        after = await store.session(session_id, unless=before.revision)
        assert after is not None
        assert (after.revision, after.turns) == (before.revision + 1, (undone,))
        with pytest.raises(NotFound):
            await EditedTurns(database).keep(session_id, replace(TURN, turn_id="turn_9"))
    finally:
        await database.aclose()
