"""Lines followed from one version of a file into another."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edits.undoing.alignment import Alignment

TEXT = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=12)


def aligned(ours: str, theirs: str) -> Alignment:
    return Alignment([each.encode() for each in ours], [each.encode() for each in theirs])


@pytest.mark.parametrize(
    ("ours", "theirs", "start", "end", "place"),
    [
        ("abc", "abc", 1, 2, 1),
        ("abc", "xabc", 1, 2, 2),
        ("abc", "abcx", 0, 3, 0),
        ("abcde", "xabycdez", 3, 4, 5),  # between two others' lines
        ("abc", "axc", 1, 2, None),
        ("abc", "bca", 0, 1, None),  # moved behind the others
        ("aa", "aaa", 0, 1, None),  # which of them?
        ("aaa", "aa", 1, 2, None),
        ("xaay", "xaaay", 1, 2, None),
        ("xaay", "xaaay", 0, 1, 0),
        ("abc", "abc", 1, 1, 1),
        ("abc", "xabc", 1, 1, 2),
        ("abc", "axbc", 1, 1, None),  # something stands there
        ("abc", "xabc", 0, 0, None),
        ("abc", "abcx", 3, 3, None),
        ("abc", "xabc", 3, 3, 4),
        ("", "", 0, 0, 0),
        ("", "a", 0, 0, None),
    ],
)
def test_lines_are_found_where_there_is_no_doubt(
    ours: str, theirs: str, start: int, end: int, place: int | None
) -> None:
    assert aligned(ours, theirs).place(start, end) == place


@given(TEXT, TEXT, st.data())
def test_what_is_found_stands_there(
    ours: list[bytes], theirs: list[bytes], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(ours)))
    end = data.draw(st.integers(start, len(ours)))
    place = Alignment(ours, theirs).place(start, end)
    if place is not None:
        assert theirs[place : place + end - start] == ours[start:end]


@given(TEXT, TEXT, TEXT, TEXT)
def test_lines_between_others_are_never_found_at_another_place_when_one_line_is_unique(
    before: list[bytes], behind: list[bytes], other_before: list[bytes], other_behind: list[bytes]
) -> None:
    ours, theirs = [*before, b"!\n", *behind], [*other_before, b"!\n", *other_behind]
    assert Alignment(ours, theirs).place(len(before), len(before) + 1) in {len(other_before), None}


def test_a_version_is_found_in_itself() -> None:
    lines = [b"x\n"] * 50
    assert all(Alignment(lines, lines).place(at, at + 1) == at for at in range(50))


def test_the_work_grows_with_the_lines() -> None:
    def took(count: int) -> float:
        ours = [b"%d\n" % (number % 7) for number in range(count)]
        begun = time.process_time()
        Alignment(ours, [*ours[::-1], b"new\n"])
        Alignment(ours, ours[3:])
        return time.process_time() - begun

    took(1000)
    assert took(80_000) < 200 * max(took(4000), 0.001)
