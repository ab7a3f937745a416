"""A kept turn's blocks are found again as they were."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edits.edit_totals import tally
from jupyter_ac.chat.edits.stored_blocks import blocks_of
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.ids import RequestId
from tests.chat.edited import edit
from tests.chat.edits.test_edit_tracker import told

PROSE = st.sampled_from(["", "So:\n", "😀\n\n", "```\n"])


@given(st.lists(st.tuples(PROSE, st.sampled_from(["a.py", "b c.txt", "d"])), max_size=4))
def test_the_blocks_of_all_answers_are_those_that_came(parts: list[tuple[str, str]]) -> None:
    answers = [prose + edit(path, "one\n", "1\n") for prose, path in parts] or [""]
    tracker = told(*answers)
    text = "\n\n".join(answers)
    edits = tally(tracker, text, "")
    turn = TurnRecord("t", RequestId("r"), "Why?", 1, answer=text)
    assert blocks_of(replace(turn, edits=edits)) == tracker.blocks
