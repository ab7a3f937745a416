"""Changes as values."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import Span
from jupyter_ac.chat.edit_blocks.file_changes import (
    Change,
    lines_of,
    replaced,
    rewritten,
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
