"""The journal's entries."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edits.blocks import Span
from jupyter_ac.chat.edits.undoing.changes import (
    Act,
    Change,
    from_json,
    lines_of,
    replaced,
    rewritten,
    to_json,
)
from jupyter_ac.ids import RepoPath

PATH = RepoPath("a.py")
BYTES = st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"b\xff"])).map(b"".join)


def made(change: Change, before: bytes) -> bytes:
    lines = lines_of(before)
    lines[change.start : change.start + change.gone] = change.put
    return b"".join(lines)


@given(BYTES)
def test_lines_are_all_of_the_bytes(data: bytes) -> None:
    lines = lines_of(data)
    assert b"".join(lines) == data
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines[:-1])


@given(BYTES, BYTES, BYTES, BYTES)
def test_a_replaced_part_is_told_in_whole_lines(
    head: bytes, old: bytes, new: bytes, tail: bytes
) -> None:
    before, after = head + old + tail, head + new + tail
    change = replaced(PATH, 1, before, after, Span(len(head), len(head) + len(old)))
    if after[: len(after) - len(tail)].endswith(b"\n") or not tail or old.endswith(b"\n"):
        assert made(change, before) == after


@given(BYTES, BYTES)
def test_a_rewritten_text_is_told_in_lines(before: bytes, after: bytes) -> None:
    assert made(rewritten(PATH, 1, before, after), before) == after


def test_of_equal_lines_all_count_as_rewritten() -> None:
    change = rewritten(PATH, 1, b"x\na\na\ny\n", b"x\na\na\na\ny\n")
    assert (change.start, change.gone) == (1, 2)


def test_a_journal_comes_back_as_it_was_kept() -> None:
    journal = (
        Change(Act.CREATE, PATH, 0, put=(b"\xff\n", b"x")),
        Change(Act.WRITE, PATH, 1, start=1, gone=1, put=("é\n".encode(),)),
        Change(Act.MOVE, PATH, 2, new_path=RepoPath("d/\udcff")),
        Change(Act.REMOVE, RepoPath("b"), -1),
        Change(Act.DROP, undone=(3,)),
        Change(Act.UNDO, undone=(0, 2)),
    )
    assert from_json(to_json(journal)) == journal


@pytest.mark.parametrize(
    "row",
    [
        {"act": "burn"},
        {"path": "../x"},
        {"path": ".git/hooks/pre-commit"},
        {"path": 3},
        {"act": "move", "new_path": "/etc/passwd"},
        {"start": -1},
        {"start": True},
        {"gone": "1"},
        {"put": "x"},
        {"put": [1]},
        {"act": "undo", "undone": [1]},
        {"act": "undo", "undone": [-1]},
        {"undone": None},
    ],
)
def test_what_others_wrote_is_refused(row: dict[str, object]) -> None:
    (fine,) = json.loads(to_json([Change(Act.WRITE, PATH, 1)]))
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(json.dumps([{**fine, **row}]))
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(json.dumps([row]))


@pytest.mark.parametrize("text", ["", "{}", "3", "[3]", "[[]]", "[" * 100_000])
def test_no_journal_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(text)
