"""A file's lines: what ends them, and where texts stand among them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.matching.lines import (
    CRLF,
    LF,
    Lines,
    created,
    ended,
    fold,
    places,
    split,
)

any_bytes = st.lists(
    st.sampled_from([b"a", b"b", b"\r", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\xc2\x85", b"\x0c"])
).map(b"".join)


def test_only_lf_and_crlf_end_a_line() -> None:
    text = "a\rb\x0bc\x0cd\u0085e\u2028f\r\ng\n"
    lines = split(text.encode())
    assert [line.decode() for line in lines.texts] == ["a\rb\x0bc\x0cd\u0085e\u2028f", "g"]
    assert lines.ends == [CRLF, LF]


def test_a_byte_order_mark_is_no_part_of_line_1() -> None:
    assert split(b"\xef\xbb\xbfa\n") == Lines(b"\xef\xbb\xbf", [b"a"], [LF])
    assert split(b"\xef\xbb\xbf") == Lines(b"\xef\xbb\xbf", [], [])


def test_a_mark_elsewhere_is_a_character() -> None:
    assert split(b"a\n\xef\xbb\xbfb").texts == [b"a", b"\xef\xbb\xbfb"]


@pytest.mark.parametrize(
    ("data", "texts", "is_open"),
    [
        (b"", [], False),
        (b"\n", [b""], False),
        (b"a", [b"a"], True),
        (b"a\n", [b"a"], False),
        (b"a\n\n", [b"a", b""], False),
        (b"a\r", [b"a\r"], True),
        (b"a\r\r\n", [b"a\r"], False),
    ],
)
def test_an_end_of_line_begins_no_further_line(
    data: bytes, texts: list[bytes], is_open: bool
) -> None:
    assert split(data).texts == texts
    assert split(data).is_open is is_open


@given(any_bytes)
def test_the_lines_of_any_file_put_together_are_the_file(data: bytes) -> None:
    lines = split(data)
    whole = zip(lines.texts, lines.ends, strict=True)
    assert lines.bom + b"".join(text + end for text, end in whole) == data
    assert all(b"\n" not in text for text in lines.texts)
    assert lines.offset(len(lines.texts)) == len(data)
    assert all(lines.ends[:-1])


@given(any_bytes, st.data())
def test_an_offset_is_where_a_line_begins(data: bytes, draw: st.DataObject) -> None:
    lines = split(data)
    number = draw.draw(st.integers(0, len(lines.texts)))
    assert split(data[: lines.offset(number)]).texts == lines.texts[:number]


@pytest.mark.parametrize(
    ("data", "number", "end"),
    [
        (b"a\r\nb\n", 1, CRLF),
        (b"a\r\nb\n", 2, LF),
        (b"a\r\nb\n", 0, CRLF),
        (b"a\nb\r\nc\r\nd", 4, CRLF),
        (b"a\nb\r\nc", 3, LF),
        (b"a", 0, LF),
        (b"a", 1, LF),
        (b"", 0, LF),
    ],
)
def test_the_end_of_an_inserted_line_is_that_before_else_after_else_the_majority(
    data: bytes, number: int, end: bytes
) -> None:
    assert split(data).end_at(number) == end


small = st.lists(st.sampled_from([b"a", b"b", b""]), max_size=12)


@given(small, small)
def test_places_are_all_places_also_overlapping_ones(
    lines: list[bytes], wanted: list[bytes]
) -> None:
    naive = [
        start
        for start in range(len(lines) - len(wanted) + 1)
        if wanted and lines[start : start + len(wanted)] == wanted
    ]
    assert places(lines, wanted) == naive


def test_a_text_longer_than_the_file_stands_nowhere() -> None:
    assert places([b"a"], [b"a", b"a"]) == []


class Counted(bytes):
    """A line that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return bytes.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        Counted.compared += 1
        return bytes.__ne__(self, other)

    __hash__ = bytes.__hash__


def test_the_work_grows_with_the_lines_not_with_their_product() -> None:
    """100,000 equal lines and half as many wanted; a naive search compares 2,500,000,000 times."""
    lines = [Counted(b"    pass")] * 100_000
    Counted.compared = 0
    found = places(lines, lines[:50_000])
    assert len(found) == 50_001
    assert Counted.compared <= 6 * len(lines)
    assert all(after - before == 1 for before, after in pairwise(found))


def test_a_created_file_ends_each_line_with_lf() -> None:
    assert created(["a", "", "ü"]) == "a\n\nü\n".encode()


def test_a_file_created_without_lines_is_empty() -> None:
    assert created([]) == b""
    assert created([""]) == b"\n"


def test_half_a_character_is_not_written() -> None:
    with pytest.raises(UnicodeEncodeError):
        created(["\ud800"])


def test_a_cr_at_the_end_of_a_text_stays_apart_from_the_line_end() -> None:
    assert split(ended(b"a\r", LF)).texts == [b"a\r"]
    assert split(created(["a\r", "b"])).texts == [b"a\r", b"b"]


@pytest.mark.parametrize(
    "line",
    [
        "a = 'b-c'",
        "  a  =  'b-c' ",
        "\ta\u00a0= 'b-c'\r",
        "a = \u2018b\u2013c\u2019",
        'a = "b-c"',
        "a\u200b=`b—c`",
    ],
)
def test_lines_that_look_alike_fold_to_the_same(line: str) -> None:
    assert fold([line.encode()]).keys == [b"a='b-c'"]


def test_other_letters_stay_apart() -> None:
    assert fold("ä a A e\u0301".encode().split()).keys == "ä a A e\u0301".encode().split()


def test_lines_without_text_are_left_out_and_the_others_keep_their_numbers() -> None:
    folded = fold([b"", b"a", b" \t", "\u200b".encode(), b"b"])
    assert (folded.keys, folded.numbers) == ([b"a", b"b"], [1, 4])


def test_nothing_folds_to_nothing() -> None:
    assert fold([]).keys == []


def test_places_are_counted_among_the_lines_with_text() -> None:
    assert fold([b"x", b"", b"a", b"", b"b"]).places(fold([b" a", b"b"])) == [1]


def test_bytes_that_are_no_text_fold_too() -> None:
    assert len(fold([b"\xff\xfe", b"a"]).keys) == 2
