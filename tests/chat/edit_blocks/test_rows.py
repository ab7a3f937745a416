"""Spans and fields as a front end reads them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock, Near, Span
from jupyter_ac.chat.edit_blocks.rows import (
    MAX_NOTES,
    MESSAGE_CHARS,
    NEAR_CHARS,
    PREVIEW_CHARS,
    Utf16Offsets,
    block_row,
    block_rows,
    placed,
    result_row,
)
from jupyter_ac.edit_rows import BlockStatus, ErrorType, MissCause


def test_spans_are_utf16_code_units() -> None:
    text = "a😀b漢\n"
    blocks = [EditBlock(0, BlockKind.EDIT, "a", span=Span(1, 3), old_span=Span(2, 3))]
    row = block_rows(text, blocks)[0]
    assert (row["span"], row["old_span"], row["new_span"]) == ([1, 4], [3, 4], [0, 0])


@given(st.text(), st.data())
def test_any_span_cuts_the_same_text_as_in_python(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low, high = Utf16Offsets(text, [], [Span(start, end)]).span(Span(start, end))
    units = text.encode("utf-16-le", "surrogatepass")
    assert units[2 * low : 2 * high].decode("utf-16-le", "surrogatepass") == text[start:end]


def test_what_a_block_asks_for_is_one_word() -> None:
    blocks = [
        EditBlock(0, BlockKind.EDIT, "a", old=("x",)),
        EditBlock(1, BlockKind.EDIT, "b", new=("x",)),
        EditBlock(2, BlockKind.DELETE, "c"),
        EditBlock(3, BlockKind.RENAME, "d", new_path="e"),
        EditBlock(4, BlockKind.EDIT, "f", is_complete=False),
    ]
    rows = block_rows("", blocks)
    assert [row["kind"] for row in rows] == ["edit", "create", "delete", "rename", "edit"]
    assert [row["is_create"] for row in rows] == [False, True, False, False, False]
    assert [row["new_path"] for row in rows] == [None, None, None, "e", None]
    assert [row["complete"] for row in rows] == [True, True, True, True, False]
    assert all(row["file"] == row["file_path"] for row in rows)


def test_a_result_says_why_and_where() -> None:
    block = EditBlock(2, BlockKind.EDIT, "a.py", old=("x" * 300,), new=("y",))
    outcome = BlockOutcome(
        block,
        BlockStatus.FAILED,
        "Not there.",
        ErrorType.ANCHOR_NOT_FOUND,
        MissCause.INDENTATION,
        Near(7, ("one", "two")),
        correction=block,
        notes=("It had unstaged changes.",),
    )
    row = result_row(outcome, Utf16Offsets("", [block]), 1)
    assert (row["status"], row["error_type"], row["cause"]) == (
        "failed",
        "anchor_not_found",
        "indentation",
    )
    assert row["near"] == {"line": 7, "text": "one\ntwo"}
    assert row["correctable"]
    assert row["notes"] == ["It had unstaged changes."]
    assert row["attempt"] == 1
    assert row["old_preview"] == "x" * PREVIEW_CHARS + "..."
    assert row["new_preview"] == "y"


def test_a_newer_result_stands_where_the_block_stands() -> None:
    block = EditBlock(0, BlockKind.EDIT, "a.py", old=("x",), new=("y",), span=Span(3, 9))
    before = result_row(BlockOutcome(block, BlockStatus.PENDING), Utf16Offsets("z" * 9, [block]), 0)
    shifted = EditBlock(0, BlockKind.EDIT, "a.py", old=("  x",), new=("  y",))
    after = result_row(
        BlockOutcome(shifted, BlockStatus.APPLIED, added=1), Utf16Offsets("", [shifted]), 0
    )
    row = placed(after, before)
    assert (row["status"], row["added"], row["span"]) == ("applied", 1, [3, 9])
    assert block_row(row) == block_row(before)
    assert row["old_preview"] == "x"


@given(st.lists(st.text(max_size=3), max_size=300))
def test_a_preview_is_the_beginning_of_the_text(lines: list[str]) -> None:
    block = EditBlock(0, BlockKind.EDIT, "a", old=tuple(lines))
    preview = result_row(BlockOutcome(block, BlockStatus.PENDING), Utf16Offsets("", [block]), 0)[
        "old_preview"
    ]
    text = "\n".join(lines)
    assert preview == (text if len(text) <= PREVIEW_CHARS else f"{text[:PREVIEW_CHARS]}...")


def test_a_row_is_bounded_whatever_the_file_holds() -> None:
    block = EditBlock(0, BlockKind.EDIT, "a", old=("x",) * 1_000_000, new=("y" * 1_000_000,))
    outcome = BlockOutcome(
        block,
        BlockStatus.FAILED,
        "m" * 1_000_000,
        near=Near(1, ("z" * 1_000_000,) * 3),
        notes=("n" * 1_000_000,) * 100,
    )
    row = result_row(outcome, Utf16Offsets("", [block]), 0)
    texts = 3 * NEAR_CHARS  # of very many lines; their breaks take two characters each
    most = MESSAGE_CHARS * (MAX_NOTES + 1) + NEAR_CHARS + 2 * PREVIEW_CHARS + texts
    assert len(json.dumps(row)) < most + 1000
