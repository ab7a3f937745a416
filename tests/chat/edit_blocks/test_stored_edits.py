"""What the history keeps of a turn's edits."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits, answer_texts, blocks_of, from_json
from jupyter_ac.chat.edits.edit_totals import tally
from jupyter_ac.edit_rows import Attempt, BlockStatus, EditResult, MessageEdits
from tests.chat.edited import edit
from tests.chat.edits.test_edit_tracker import told


def row(index: int, status: BlockStatus, *, is_redone: bool = False) -> EditResult:
    block = EditBlock(index, BlockKind.EDIT, f"{index}\udce9.py", old=("a",), new=("b",))
    return result_row(
        BlockOutcome(block, status),
        Utf16Offsets("", [block]),
        0,
        redone_by=9 if is_redone else None,
    )


def attempt(start: int, end: int) -> Attempt:
    return {
        "text_start": start,
        "text_end": end,
        "passed": 0,
        "failed": 0,
        "token_usage": None,
        "finish_reason": "stop",
    }


def test_what_is_written_is_read_again() -> None:
    edits = TurnEdits(
        results=(row(0, BlockStatus.APPLIED),),
        modified=("a\udce9.py",),
        created=("b.py",),
        auto_added=("c.py",),
        commands=("ls",),
        attempts=(attempt(0, 3),),
        retry_prompt="Again, please.",
    )
    assert from_json(edits.to_json()) == edits
    assert edits.to_json().isascii()


def test_a_turn_without_edits_takes_no_room() -> None:
    assert TurnEdits().to_json() == ""
    assert from_json("") == TurnEdits()


def test_a_redone_block_is_not_counted() -> None:
    rows = (
        row(0, BlockStatus.FAILED, is_redone=True),
        row(1, BlockStatus.FAILED),
        row(2, BlockStatus.APPLIED),
    )
    assert TurnEdits(rows).counts() == {"failed": 1, "applied": 1}


def test_a_message_carries_edits_only_when_there_are_some() -> None:
    bare: MessageEdits = {}
    TurnEdits(attempts=(attempt(0, 3),)).add_to(bare)
    assert bare == {}
    told: MessageEdits = {}
    TurnEdits((row(0, BlockStatus.PENDING),), attempts=(attempt(0, 3), attempt(5, 6))).add_to(told)
    assert set(told) == {
        "edit_blocks",
        "edit_results",
        "files_modified",
        "attempts",
    }


def test_new_results_take_the_place_of_old_ones() -> None:
    edits = TurnEdits((row(0, BlockStatus.PENDING), row(1, BlockStatus.PENDING)))
    after = edits.with_results([row(1, BlockStatus.APPLIED)])
    assert [found["status"] for found in after.results] == ["pending", "applied"]
    assert after.is_applied
    assert not edits.is_applied
    assert replace(after, results=edits.results) == edits


@given(st.lists(st.text(), min_size=2, max_size=3))
def test_a_turns_text_is_cut_into_its_answers(texts: list[str]) -> None:
    spans, whole = [], ""
    for text in texts:
        start = len(whole.encode("utf-16-le", "surrogatepass")) // 2
        whole += text
        spans.append(attempt(start, len(whole.encode("utf-16-le", "surrogatepass")) // 2))
        whole += "\n\n"
    assert answer_texts(whole, spans) == texts


def test_rows_of_older_histories_are_completed() -> None:
    edits = TurnEdits(results=(row(0, BlockStatus.PENDING),))
    assert from_json(edits.to_json().replace(', "protected": ""', "")) == edits


PROSE = st.sampled_from(["", "So:\n", "😀\n\n", "```\n"])


@given(st.lists(st.tuples(PROSE, st.sampled_from(["a.py", "b c.txt", "d"])), max_size=4))
def test_the_blocks_of_all_answers_are_those_that_came(parts: list[tuple[str, str]]) -> None:
    answers = [prose + edit(path, "one\n", "1\n") for prose, path in parts] or [""]
    tracker = told(*answers)
    text = "\n\n".join(answers)
    assert blocks_of(text, tally(tracker, text, "")) == tracker.blocks
