"""Which rows a decision is about; `test_edit_decisions.py` has the decisions themselves."""

from pathlib import Path

import pytest

from jupyter_ac.chat.edits.row_choice import (
    applied_rows,
    awaits_saving,
    chosen_rows,
    is_acceptable,
    is_pending,
    is_unprotected,
    stands,
)
from jupyter_ac.errors import Conflict, InvalidParams
from jupyter_ac.settings.app import EditSettings
from tests.chat.edited import edit, editing

ANSWER = edit("a.txt", "one\n", "1\n") + edit(".envrc", "", "x\n")


async def test_named_rows_and_without_names_those_that_are_meant(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": "one\n"}) as world:
        world.settings = EditSettings(review=True)
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, ANSWER)
        turn = conversation.session.turns[-1]

        def indices(*named: int) -> list[int]:
            now = conversation.session.turns[-1]
            return [r["index"] for r in chosen_rows(now, named, is_acceptable, is_unprotected)]

        assert (indices(), indices(1), indices(1, 0, 1)) == ([0], [1], [0, 1])
        assert all(map(is_pending, turn.edits.results))
        assert not any(map(awaits_saving, turn.edits.results))
        with pytest.raises(InvalidParams, match="no edit block 7"):
            indices(7)
        with pytest.raises(Conflict, match="not applied any more"):
            applied_rows(turn, ())
        turn = await world.decider.accept(conversation, "r1", [0])
        assert [row["index"] for row in applied_rows(turn, ())] == [0]
        assert list(map(stands, turn.edits.results)) == [True, False]
        with pytest.raises(Conflict, match="run by themselves"):
            indices()
